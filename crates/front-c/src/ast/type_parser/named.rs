//! Types that a type string names: tags, with and without a name, and typedefs.
//!
//! ```text
//! struct node                                   the tag that is visible there
//! struct (unnamed struct at a.c:3:9)            the declaration at that place
//! size_t                                        what its typedef says
//! ```

use super::super::node::{Kind, NodeId};
use super::super::scope::NameSpace;
use super::super::types::{CType, QualType, TypeError};
use super::{MAX_DEPTH, Parser};

impl Parser<'_, '_> {
    /// What follows `struct`, `union` or `enum`.
    pub(super) fn tag(&mut self) -> Result<QualType, TypeError> {
        // Members' types are printed with the record around them: `struct S::(unnamed at …)`.
        loop {
            self.skip_spaces();
            if self.rest().starts_with('(') {
                return self.unnamed_tag();
            }
            let name = self.peek_word().to_owned();
            if name.is_empty() {
                return Err(self.error());
            }
            self.pos += name.len();
            if self.eat("::") {
                continue;
            }
            return match self.find(NameSpace::Tag, &name) {
                Some(declaration) => Ok(self.tag_type(declaration)),
                // An unnamed tag is printed with the name of its typedef.
                None => self.typedef(&name),
            };
        }
    }

    /// `(unnamed struct at file:line:column)`, in any clang's wording.
    fn unnamed_tag(&mut self) -> Result<QualType, TypeError> {
        let end = self.behind_bracket().ok_or_else(|| self.error())?;
        let inside = &self.text[self.pos + 1..end - 1];
        let place = inside.split_once(" at ").ok_or_else(|| self.error())?.1;
        let declaration = self
            .types
            .names
            .find_unnamed(place)
            .ok_or_else(|| self.error())?;
        self.pos = end;
        Ok(self.tag_type(declaration))
    }

    fn tag_type(&mut self, declaration: NodeId) -> QualType {
        let ty = match self.types.ast.kind(declaration) {
            Kind::EnumDecl => CType::Enum(declaration),
            _ => CType::Record(declaration),
        };
        self.types.intern(ty).into()
    }

    pub(super) fn find(&mut self, name_space: NameSpace, name: &str) -> Option<NodeId> {
        let name = self.types.ast.names.find(name)?;
        self.same_everywhere &= !self.types.names.is_local(name_space, name);
        self.types
            .names
            .find(self.types.ast, name_space, name, self.at)
    }

    /// The type a typedef name stands for.
    pub(super) fn typedef(&mut self, name: &str) -> Result<QualType, TypeError> {
        if let Some(declaration) = self.find(NameSpace::Typedef, name) {
            return self.typedef_type(declaration);
        }
        // A record without its keyword: `T` after desugaring `typedef struct {…} T`.
        if let Some(declaration) = self.find(NameSpace::Tag, name) {
            return Ok(self.tag_type(declaration));
        }
        if name.starts_with("__") {
            return Ok(self.types.intern(CType::Builtin).into());
        }
        Err(TypeError::UnknownName(name.to_owned()))
    }

    fn typedef_type(&mut self, declaration: NodeId) -> Result<QualType, TypeError> {
        let ast = self.types.ast;
        // The type nodes below a typedef name the tag directly, which serves the unnamed ones.
        let mut below = ast.child(declaration, 0);
        while let Some(node) = below {
            if matches!(ast.kind(node), Kind::RecordType | Kind::EnumType)
                && let Some(tag) = ast.referenced(node)
            {
                let mut ty = self.tag_type(self.definition(tag));
                let written = ast.text(ast.node(declaration).ty.written);
                ty.is_const = written.starts_with("const ");
                ty.is_volatile = written.contains("volatile ");
                return Ok(ty);
            }
            if !matches!(ast.kind(node), Kind::ElaboratedType | Kind::QualType) {
                break;
            }
            below = ast.child(node, 0);
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error());
        }
        let node = ast.node(declaration);
        let text = if node.ty.desugared.is_some() {
            node.ty.desugared
        } else {
            node.ty.written
        };
        self.types.parse(text, node.at)
    }

    /// The complete declaration of a tag that may have been declared before it was defined.
    fn definition(&self, tag: NodeId) -> NodeId {
        let ast = self.types.ast;
        let node = ast.node(tag);
        match node.name.is_some() {
            true => self
                .types
                .names
                .find(ast, NameSpace::Tag, node.name, node.at)
                .unwrap_or(tag),
            false => tag,
        }
    }
}
