//! `typeof` in type strings: clang prints what is inside a pointer or an array as the user has written it.
//!
//! ```text
//! typeof (v) *                 pointer to the type of the variable v
//! typeof (*rows[i]) [4]        array of what an element of rows points to
//! typeof(struct node) *        pointer to the type
//! ```
//! Names, `*`, `&`, subscripts and members are understood. Each name is looked up in front of the place of use, so that a declaration that names
//! itself (`extern typeof(f) f;`) comes to an end. Cost: linear in the text.

use super::super::scope::NameSpace;
use super::super::types::{CType, QualType, TypeError};
use super::{MAX_DEPTH, Parser};

/// What `typeof` is called.
pub(super) const SPELLINGS: [&str; 3] = ["typeof", "__typeof__", "__typeof"];

impl Parser<'_, '_> {
    /// What follows `typeof`, in parentheses.
    pub(super) fn type_of_operand(&mut self) -> Result<QualType, TypeError> {
        if !self.eat("(") {
            return Err(self.error());
        }
        let start = self.pos;
        let known = (self.same_everywhere, self.depth);
        if let Ok(ty) = self.operand()
            && self.eat(")")
        {
            self.same_everywhere = false;
            return Ok(ty);
        }
        self.pos = start;
        (self.same_everywhere, self.depth) = known;
        self.nested_type()
    }

    /// The type of an expression.
    fn operand(&mut self) -> Result<QualType, TypeError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error());
        }
        let ty = if self.eat("*") {
            let pointer = self.operand()?;
            self.target_of(pointer)?
        } else if self.eat("&") {
            let object = self.operand()?;
            self.types.intern(CType::Pointer(object)).into()
        } else {
            self.postfix_operand()?
        };
        self.depth -= 1;
        Ok(ty)
    }

    fn postfix_operand(&mut self) -> Result<QualType, TypeError> {
        let mut ty = match self.eat("(") {
            true => {
                let inner = self.operand()?;
                match self.eat(")") {
                    true => inner,
                    false => return Err(self.error()),
                }
            }
            false => self.named_object()?,
        };
        loop {
            self.skip_spaces();
            if self.rest().starts_with('[') {
                self.pos = self.behind_bracket().ok_or_else(|| self.error())?;
                ty = self.target_of(ty)?;
            } else if self.eat("->") {
                let record = self.target_of(ty)?;
                ty = self.member_of(record)?;
            } else if self.eat(".") {
                ty = self.member_of(ty)?;
            } else {
                return Ok(ty);
            }
        }
    }

    /// The type of the member whose name comes next, with the record's qualifiers.
    fn member_of(&mut self, record: QualType) -> Result<QualType, TypeError> {
        let name = self.peek_word().to_owned();
        let CType::Record(declaration) = *self.types.get(record.ty) else {
            return Err(self.error());
        };
        let layout = self.types.layout(declaration)?;
        let ast = self.types.ast;
        let mut fields = layout.record.fields.iter();
        let field = fields.find(|field| ast.text(field.name) == name);
        let mut ty = field.ok_or_else(|| self.error())?.ty;
        ty.is_const |= record.is_const;
        ty.is_volatile |= record.is_volatile;
        self.pos += name.len();
        Ok(ty)
    }

    fn named_object(&mut self) -> Result<QualType, TypeError> {
        let name = self.peek_word().to_owned();
        let Some(declaration) = self.find(NameSpace::Object, &name) else {
            return Err(self.error());
        };
        self.pos += name.len();
        self.types.of(declaration)
    }

    /// What a pointer points to, an element of an array, or the function itself.
    fn target_of(&mut self, ty: QualType) -> Result<QualType, TypeError> {
        match self.types.get(ty.ty) {
            CType::Function { .. } => Ok(ty),
            _ => self.types.pointee(ty.ty).ok_or_else(|| self.error()),
        }
    }
}
