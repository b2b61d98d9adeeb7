//! How a type can be named in the host's text, and where: one without a tag by what is declared with it, one of a function
//! behind its declaration.
//!
//! ```text
//! typedef struct { int a; } t;              t                              at the end of the text
//! struct { int a; } x, *y[3];               __typeof__(x)                  at the end
//! struct outer { union { int a; } in[2]; }; __typeof__(((struct outer*)0)->in[0])
//! void f(void) { struct p { int a; } x; █   struct p                       behind the declaration
//!   for (enum { A } e = A; …) { █ … }       __typeof__(e)                  in the loop's body
//!   for (struct { int a; } s = …; █ …) …    __typeof__(s)                  in front of the loop's condition
//! ```
//!
//! A tree has a type's first declarator right behind the type. One walk over the tree finds the place of each type and that
//! neighbour. A type that nothing names (`sizeof(struct {…})`, a member without name, what a function returns) is named
//! nowhere, nor is one of a `for` with neither braces nor a condition; the members of the second kind are found in the struct around it.

use crate::ast::node::{Flags, Kind, NodeId};
use crate::ast::scope::NameSpace;
use crate::ast::tree::Ast;
use crate::ast::types::{CType, TypeId, Types};
use crate::text::host::Stand;
use std::collections::HashMap;

/// Where the types and enumeration constants of a unit are declared.
pub struct Nameable {
    spots: HashMap<NodeId, Spot>,
}

/// Where a type or constant is declared.
struct Spot {
    /// What it is declared in.
    parent: NodeId,
    /// What is declared with it.
    next: Option<NodeId>,
    /// Where it can be named, as an offset in clang's text.
    stand: Option<Stand>,
}

/// A name of a type.
pub struct TypeName {
    /// For C.
    pub text: String,
    /// For messages.
    pub shown: String,
    /// Where it has this meaning; offsets are in clang's text.
    pub stand: Stand,
}

impl Nameable {
    /// Looks through a unit.
    pub fn new(ast: &Ast) -> Self {
        let mut spots = HashMap::new();
        let mut pending = vec![(ast.root(), Some(Stand::End))];
        while let Some((parent, stand)) = pending.pop() {
            let mut children = ast.children(parent).peekable();
            while let Some(child) = children.next() {
                let here = stand_of(ast, parent, child, stand);
                if matches!(
                    ast.kind(child),
                    Kind::RecordDecl | Kind::EnumDecl | Kind::EnumConstantDecl
                ) {
                    let next = children.peek().copied();
                    let spot = Spot {
                        parent,
                        next,
                        stand: here,
                    };
                    spots.insert(child, spot);
                }
                pending.push((child, here));
            }
        }
        Nameable { spots }
    }

    /// What a record, enumeration or constant is declared in.
    pub fn parent(&self, declaration: NodeId) -> Option<NodeId> {
        self.spots.get(&declaration).map(|spot| spot.parent)
    }

    /// Where the name of a constant is known.
    pub fn stand_of_constant(&self, constant: NodeId) -> Option<Stand> {
        self.spots.get(&constant)?.stand
    }

    /// A name of a record or an enumeration.
    pub fn name(&self, types: &mut Types, declaration: NodeId) -> Option<TypeName> {
        let ast = types.ast();
        let node = ast.node(declaration);
        let spot = self.spots.get(&declaration)?;
        if node.name.is_some() {
            let at_end = types.at_end(NameSpace::Tag, node.name) == Some(declaration);
            let keyword = match node.kind {
                Kind::EnumDecl => "enum",
                _ if node.has(Flags::UNION) => "union",
                _ => "struct",
            };
            let text = format!("{keyword} {}", ast.name(declaration));
            return Some(TypeName {
                shown: format!("`{text}`"),
                text,
                stand: match at_end {
                    true => Stand::End,
                    false => spot.stand.filter(|stand| *stand != Stand::End)?,
                },
            });
        }
        let first = spot.next?;
        let declared = types.of(first).ok()?.ty;
        let name = ast.name(first);
        let (object, stand) = match ast.kind(first) {
            Kind::TypedefDecl if is(types, declared, declaration) => {
                return Some(TypeName {
                    text: name.to_owned(),
                    shown: format!("`{name}`"),
                    stand: spot.stand?,
                });
            }
            Kind::TypedefDecl => (format!("*({name}*)0"), spot.stand?),
            Kind::VarDecl | Kind::ParmVarDecl if !name.is_empty() => (name.to_owned(), spot.stand?),
            // There is no `typeof` of a bit-field.
            Kind::FieldDecl if ast.node(first).has(Flags::BITFIELD) => return None,
            Kind::FieldDecl if !name.is_empty() => {
                let around = self.name(types, spot.parent)?;
                (format!("(({}*)0)->{name}", around.text), around.stand)
            }
            _ => return None,
        };
        let object = inside(types, declared, declaration, object)?;
        Some(TypeName {
            text: format!("__typeof__({object})"),
            shown: format!("the type of `{name}`"),
            stand,
        })
    }
}

/// Where `child`, which stands in `parent`, can be named; `around` is where `parent` can be.
fn stand_of(ast: &Ast, parent: NodeId, child: NodeId, around: Option<Stand>) -> Option<Stand> {
    let start = |body: NodeId| Stand::Behind(ast.node(body).begin as usize + 1);
    match (ast.kind(parent), ast.kind(child)) {
        (Kind::FunctionDecl, _) => ast.body(parent).map(start),
        (Kind::CompoundStmt, Kind::DeclStmt) => Some(Stand::Behind(ast.node(child).end as usize)),
        (Kind::ForStmt, Kind::DeclStmt) => match ast.children(parent).last() {
            Some(body) if ast.kind(body) == Kind::CompoundStmt => Some(start(body)),
            Some(_) | None => {
                let condition = ast.child(parent, 2);
                condition.map(|_| Stand::Condition(ast.node(child).end as usize))
            }
        },
        (_, Kind::DeclStmt) => None,
        _ => around,
    }
}

fn is(types: &Types, ty: TypeId, declaration: NodeId) -> bool {
    matches!(types.get(ty), CType::Record(of) | CType::Enum(of) if *of == declaration)
}

/// The object of the type that is what `object`, of type `ty`, is, points to or consists of.
fn inside(
    types: &Types,
    mut ty: TypeId,
    declaration: NodeId,
    mut object: String,
) -> Option<String> {
    while !is(types, ty, declaration) {
        // A subscript is for both, and binds like a cast's operand only behind parentheses.
        ty = types.pointee(ty)?.ty;
        object = format!("({object})[0]");
    }
    Some(object)
}
