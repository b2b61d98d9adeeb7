//! What front ends say of a whole module: attributes of the `builtin.module`.
//!
//! ```text
//! builtin.module @heat_c [core_unit: "5f…", core_aliasing: core.aliasing EffectiveTypes] { … }
//! ```
//! Languages differ in these things, and options of compilers change them; passes and back ends ask here.
//! Symbols are linkage names: two modules that are linked have the same symbol only for the same thing.

use super::{float_width, int_width, pointee_of};
use accrue_abi::symbols::of_unit;
use accrue_ir::keys;
use pliron::{
    builtin::attributes::StringAttr,
    context::{Context, Ptr},
    derive::pliron_attr,
    operation::Operation,
    r#type::TypeHandle,
};

keys! {
    /// The unit that the module is of: a number that no other unit of a program has.
    UNIT "core_unit": StringAttr;
    /// Sizes and alignments of scalars.
    DATA_LAYOUT "core_data_layout": DataLayout;
    /// Which accesses never meet because of their types.
    ALIASING "core_aliasing": Aliasing;
}

/// The symbol of what only the module's unit has, such as a `static` function; `name` itself, if the module does not say which
/// unit it is.
pub fn symbol_in_unit(ctx: &Context, module: Ptr<Operation>, name: &str) -> String {
    match UNIT.get(ctx, module) {
        Some(unit) => of_unit(name, &String::from(unit)),
        None => name.to_string(),
    }
}

/// What the types of two accesses say about whether they meet.
#[pliron_attr(name = "core.aliasing", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash, Default)]
pub enum Aliasing {
    /// Nothing.
    #[default]
    Any,
    /// An object is accessed with one type, but for characters and for integers of both signs.
    EffectiveTypes,
}

/// Sizes and alignments of scalars, where machines and languages differ. A scalar is aligned to its size, rounded down to a power
/// of two, as far as `most_align` goes.
#[pliron_attr(name = "core.data_layout", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub struct DataLayout {
    pub pointer_bytes: u64,
    /// A float of 80 bits in memory.
    pub extended_bytes: u64,
    pub most_align: u64,
}

impl DataLayout {
    /// System V's for x86-64, and AArch64's.
    pub const LP64: DataLayout = DataLayout {
        pointer_bytes: 8,
        extended_bytes: 16,
        most_align: 16,
    };

    /// What holds in a module; [`DataLayout::LP64`], if its front end does not say.
    pub fn of_module(ctx: &Context, module: Ptr<Operation>) -> Self {
        DATA_LAYOUT.get(ctx, module).unwrap_or_default()
    }

    /// The alignment of a scalar of so many bytes.
    pub fn scalar_align(self, bytes: u64) -> u64 {
        let power = 1 << bytes.max(1).ilog2();
        self.most_align.min(power)
    }
}

impl Default for DataLayout {
    fn default() -> Self {
        DataLayout::LP64
    }
}

impl Aliasing {
    /// What holds in a module; nothing, if its front end does not say.
    pub fn of_module(ctx: &Context, module: Ptr<Operation>) -> Self {
        ALIASING.get(ctx, module).unwrap_or_default()
    }

    /// Whether accesses with these types never meet, unless they are to members of a union: integers wider than a character, floats and pointers
    /// are no objects of another's type, and none of the same kind with another size.
    pub fn tells_apart(self, ctx: &Context, a: TypeHandle, b: TypeHandle) -> bool {
        match self {
            Aliasing::Any => return false,
            Aliasing::EffectiveTypes => {}
        }
        #[derive(PartialEq)]
        enum Kind {
            Integer(u32),
            Float(u32),
            Pointer,
        }
        let kind = |t| {
            let integer = int_width(ctx, t).filter(|width| *width > 8);
            let float = float_width(ctx, t).map(Kind::Float);
            let pointer = pointee_of(ctx, t).map(|_| Kind::Pointer);
            integer.map(Kind::Integer).or(float).or(pointer)
        };
        matches!((kind(a), kind(b)), (Some(a), Some(b)) if a != b)
    }
}
