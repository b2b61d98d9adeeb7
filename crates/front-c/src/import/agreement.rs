//! What the host's compiler must agree about with the reader, as static assertions at the end of the host's text.
//!
//! Regions find the host's objects where the reader puts them. An option, a pragma or an attribute that only the host's
//! compiler follows would move them, and regions would write over something else. Options that are known to do so are
//! refused or followed (the driver's table); this catches the others, for the types and constants that regions and their
//! clauses use:
//!
//! ```text
//! struct point { enum kind k; double x; };    # 1 "point.c" 3
//!                                             _Static_assert(sizeof(struct point)==16&&…offsetof(struct point,x)==8,"accrue: …");
//! enum kind { RED, GREEN };                   _Static_assert(sizeof(enum kind)==4&&((enum kind)-1<0)==0,"accrue: …");
//! c = GREEN;                                  _Static_assert(GREEN==1,"accrue: …");
//! ```
//!
//! What stands in every unit: the sizes of the fundamental types, the signedness of `char`, the codes of characters. A type
//! without a tag, or of a function, is named by what is declared with it, behind that declaration ([`Nameable`]).
//!
//! The place of a bit-field cannot be asked for in a constant expression. Attributes and pragmas that change it are refused
//! (`foreign_layout.rs`); of options, the compiler's rules tell: where a region uses a record with bit-fields, they are
//! checked at the start of the text, in front of the user's pragmas.

use super::functions::Module;
use super::nameable::Nameable;
use crate::ast::constant;
use crate::ast::layout::RecordLayout;
use crate::ast::node::{Kind, NodeId};
use crate::ast::types::{CType, TypeId};
use crate::text::host::{Assertion, Stand};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Holds wherever this reader's types hold.
const FUNDAMENTAL: &str = "sizeof(short)==2&&sizeof(int)==4&&sizeof(long)==8&&sizeof(long long)==8&&sizeof(void*)==8&&\
sizeof(float)==4&&sizeof(double)==8&&sizeof(long double)==16&&sizeof(1.0)==8&&\
_Alignof(long long)==8&&_Alignof(double)==8&&_Alignof(long double)==16";

/// The rules of bit-fields: members of different types share bytes, a bit-field does not cross a boundary of its type, one
/// without width ends the byte, `int` has a sign.
const BIT_FIELDS: &str = "sizeof(struct{char a:4;int b:4;})==4&&sizeof(struct{int a:20;int b:20;})==8&&\
sizeof(struct{char a:1;char:0;char b:1;})==2&&sizeof(struct{char a;int b:24;})==4&&\
__builtin_types_compatible_p(__typeof__(+((struct{int b:32;}*)0)->b),int)";

/// A message's end: the way out.
const WAY_OUT: &str = "leave out the option, pragma or attribute that changes it, or compile this file with -fno-openacc";

