//! Attributes that passes leave for later passes.

use pliron::{
    attribute::Attribute,
    context::{Context, Ptr},
    derive::pliron_attr,
    dict_key,
    identifier::Identifier,
    operation::Operation,
};

/// An extent of a variable-length array that a kernel gets as an argument.
#[pliron::derive::format]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct ExtentArgument {
    /// The array variable.
    pub name: String,
    /// Its dimension, from 0.
    pub dim: u32,
}

/// The extents that the kernels of a construct get, after its variables.
#[pliron_attr(
    name = "lower.extents",
    format = "`[` vec($0, CharSpace(`,`)) `]`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Debug, Hash, Default)]
pub struct ExtentArguments(pub Vec<ExtentArgument>);

/// The phase of a `kernels` construct that an operation of its region belongs to.
#[pliron_attr(name = "lower.phase", format = "$0", verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub struct Phase(pub u32);

/// How many elements from the first on the data clause of each kernel parameter names; 0 when it says that in another way.
#[pliron_attr(
    name = "lower.lengths",
    format = "`[` vec($0, CharSpace(`,`)) `]`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Debug, Hash, Default)]
pub struct ParameterLengths(pub Vec<u64>);

/// The function is a version of a kernel whose loop is covered by the grid.
#[pliron_attr(name = "lower.covers", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Debug, Hash, Default)]
pub struct Covers {
    /// The function that is right for any grid.
    pub kernel: String,
    /// A loop of the nest was spread over workers.
    pub workers: bool,
}

dict_key!(COVERS, "lower_covers");
dict_key!(EXTENTS, "lower_extents");
dict_key!(LENGTHS, "lower_lengths");
dict_key!(PHASE, "lower_phase");

/// The attribute `key` of `op`.
pub fn get<T: Attribute + Clone>(ctx: &Context, op: Ptr<Operation>, key: &Identifier) -> Option<T> {
    op.deref(ctx).attributes.get::<T>(key).cloned()
}

/// Sets the attribute `key` of `op`.
pub fn set<T: Attribute>(ctx: &Context, op: Ptr<Operation>, key: &Identifier, value: T) {
    op.deref_mut(ctx).attributes.set(key.clone(), value);
}

/// Removes the attribute `key` of `op`.
pub fn remove(ctx: &Context, op: Ptr<Operation>, key: &Identifier) {
    op.deref_mut(ctx).attributes.0.remove(key);
}
