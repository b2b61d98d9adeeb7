//! Reads clang's `-ast-dump=json` into an [`Ast`].
//!
//! Problem: the dump of a small program with the usual headers is 6 MB, that of a large one 100
//! times as much; its keys and kinds differ from one clang to the next; and deriving
//! `Deserialize` fails on it because clang prints some keys twice.
//!
//! Steps:
//! 1. [`TopLevel`] cuts the stream into the children of the translation unit, looking at nothing but
//!    quotes and brackets. Only one top-level declaration is in memory as text, and reading goes
//!    on while clang still runs.
//! 2. Each piece is read by a visitor that keeps what import needs and passes over everything else,
//!    unknown keys, repeated keys and null children included.
//!
//! Positions: clang omits `file` and `line` where they did not change, but always gives `offset`.
//! The carrier text is one preprocessed file, so the offset alone is a position in it. Only
//! where a macro expanded (clang's own preprocessor was used) a position is split in two; the place
//! of the expansion is the one that counts.

use super::keyed::{Keyed, Mention, Position, Range, Text, clang_id};
use super::pieces::TopLevel;
use std::fmt;
use std::io::Read;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::node::{CastKind, Flags, Kind, Node, NodeId, Operator, TypeText};
use super::tree::Ast;

/// Deeper trees are refused: reader, import and passes recurse, as every C compiler does. For trees of
/// this depth they need [`super::STACK_BYTES`] of stack.
pub(super) const MAX_DEPTH: u32 = 4_000;

/// Why a dump could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The stream itself failed.
    #[error("cannot read clang's output: {0}")]
    Io(#[from] std::io::Error),
    /// The text is no dump of a translation unit.
    #[error("clang's syntax tree is not as expected: {0}")]
    Json(#[from] serde_json::Error),
    /// The passes behind recurse, as every C compiler does, and a stack is finite.
    #[error(
        "the program is nested too deeply: an expression or statement has more than {MAX_DEPTH} levels"
    )]
    TooDeep {
        /// Where, in the carrier text.
        offset: u32,
    },
    /// The text ended early: clang was stopped or crashed.
    #[error("clang's syntax tree ends early")]
    Truncated,
}

impl ReadError {
    /// Whether the rest of the dump is not wanted. (clang indents, so that deep trees make gigabytes.)
    pub fn gives_up(&self) -> bool {
        match self {
            ReadError::TooDeep { .. } => true,
            ReadError::Io(_) | ReadError::Json(_) | ReadError::Truncated => false,
        }
    }
}

/// Reads a whole dump. A dump made in spite of errors in the program is read like any other. The input is
/// read to its end in any case but one ([`ReadError::gives_up`]), so that clang does not fail because of us.
pub fn read(mut input: impl Read) -> Result<Ast, ReadError> {
    let result = read_pieces(&mut input);
    if result.as_ref().is_err_and(|error| !error.gives_up()) {
        std::io::copy(&mut input, &mut std::io::sink())?;
    }
    result
}

fn read_pieces(input: impl Read) -> Result<Ast, ReadError> {
    let mut ast = Ast::default();
    let mut children = Vec::new();
    let mut pieces = TopLevel::new(input);
    while let Some(piece) = pieces.next_piece()? {
        let mut json = serde_json::Deserializer::from_slice(piece);
        json.disable_recursion_limit();
        children.push(NodeSeed(&mut ast).deserialize(&mut json)?);
    }
    let root = Node {
        kind: Kind::TranslationUnitDecl,
        ..Node::default()
    };
    ast.finish(root, &children);
    Ok(ast)
}

/// Reads a type's texts into the interner.
struct TypeSeed<'a>(&'a mut Ast);

impl<'de> DeserializeSeed<'de> for TypeSeed<'_> {
    type Value = TypeText;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<TypeText, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for TypeSeed<'_> {
    type Value = TypeText;
    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a type")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<TypeText, A::Error> {
        let mut ty = TypeText::default();
        while let Some(key) = map.next_key::<Text>()? {
            match &*key.0 {
                "qualType" => ty.written = self.0.names.intern(&map.next_value::<Text>()?.0),
                "desugaredQualType" => {
                    ty.desugared = self.0.names.intern(&map.next_value::<Text>()?.0);
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(ty)
    }
}

/// Reads one node with its children; a null child is `{}` or `null` and reads as `None`.
struct NodeSeed<'a>(&'a mut Ast);

