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
//! must have a name at the end of the text: one without, or inside a function, has no assertion. The place of a bit-field
//! cannot be asked for.

use super::functions::Module;
use crate::ast::constant;
use crate::ast::node::{Flags, Kind, NodeId};
use crate::ast::scope::NameSpace;
use crate::ast::types::{CType, TypeId};
use crate::text::host::Assertion;
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;

/// Holds wherever this reader's types hold.
const FUNDAMENTAL: &str = "sizeof(short)==2&&sizeof(int)==4&&sizeof(long)==8&&sizeof(long long)==8&&sizeof(void*)==8&&\
sizeof(float)==4&&sizeof(double)==8&&sizeof(long double)==16&&sizeof(1.0)==8&&\
_Alignof(long long)==8&&_Alignof(double)==8&&_Alignof(long double)==16";

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
        let used: BTreeSet<NodeId> = std::mem::take(&mut self.used);
        let ast = self.source.ast;
        let is_constant = |node: &NodeId| ast.kind(*node) == Kind::EnumConstantDecl;
        let nameable = match used.iter().any(is_constant) {
            true => self.types.constants_at_end(),
            false => HashSet::new(),
        };
        for declaration in used {
            let text = match ast.kind(declaration) {
                Kind::RecordDecl => self.record_assertion(declaration),
                Kind::EnumDecl => self.enum_assertion(declaration),
                Kind::EnumConstantDecl if nameable.contains(&declaration) => {
                    self.constant_assertion(declaration)
                }
                _ => None,
            };
            if let Some((condition, what)) = text {
                all.push(assertion(
                    self.place_of_declaration(declaration),
                    condition,
                    &what,
                ));
            }
        }
        all
    }

    fn record_assertion(&mut self, declaration: NodeId) -> Option<(String, String)> {
        let layout = self.types.layout(declaration).ok()?;
        let name = self.name_at_end(declaration)?;
        let (size, align) = (layout.size, layout.align);
        let mut text = format!("sizeof({name})=={size}&&_Alignof({name})=={align}");
        for (field, place) in layout.record.fields.iter().zip(&layout.places) {
            if place.width.is_none() && field.name.is_some() {
                let field = self.source.ast.text(field.name);
                let offset = place.bit / 8;
                // Writing to a string cannot fail.
                let _ = write!(text, "&&__builtin_offsetof({name},{field})=={offset}");
            }
        }
        Some((text, format!("`{name}` has another layout")))
    }

    fn enum_assertion(&mut self, declaration: NodeId) -> Option<(String, String)> {
        let name = self.name_at_end(declaration)?;
        let ty = self.types.enum_type(declaration).ok()?;
        let size = self.types.size_of(ty).ok()?;
        let signed = match self.types.get(ty) {
            CType::Int { signed, .. } => u8::from(*signed),
            _ => return None,
        };
        let text = format!("sizeof({name})=={size}&&(({name})-1<0)=={signed}");
        Some((text, format!("`{name}` has another size or sign")))
    }

    fn constant_assertion(&mut self, declaration: NodeId) -> Option<(String, String)> {
        let name = self.source.ast.name(declaration);
        let value = constant::enum_constant(&mut self.types, declaration)?;
        // The smallest numbers cannot be written as one literal.
        let value = i64::try_from(value)
            .ok()
            .filter(|value| *value != i64::MIN)?;
        Some((
            format!("{name}=={value}"),
            format!("`{name}` has another value"),
        ))
    }

    /// How the type is named at the end of the text.
    fn name_at_end(&mut self, declaration: NodeId) -> Option<String> {
        let ast = self.source.ast;
        let node = ast.node(declaration);
        if !node.name.is_some() {
            let typedef = self.types.typedef_at_end(declaration)?;
            return Some(ast.name(typedef).to_owned());
        }
        let keyword = match node.kind {
            Kind::EnumDecl => "enum",
            _ if node.has(Flags::UNION) => "union",
            _ => "struct",
        };
        let found = self.types.at_end(NameSpace::Tag, node.name)?;
        (found == declaration).then(|| format!("{keyword} {}", ast.name(declaration)))
    }

    /// Where the user's declaration is in the preprocessed text.
    fn place_of_declaration(&self, declaration: NodeId) -> Option<usize> {
        let begin = self.source.ast.node(declaration).begin as usize;
        Some(self.preprocessed(begin..begin + 1).start)
    }
}

fn assertion(offset: Option<usize>, condition: String, what: &str) -> Assertion {
    Assertion {
        offset,
        condition,
        message: format!("accrue: {what} for this compiler than in OpenACC regions; {WAY_OUT}"),
    }
}
