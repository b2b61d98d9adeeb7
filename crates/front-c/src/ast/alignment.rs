//! Alignments that a program asks for by a typedef, or for a variable or a member.
//!
//! ```text
//! typedef int wide __attribute__((aligned(16)));        struct t { char c; wide x[2]; }        x at 16
//! ```
//! A type is its structure, to which a typedef adds nothing: of a declaration the words of its type are read once more. What a typedef asks for
//! may be less than the type's own alignment. Cost: a look-up for each typedef on the way, in units that have such typedefs at all.

use super::names::Sym;
use super::node::{Kind, NodeId};
use super::scope::NameSpace;
use super::types::{TypeError, Types};
use std::collections::HashMap;

impl Types<'_> {
    /// The alignment of what has a type that is written so at offset `at`, or of its elements, if a typedef asks for one.
    pub(super) fn alignment_by_typedef(&mut self, written: Sym, at: u32) -> Option<u64> {
        let asked = match self.aligned_typedefs.take() {
            Some(asked) => asked,
            None => self.all_aligned_typedefs(),
        };
        let found = (!asked.is_empty()).then(|| self.of_words(&asked, written, at));
        self.aligned_typedefs = Some(asked);
        found.flatten()
    }

    /// What the typedef of that name, or one that it is in turn, asks for.
    pub fn named_alignment(&mut self, name: &str) -> Option<u64> {
        let name = self.ast.names.find(name)?;
        self.alignment_by_typedef(name, u32::MAX)
    }

    /// The alignment of the variable or member of a declaration.
    pub(super) fn alignment_of_declared(&mut self, declaration: NodeId) -> Result<u64, TypeError> {
        let ast = self.ast;
        let node = ast.node(declaration);
        let by_typedef = self.alignment_by_typedef(node.ty.written, node.at);
        let mut all = match by_typedef {
            Some(asked) => asked,
            None => {
                let ty = self.of(declaration)?;
                self.align_of(ty.ty)?
            }
        };
        for child in ast.children(declaration) {
            if ast.kind(child) == Kind::AlignedAttr {
                all = all.max(self.alignment_of(child).unwrap_or(1));
            }
        }
        Ok(all)
    }

    fn all_aligned_typedefs(&mut self) -> HashMap<NodeId, u64> {
        let ast = self.ast;
        let mut attributes = vec![];
        ast.walk(ast.root(), &mut |id| {
            if ast.kind(id) == Kind::TypedefDecl {
                let children = ast.children(id);
                let asked = children.filter(|child| ast.kind(*child) == Kind::AlignedAttr);
                attributes.extend(asked.map(|attribute| (id, attribute)));
            }
            true
        });
        let asked = attributes.into_iter();
        asked
            .filter_map(|(id, attribute)| Some((id, self.alignment_of(attribute)?)))
            .collect()
    }

    /// Of `const wide[2]` what `wide` asks for, or the typedef that it is in turn.
    fn of_words(&self, asked: &HashMap<NodeId, u64>, written: Sym, at: u32) -> Option<u64> {
        let (mut written, mut at) = (written, at);
        loop {
            let text = self.ast.text(written).split('[').next()?;
            let words = || text.split_whitespace();
            let names = |word: &&str| !matches!(*word, "const" | "volatile" | "restrict");
            let mut rest = words().filter(names);
            let (Some(name), None) = (rest.next(), rest.next()) else {
                return None;
            };
            let name = self.ast.names.find(name)?;
            let typedef = self.names.find(self.ast, NameSpace::Typedef, name, at)?;
            if let Some(asked) = asked.get(&typedef) {
                return Some(*asked);
            }
            let node = self.ast.node(typedef);
            if node.ty.written == written {
                return None;
            }
            (written, at) = (node.ty.written, node.at);
        }
    }
}