impl<'de> DeserializeSeed<'de> for NodeSeed<'_> {
    type Value = Option<NodeId>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for NodeSeed<'_> {
    type Value = Option<NodeId>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a node")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let NodeSeed(ast) = self;
        let mut node = Node::default();
        let mut children = Vec::new();
        let mut any_key = false;
        let mut kept = true;
        let mut loc = Position::default();
        let mut range = Range::default();
        while let Some(key) = map.next_key::<Text>()? {
            any_key = true;
            match &*key.0 {
                list @ ("inner" | "array_filler") => {
                    node.flags.set(Flags::FILLER, list == "array_filler");
                    children.extend(map.next_value_seed(ChildrenSeed(&mut *ast))?);
                }
                "kind" => {
                    let kind = map.next_value::<Text>()?.0;
                    kept = !kind.ends_with("Comment");
                    node.kind = Kind::from_clang(&kind)
                        .unwrap_or_else(|| Kind::Other(ast.names.intern(&kind)));
                }
                "loc" => loc = map.next_value::<Keyed<Position>>()?.0,
                "range" => range = map.next_value::<Keyed<Range>>()?.0,
                "type" => node.ty = map.next_value_seed(TypeSeed(&mut *ast))?,
                "computeLHSType" | "argType" | "fixedUnderlyingType" => {
                    node.other_ty = map.next_value_seed(TypeSeed(&mut *ast))?;
                }
                key => attribute(ast, &mut node, key, &mut map)?,
            }
        }
        if !any_key || !kept {
            return Ok(None);
        }
        node.begin = range.begin.offset.or(loc.offset).unwrap_or(0);
        node.at = loc.offset.unwrap_or(node.begin);
        node.end = match range.end.offset {
            Some(end) => end + range.end.length,
            None => node.begin,
        };
        Ok(Some(ast.push(node, &children)))
    }
}

/// Reads one of the attributes that need no children.
fn attribute<'de, A: MapAccess<'de>>(
    ast: &mut Ast,
    node: &mut Node,
    key: &str,
    map: &mut A,
) -> Result<(), A::Error> {
    let flag = match key {
        "isArrow" => Some(Flags::ARROW),
        "isPostfix" => Some(Flags::POSTFIX),
        "isImplicit" => Some(Flags::IMPLICIT),
        "isBitfield" => Some(Flags::BITFIELD),
        "hasElse" => Some(Flags::ELSE),
        "isGNURange" => Some(Flags::CASE_RANGE),
        "inline" => Some(Flags::INLINE),
        "completeDefinition" => Some(Flags::COMPLETE),
        "selected" => Some(Flags::SELECTED),
        "variadic" => Some(Flags::VARIADIC),
        _ => None,
    };
    if let Some(flag) = flag {
        node.flags.set(flag, map.next_value::<Text>()?.0 == "1");
        return Ok(());
    }
    match key {
        "id" => node.clang_id = clang_id(&map.next_value::<Text>()?.0),
        "name" => node.name = ast.names.intern(&map.next_value::<Text>()?.0),
        "value" => node.value = ast.names.intern(&map.next_value::<Text>()?.0),
        "castKind" => {
            let name = map.next_value::<Text>()?.0;
            node.cast = Some(
                CastKind::from_clang(&name)
                    .unwrap_or_else(|| CastKind::Other(ast.names.intern(&name))),
            );
        }
        "opcode" => node.op = Some(Operator::from_clang(&map.next_value::<Text>()?.0)),
        "referencedDecl" | "decl" | "ownedTagDecl" | "field" => {
            node.refers = map.next_value::<Keyed<Mention>>()?.0.0;
        }
        "referencedMemberDecl" | "targetLabelDeclId" | "declId" | "labelDeclId" => {
            node.refers = clang_id(&map.next_value::<Text>()?.0);
        }
        "previousDecl" => node.previous = clang_id(&map.next_value::<Text>()?.0),
        "storageClass" => match &*map.next_value::<Text>()?.0 {
            "static" => node.flags.set(Flags::STATIC, true),
            "extern" => node.flags.set(Flags::EXTERN, true),
            _ => {}
        },
        "tls" => {
            map.next_value::<IgnoredAny>()?;
            node.flags.set(Flags::THREAD, true);
        }
        "tagUsed" => node
            .flags
            .set(Flags::UNION, map.next_value::<Text>()?.0 == "union"),
        "init" => {
            map.next_value::<IgnoredAny>()?;
            node.flags.set(Flags::INITIALISED, true);
        }
        "valueCategory" => node
            .flags
            .set(Flags::LVALUE, map.next_value::<Text>()?.0 == "lvalue"),
        _ => drop(map.next_value::<IgnoredAny>()?),
    }
    Ok(())
}

/// Reads a list of nodes.
struct ChildrenSeed<'a>(&'a mut Ast);

