//! Tests of the reader and of C types on clang's own dumps.
//!
//! - `layouts.c`: the installed clang computes sizes and offsets as enumeration constants; ours must be equal.
//! - `types.c`: the types of all variables, as the installed clang and two stored dumps (`types.clang14.json`,
//!   `types.clang20.json`, made with `clang -fsyntax-only -Xclang -ast-dump=json -x c - < types.c`) give them.

use accrue_front_c::ast::describe::describe;
use accrue_front_c::ast::node::Flags;
use accrue_front_c::ast::types::{Target, Types};
use accrue_front_c::ast::{self, Ast, CType, Kind, NodeId, constant};
use accrue_front_c::text::clang;
use std::collections::{BTreeMap, HashMap};
use std::process::{Command, Stdio};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// What the installed clang makes of a text.
fn dump(text: &str) -> Result<Ast> {
    let clang = clang::find().map_err(|message| message.message)?;
    let mut child = Command::new(clang)
        .args([
            "-w",
            "-fsyntax-only",
            "-Xclang",
            "-ast-dump=json",
            "-x",
            "c",
            "-",
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    std::io::Write::write_all(&mut child.stdin.take().ok_or("no input")?, text.as_bytes())?;
    let ast = ast::read(child.stdout.take().ok_or("no output")?)?;
    assert!(child.wait()?.success());
    Ok(ast)
}

#[test]
fn layouts_are_those_of_the_compiler() -> Result<()> {
    let text = std::fs::read_to_string("tests/ast/layouts.c")?;
    let ast = dump(&text)?;
    let mut types = Types::new(&ast, text.as_bytes(), Target::host());
    let mut expected = BTreeMap::new();
    let mut declared: HashMap<String, NodeId> = HashMap::new();
    ast.walk(ast.root(), &mut |id| {
        match ast.kind(id) {
            Kind::EnumConstantDecl if ast.name(id).contains('_') => {
                expected.insert(
                    ast.name(id).to_owned(),
                    constant::enum_constant(&mut types, id),
                );
            }
            Kind::RecordDecl | Kind::EnumDecl | Kind::TypedefDecl => {
                declared.insert(ast.name(id).to_owned(), id);
            }
            _ => {}
        }
        true
    });
    assert!(expected.len() >= 50, "{}", expected.len());
    for (constant, value) in expected {
        let (what, name) = constant.split_once('_').ok_or("no name")?;
        let found = declared.get(name).copied();
        // `offset_RECORD_MEMBER`: the member is the last word.
        let (record, member) = match found {
            Some(_) => (name, None),
            None => name
                .rsplit_once('_')
                .map(|(record, member)| (record, Some(member)))
                .ok_or("no member")?,
        };
        let declaration = *declared.get(record).ok_or_else(|| format!("no {record}"))?;
        let ty = match ast.kind(declaration) {
            Kind::RecordDecl => types.intern(CType::Record(declaration)),
            Kind::EnumDecl => types.intern(CType::Enum(declaration)),
            _ => types.of(declaration)?.ty,
        };
        let ours = match (what, member, types.get(ty).clone()) {
            ("size", None, _) => types.size_of(ty)?,
            ("align", None, _) => types.align_of(ty)?,
            ("offset", Some(member), CType::Record(declaration)) => {
                let layout = types.layout(declaration)?;
                let index = layout
                    .record
                    .fields
                    .iter()
                    .position(|field| ast.text(field.name) == member);
                layout.places[index.ok_or("no such member")?].bit / 8
            }
            _ => return Err(format!("{constant} is not understood").into()),
        };
        assert_eq!(Some(i128::from(ours)), value, "{constant}");
    }
    Ok(())
}

/// Names and types of all variables and parameters, in the order of the text.
fn variables(ast: &Ast, text: &str) -> Result<Vec<String>> {
    let mut types = Types::new(ast, text.as_bytes(), Target::X86_64);
    let mut found = Vec::new();
    let mut declarations = Vec::new();
    ast.walk(ast.root(), &mut |id| {
        let named = !ast.name(id).is_empty() && !ast.node(id).has(Flags::IMPLICIT);
        if named && matches!(ast.kind(id), Kind::VarDecl | Kind::ParmVarDecl) {
            declarations.push(id);
        }
        true
    });
    for id in declarations {
        let ty = types.of(id)?;
        let mut words = vec![ast.name(id).to_owned(), ":".to_owned()];
        words.extend(ty.is_const.then(|| "const".to_owned()));
        words.extend(ty.is_volatile.then(|| "volatile".to_owned()));
        words.extend(ty.is_restrict.then(|| "restrict".to_owned()));
        words.extend(ty.is_atomic.then(|| "_Atomic".to_owned()));
        words.push(describe(&types, ty.ty));
        if let CType::Record(declaration) = *types.get(ty.ty) {
            let fields: Vec<_> = types.record(declaration)?.fields;
            words.extend(
                fields
                    .iter()
                    .map(|field| format!(".{}", ast.text(field.name))),
            );
        }
        found.push(words.join(" "));
    }
    Ok(found)
}

const VARIABLES: &[&str] = &[
    "one : struct (unnamed) .z",
    "many : struct (unnamed) *",
    "matrix : double[10] *",
    "table : int (int, char) *[3]",
    "chooser : int[3] * (int) *",
    "names : const char *const[1]",
    "big : unsigned long long",
    "z : _Complex float",
    "counter : _Atomic int",
    "flags : volatile signed char",
    "list : struct node .next",
    "path : restrict struct (unnamed) *",
    "handler : void (union u, enum color, ...) *",
    "same : unsigned long long",
    "n : int",
    "a : double[n + 1] *",
    "p : struct (unnamed) *",
    "local : struct node .c",
    "inner : short",
    "here : struct (unnamed) .q",
    "shadow : enum color",
    "it : struct node *",
    "after : struct node .next",
];

#[test]
fn types_are_read_from_the_dumps_of_several_clangs() -> Result<()> {
    let text = std::fs::read_to_string("tests/ast/types.c")?;
    assert_eq!(
        variables(&dump(&text)?, &text)?,
        VARIABLES,
        "the installed clang"
    );
    for version in ["clang14", "clang20"] {
        let stored = std::fs::File::open(format!("tests/ast/types.{version}.json"))?;
        assert_eq!(
            variables(&ast::read(stored)?, &text)?,
            VARIABLES,
            "{version}"
        );
    }
    Ok(())
}

/// The tree of one clang is the tree of another, as far as import looks at it.
#[test]
fn stored_dumps_give_the_same_tree() -> Result<()> {
    let tree = |version: &str| -> Result<Vec<String>> {
        let ast = ast::read(std::fs::File::open(format!(
            "tests/ast/types.{version}.json"
        ))?)?;
        let mut nodes = Vec::new();
        ast.walk(ast.root(), &mut |id| {
            let node = ast.node(id);
            if node.begin > 0 {
                nodes.push(format!(
                    "{} {} {}..{}",
                    ast.kind_name(id),
                    ast.name(id),
                    node.begin,
                    node.end
                ));
            }
            true
        });
        Ok(nodes)
    };
    assert_eq!(tree("clang14")?, tree("clang20")?);
    Ok(())
}
