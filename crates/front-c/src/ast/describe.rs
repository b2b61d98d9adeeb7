//! Types as text, for messages. Declarators are written from the inside out, `int[3] *` rather than
//! `int (*)[3]`: what a message needs is that different types look different.

use super::names::Sym;
use super::node::Flags;
use super::types::{ArrayLength, CType, FloatRank, IntRank, QualType, TypeId, Types};

/// The text of a type.
pub fn describe(types: &Types<'_>, ty: TypeId) -> String {
    let named = |keyword: &str, name: Sym| match types.ast.text(name) {
        "" => format!("{keyword} (unnamed)"),
        name => format!("{keyword} {name}"),
    };
    match types.get(ty) {
        CType::Void => "void".into(),
        CType::Bool => "_Bool".into(),
        CType::Int { rank, signed } => {
            let name = match rank {
                IntRank::PlainChar => return "char".into(),
                IntRank::Char => "char",
                IntRank::Short => "short",
                IntRank::Int => "int",
                IntRank::Long => "long",
                IntRank::LongLong => "long long",
                IntRank::Int128 => "__int128",
            };
            match (rank, signed) {
                (IntRank::Char, true) => "signed char".into(),
                (_, true) => name.into(),
                (_, false) => format!("unsigned {name}"),
            }
        }
        CType::Float(rank) => float_name(*rank).into(),
        CType::Complex(rank) => format!("_Complex {}", float_name(*rank)),
        CType::Pointer(target) => format!("{} *", qualified(types, *target)),
        CType::Array { element, length } => {
            let length = match length {
                ArrayLength::Fixed(length) => length.to_string(),
                ArrayLength::Unknown => String::new(),
                ArrayLength::Variable(text) => types.length_text(*text).to_owned(),
            };
            format!("{}[{length}]", qualified(types, *element))
        }
        CType::Function {
            result,
            parameters,
            variadic,
        } => {
            let mut parameters: Vec<String> = parameters
                .iter()
                .map(|parameter| qualified(types, *parameter))
                .collect();
            parameters.extend(variadic.then(|| "...".to_owned()));
            format!("{} ({})", qualified(types, *result), parameters.join(", "))
        }
        CType::Record(declaration) => {
            let node = types.ast.node(*declaration);
            let union = node.has(Flags::UNION);
            named(if union { "union" } else { "struct" }, node.name)
        }
        CType::Enum(declaration) => named("enum", types.ast.node(*declaration).name),
        CType::Vector(element, bytes) => {
            format!("vector of {bytes} bytes of {}", describe(types, element.ty))
        }
        CType::Builtin => "a type of the compiler's own".into(),
    }
}

/// A type with its `const`.
fn qualified(types: &Types<'_>, ty: QualType) -> String {
    let text = describe(types, ty.ty);
    match (ty.is_const, types.get(ty.ty)) {
        (false, _) => text,
        (true, CType::Pointer(_)) => format!("{text}const"),
        (true, _) => format!("const {text}"),
    }
}

fn float_name(rank: FloatRank) -> &'static str {
    match rank {
        FloatRank::Half => "_Float16",
        FloatRank::Float => "float",
        FloatRank::Double => "double",
        FloatRank::LongDouble => "long double",
        FloatRank::Float128 => "__float128",
    }
}
