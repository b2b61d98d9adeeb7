//! Which declaration a type name means at a place of the text.
//!
//! clang prints types as strings, so `struct node` or `real_t` must be looked up again by C's
//! scope rules. Every declaration of a tag or typedef is listed with the range of text in which it
//! can be seen; a look-up takes the innermost range around the place of use.
//!
//! A record without name is printed with its position, `struct (unnamed struct at heat.c:3:9)`: these
//! are listed by line and column, which the linemarkers of the preprocessed text define.

use std::collections::HashMap;

use super::names::Sym;
use super::node::{Flags, Kind, NodeId};
use super::tree::Ast;

/// In which of C's name spaces something is looked up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NameSpace {
    /// `struct x`, `union x`, `enum x`.
    Tag,
    /// A typedef name.
    Typedef,
    /// A variable or a function, whose type `typeof` names.
    Object,
}

#[derive(Debug)]
struct Candidate {
    declaration: NodeId,
    /// Offset from which on it is seen.
    from: u32,
    /// The text range of the scope it belongs to.
    scope: (u32, u32),
}

/// The type names of a unit.
#[derive(Debug, Default)]
pub struct TypeNames {
    named: HashMap<(NameSpace, Sym), Vec<Candidate>>,
    /// Unnamed tags by line and column, with their file.
    unnamed: HashMap<(u32, u32), Vec<(String, NodeId)>>,
}

/// The scope of declarations outside functions.
const FILE_SCOPE: (u32, u32) = (0, u32::MAX);

impl TypeNames {
    /// Collects the type names of `ast`, whose offsets point into `text`.
    pub fn new(ast: &Ast, text: &[u8]) -> TypeNames {
        let mut names = TypeNames::default();
        let mut unnamed = Vec::new();
        let mut pending = vec![(ast.root(), FILE_SCOPE)];
        while let Some((id, scope)) = pending.pop() {
            let node = ast.node(id);
            let name_space = match node.kind {
                Kind::RecordDecl | Kind::EnumDecl => Some(NameSpace::Tag),
                Kind::TypedefDecl => Some(NameSpace::Typedef),
                Kind::VarDecl | Kind::ParmVarDecl | Kind::FunctionDecl => Some(NameSpace::Object),
                _ => None,
            };
            match name_space {
                Some(name_space) if node.name.is_some() => {
                    names
                        .named
                        .entry((name_space, node.name))
                        .or_default()
                        .push(Candidate {
                            declaration: id,
                            from: node.at,
                            scope,
                        });
                }
                Some(NameSpace::Tag | NameSpace::Typedef) => unnamed.push(id),
                // A parameter without a name.
                Some(NameSpace::Object) => {}
                None => {}
            }
            let inner = match node.kind {
                Kind::CompoundStmt
                | Kind::FunctionDecl
                | Kind::ForStmt
                | Kind::IfStmt
                | Kind::SwitchStmt
                | Kind::WhileStmt
                | Kind::DoStmt => (node.begin, node.end),
                _ => scope,
            };
            pending.extend(ast.children(id).map(|child| (child, inner)));
        }
        names.locate_unnamed(ast, text, unnamed);
        names
    }

    /// Finds file, line and column of the unnamed tags in one pass over the text.
    fn locate_unnamed(&mut self, ast: &Ast, text: &[u8], mut tags: Vec<NodeId>) {
        tags.sort_by_key(|id| ast.node(*id).at);
        let mut tags = tags.into_iter().peekable();
        let (mut file, mut line, mut start) = (String::new(), 1, 0);
        for row in text.split_inclusive(|byte| *byte == b'\n') {
            let end = start + row.len();
            while let Some(tag) = tags.next_if(|tag| (ast.node(*tag).at as usize) < end) {
                let column = (ast.node(tag).at as usize).saturating_sub(start) as u32 + 1;
                self.unnamed
                    .entry((line, column))
                    .or_default()
                    .push((file.clone(), tag));
            }
            match line_marker(row) {
                Some((next_line, next_file)) => {
                    line = next_line;
                    if let Some(next_file) = next_file {
                        file = next_file;
                    }
                }
                None => line += 1,
            }
            start = end;
        }
    }

    /// The declaration that `name` means at offset `at`.
    pub fn find(&self, ast: &Ast, name_space: NameSpace, name: Sym, at: u32) -> Option<NodeId> {
        let candidates = self.named.get(&(name_space, name))?;
        let visible = |candidate: &&Candidate| {
            let (begin, end) = candidate.scope;
            if name_space == NameSpace::Object && candidate.from >= at {
                return false;
            }
            candidate.scope == FILE_SCOPE || (begin <= at && at < end && candidate.from <= at)
        };
        candidates
            .iter()
            .filter(visible)
            .max_by_key(|candidate| {
                let node = ast.node(candidate.declaration);
                (candidate.scope.0, node.has(Flags::COMPLETE), candidate.from)
            })
            .map(|candidate| candidate.declaration)
    }

    /// True when what `name` means depends on the place.
    pub fn is_local(&self, name_space: NameSpace, name: Sym) -> bool {
        self.named
            .get(&(name_space, name))
            .is_some_and(|all| all.iter().any(|candidate| candidate.scope != FILE_SCOPE))
    }

    /// The unnamed tag that clang describes as being at `file:line:column`.
    pub fn find_unnamed(&self, place: &str) -> Option<NodeId> {
        let mut parts = place.rsplitn(3, ':');
        let column = parts.next()?.trim().parse().ok()?;
        let line = parts.next()?.parse().ok()?;
        let file = parts.next().unwrap_or("");
        let found = self.unnamed.get(&(line, column))?;
        match found.as_slice() {
            [(_, only)] => Some(*only),
            several => several
                .iter()
                .find(|(name, _)| name == file)
                .map(|(_, tag)| *tag),
        }
    }
}

/// Line and file that the next line has, when `row` is a linemarker or a `#line` directive.
fn line_marker(row: &[u8]) -> Option<(u32, Option<String>)> {
    let row = row.trim_ascii_start();
    if row.first() != Some(&b'#') {
        return None;
    }
    let row = String::from_utf8_lossy(row);
    let rest = row.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").map_or(rest, str::trim_start);
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let line = rest[..digits].parse().ok()?;
    let file = rest[digits..]
        .trim_start()
        .strip_prefix('"')
        .and_then(|rest| {
            let end = rest.rfind('"')?;
            Some(rest[..end].replace("\\\"", "\"").replace("\\\\", "\\"))
        });
    Some((line, file))
}

#[cfg(test)]
mod tests {
    use super::line_marker;

    #[test]
    fn linemarkers_of_both_spellings() {
        assert_eq!(
            line_marker(b"# 12 \"a.c\" 2 3\n"),
            Some((12, Some("a.c".into())))
        );
        assert_eq!(line_marker(b"#line 7\n"), Some((7, None)));
        assert_eq!(line_marker(b"#pragma acc loop\n"), None);
        assert_eq!(line_marker(b"int x;\n"), None);
    }
}
