//! What variables of the program hold for its whole run, where the front end knows it.
//!
//! ```text
//! static const int turns[3] = {1, 3, 6};      →      core.address_of @turns … [core_initial_values: [0 is 1, 1 is 3, 2 is 6]]
//! ```

use accrue_ir::keys;
use pliron::derive::{format, pliron_attr};

keys! {
    /// Of the address of a constant variable.
    INITIAL_VALUES "core_initial_values": InitialValues;
}

/// A number of a variable.
#[format]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct InitialValue {
    /// How many numbers are before it.
    pub number: u64,
    /// As in a constant's text.
    pub value: String,
}

/// Those that are known; others may be anything.
#[pliron_attr(
    name = "core.initial_values",
    format = "`[` vec($0, CharSpace(`,`)) `]`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Debug, Hash, Default)]
pub struct InitialValues(pub Vec<InitialValue>);