impl<'de> DeserializeSeed<'de> for ChildrenSeed<'_> {
    type Value = Vec<Option<NodeId>>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for ChildrenSeed<'_> {
    type Value = Vec<Option<NodeId>>;
    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list of nodes")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut children = Vec::new();
        while let Some(child) = seq.next_element_seed(NodeSeed(&mut *self.0))? {
            children.push(child);
        }
        Ok(children)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::node::Operator;

    /// A dump in the shape of clang's, with what it does to readers: unknown and repeated keys,
    /// null children of both spellings, a comment node, brackets inside strings.
    const DUMP: &str = r#"{"id":"0x1","kind":"TranslationUnitDecl","loc":{},"range":{"begin":{},"end":{}},"inner":[
      {"id":"0x10","kind":"VarDecl","loc":{"offset":4,"col":5,"tokLen":1},"name":"x","news":[{"a":[]}],
       "type":{"qualType":"int"},"type":{"qualType":"int"},"init":"c","storageClass":"static",
       "inner":[{"id":"0x11","kind":"IntegerLiteral","type":{"qualType":"int"},"value":"7"},
                {"id":"0x12","kind":"FullComment","inner":[]}]},
      {"id":"0x20","kind":"StrangeDecl","name":"]}\"{["},
      {"id":"0x30","kind":"ForStmt","range":{"begin":{"expansionLoc":{"offset":30,"tokLen":3},"spellingLoc":{"offset":1}},
        "end":{"offset":40,"tokLen":2}},"inner":[{},null,
        {"kind":"DeclRefExpr","referencedDecl":{"id":"0x10","kind":"VarDecl"},"valueCategory":"lvalue"},
        {"kind":"UnaryOperator","opcode":"++","isPostfix":true,"castKind":"FutureCast"},{}]}
    ]}"#;

    #[test]
    fn reads_what_it_needs_and_passes_over_the_rest() {
        let ast = read(DUMP.as_bytes()).unwrap();
        let top: Vec<_> = ast.children(ast.root()).collect();
        assert_eq!(top.len(), 3);
        let x = top[0];
        assert_eq!(
            (ast.kind(x), ast.name(x), ast.node(x).at),
            (Kind::VarDecl, "x", 4)
        );
        assert!(ast.node(x).has(Flags::STATIC) && ast.node(x).has(Flags::INITIALISED));
        assert_eq!(ast.children(x).count(), 1);
        let value = ast.initialiser(x).unwrap();
        assert_eq!(ast.text(ast.node(value).value), "7");
        assert_eq!(ast.kind_name(top[1]), "StrangeDecl");
        assert_eq!(ast.name(top[1]), "]}\"{[");
        let parts = ast.slots(top[2]);
        assert_eq!(
            parts.iter().map(Option::is_some).collect::<Vec<_>>(),
            [false, false, true, true, false]
        );
        assert_eq!(ast.referenced(parts[2].unwrap()), Some(x));
        let step = ast.node(parts[3].unwrap());
        assert_eq!(step.op, Some(Operator::Inc));
        assert!(step.has(Flags::POSTFIX) && matches!(step.cast, Some(CastKind::Other(_))));
        assert_eq!((ast.node(top[2]).begin, ast.node(top[2]).end), (30, 42));
    }

    /// Gives its bytes one at a time, as a slow pipe does.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let Some((first, rest)) = self.0.split_first() else {
                return Ok(0);
            };
            buffer[0] = *first;
            self.0 = rest;
            Ok(1)
        }
    }

    #[test]
    fn pieces_do_not_depend_on_how_the_stream_arrives() {
        let at_once = read(DUMP.as_bytes()).unwrap();
        let slowly = read(Slow(DUMP.as_bytes())).unwrap();
        assert_eq!(at_once.len(), slowly.len());
    }

    #[test]
    fn broken_streams_are_errors() {
        for length in [0, 1, 200, DUMP.len() - 2] {
            assert!(
                matches!(read(&DUMP.as_bytes()[..length]), Err(ReadError::Truncated)),
                "{length}"
            );
        }
        let bad = r#"{"inner":[{"kind":"VarDecl","range":3,,}]}"#;
        assert!(matches!(read(bad.as_bytes()), Err(ReadError::Json(_))));
    }

    fn nested(depth: usize) -> String {
        format!(
            r#"{{"inner":[{}{}]}}"#,
            r#"{"inner":["#.repeat(depth),
            "]}".repeat(depth)
        )
    }

    #[test]
    fn deep_trees_are_read_on_a_deep_stack() {
        let reader = std::thread::Builder::new().stack_size(crate::ast::STACK_BYTES);
        let depth = MAX_DEPTH as usize;
        let read = reader.spawn(move || {
            let deepest = read(nested(depth - 1).as_bytes()).unwrap();
            let deeper = read(nested(depth + 2).as_bytes());
            (
                deepest.len(),
                matches!(deeper, Err(ReadError::TooDeep { .. })),
            )
        });
        assert_eq!(read.unwrap().join().unwrap(), (depth, true));
    }
}
