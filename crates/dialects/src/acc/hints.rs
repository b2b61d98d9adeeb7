//! Directives and clauses that become no operation, since nothing is made of them: what is left is that the user gets to know.
//!
//! ```text
//! #pragma acc cache(b[i:1])      →    core.for … [acc_hints: [Cache 16]]      on what is around it, with the line
//! ```

use accrue_ir::keys;
use pliron::{
    builtin::attr_interfaces::OutlinedAttr,
    context::{Context, Ptr},
    derive::{attr_interface_impl, format, pliron_attr},
    operation::Operation,
};

keys! {
    /// Of an operation with a region, or of a function.
    HINTS "acc_hints": Hints;
}

/// What nothing is made of.
#[format]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum HintKind {
    /// The `cache` directive (OpenACC 3.4, section 2.10).
    Cache,
    /// The `nohost` clause of `routine` (2.15.1).
    Nohost,
}

/// A hint and its line.
#[format("$kind ` ` $line")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub struct Hint {
    pub kind: HintKind,
    pub line: u32,
}

/// The hints about an operation.
#[pliron_attr(
    name = "acc.hints",
    format = "`[` vec($0, CharSpace(`,`)) `]`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Debug, Hash, Default)]
pub struct Hints(pub Vec<Hint>);

/// Operations of all kinds have it, also those whose text has no room for attributes: it is printed behind all of them.
#[attr_interface_impl]
impl OutlinedAttr for Hints {}

/// Adds a hint about `op`.
pub fn add_hint(ctx: &Context, op: Ptr<Operation>, hint: Hint) {
    let mut hints = HINTS.get(ctx, op).unwrap_or_default();
    if !hints.0.contains(&hint) {
        hints.0.push(hint);
    }
    HINTS.set(ctx, op, hints);
}