impl Module<'_> {
    /// Notes that a region or clause uses a record, an enumeration or one of its constants.
    pub fn note_use(&mut self, declaration: NodeId) {
        self.used.insert(declaration);
    }

    /// Notes the record or enumeration that a clause's variable is, points to or consists of.
    pub fn note_type(&mut self, ty: TypeId) {
        let mut inner = ty;
        while let Some(next) = self.types.pointee(inner) {
            inner = next.ty;
        }
        if let CType::Record(declaration) | CType::Enum(declaration) = self.types.get(inner) {
            self.note_use(*declaration);
        }
    }

    /// Whether what is imported runs on a device.
    pub fn in_device_code(&self) -> bool {
        self.function.strict || self.function.construct != 0
    }

    /// The assertions of the unit.
    pub fn assertions(&mut self) -> Vec<Assertion> {
        let sign = match self.types.target.char_is_signed {
            true => "<0",
            false => ">0",
        };
        let mut all = vec![
            assertion(
                None,
                FUNDAMENTAL.to_string(),
                "the fundamental types have other sizes",
            ),
            assertion(
                None,
                format!("(char)-1{sign}"),
                "plain `char` has another sign",
            ),
            assertion(
                None,
                r"'A'==65&&'a'==97&&'0'==48&&'\n'==10".to_string(),
                "characters have other codes",
            ),
        ];
        let used = std::mem::take(&mut self.used);
        if used.is_empty() {
            return all;
        }
        let nameable = Nameable::new(self.source.ast);
        for declaration in self.with_records_around(used, &nameable) {
            let kind = self.source.ast.kind(declaration);
            let found = match kind {
                Kind::RecordDecl => self.record_assertion(declaration, &nameable),
                Kind::EnumDecl => self.enum_assertion(declaration, &nameable),
                Kind::EnumConstantDecl => self.constant_assertion(declaration, &nameable),
                _ => None,
            };
            let offset = self.place_of_declaration(declaration);
            if let Some((stand, condition, what)) = found {
                all.push(Assertion {
                    stand: self.in_preprocessed(stand),
                    ..assertion(offset, condition, &what)
                });
            }
            if kind == Kind::RecordDecl && self.has_bit_fields(declaration) {
                let name = nameable.name(&mut self.types, declaration);
                let name = name.map_or("a record".to_owned(), |name| name.shown);
                let what = format!("bit-fields of {name} have other places or another sign");
                all.push(Assertion {
                    stand: Stand::Start,
                    ..assertion(offset, BIT_FIELDS.to_owned(), &what)
                });
            }
        }
        all
    }

    /// The declarations, and the records in which those among them that are members without a name lie.
    fn with_records_around(&self, used: BTreeSet<NodeId>, nameable: &Nameable) -> BTreeSet<NodeId> {
        let ast = self.source.ast;
        let is_record = |node: &NodeId| ast.kind(*node) == Kind::RecordDecl;
        let mut all = used.clone();
        for mut declaration in used {
            while let Some(around) = nameable.parent(declaration).filter(is_record)
                && ast.name(declaration).is_empty()
            {
                all.insert(around);
                declaration = around;
            }
        }
        all
    }

    fn has_bit_fields(&mut self, declaration: NodeId) -> bool {
        let layout = self.types.layout(declaration);
        layout.is_ok_and(|layout| layout.places.iter().any(|place| place.width.is_some()))
    }

    fn record_assertion(
        &mut self,
        declaration: NodeId,
        nameable: &Nameable,
    ) -> Option<(Stand, String, String)> {
        let layout = self.types.layout(declaration).ok()?;
        let name = nameable.name(&mut self.types, declaration)?;
        let (ty, size) = (&name.text, layout.size);
        let align = self.types.named_alignment(ty).unwrap_or(layout.align);
        let mut text = format!("sizeof({ty})=={size}&&_Alignof({ty})=={align}");
        for (member, offset) in self.members(&layout, 0) {
            // Writing to a string cannot fail.
            let _ = write!(text, "&&__builtin_offsetof({ty},{member})=={offset}");
        }
        let what = format!("{} has another layout", name.shown);
        Some((name.stand, text, what))
    }

    /// The named members with their offsets, in members without name as well, but for bit-fields.
    fn members(&mut self, layout: &RecordLayout, start: u64) -> Vec<(String, u64)> {
        let mut found = vec![];
        let fields = layout.record.fields.iter().zip(&layout.places);
        for (field, place) in fields.filter(|(_, place)| place.width.is_none()) {
            let offset = start + place.bit / 8;
            if field.name.is_some() {
                found.push((self.source.ast.text(field.name).to_owned(), offset));
            } else if let CType::Record(inner) = *self.types.get(field.ty.ty)
                && let Ok(inner) = self.types.layout(inner)
            {
                found.extend(self.members(&inner, offset));
            }
        }
        found
    }

    fn enum_assertion(
        &mut self,
        declaration: NodeId,
        nameable: &Nameable,
    ) -> Option<(Stand, String, String)> {
        let name = nameable.name(&mut self.types, declaration)?;
        let ty = self.types.enum_type(declaration).ok()?;
        let size = self.types.size_of(ty).ok()?;
        let signed = match self.types.get(ty) {
            CType::Int { signed, .. } => u8::from(*signed),
            _ => return None,
        };
        let ty = &name.text;
        let text = format!("sizeof({ty})=={size}&&(({ty})-1<0)=={signed}");
        let what = format!("{} has another size or sign", name.shown);
        Some((name.stand, text, what))
    }

    fn constant_assertion(
        &mut self,
        declaration: NodeId,
        nameable: &Nameable,
    ) -> Option<(Stand, String, String)> {
        let stand = nameable.stand_of_constant(declaration)?;
        let name = self.source.ast.name(declaration);
        let value = constant::enum_constant(&mut self.types, declaration)?;
        // The smallest numbers cannot be written as one literal.
        let value = i64::try_from(value)
            .ok()
            .filter(|value| *value != i64::MIN)?;
        Some((
            stand,
            format!("{name}=={value}"),
            format!("`{name}` has another value"),
        ))
    }

    /// The same place in the preprocessed text.
    fn in_preprocessed(&self, stand: Stand) -> Stand {
        let end = |offset: usize| self.preprocessed(offset.saturating_sub(1)..offset).end;
        match stand {
            Stand::Behind(offset) => Stand::Behind(end(offset)),
            Stand::Condition(offset) => Stand::Condition(end(offset)),
            Stand::Start | Stand::End => stand,
        }
    }

    /// Where the user's declaration is in the preprocessed text.
    fn place_of_declaration(&self, declaration: NodeId) -> Option<usize> {
        let begin = self.source.ast.node(declaration).begin as usize;
        Some(self.preprocessed(begin..begin + 1).start)
    }
}

fn assertion(offset: Option<usize>, condition: String, what: &str) -> Assertion {
    Assertion {
        stand: Stand::End,
        offset,
        condition,
        message: format!("accrue: {what} for this compiler than in OpenACC regions; {WAY_OUT}"),
    }
}
