//! What OpenMP says of a mapped object's place beyond OpenACC's clauses.
//!
//! ```text
//! #pragma omp target map(present, to: a)      →    %a = acc.copyin … [acc_presence: Required]
//! #pragma omp target has_device_addr(x)       →    %x = acc.present … [acc_presence: OnDevice]
//! ```

use accrue_ir::keys;
use pliron::{
    builtin::attr_interfaces::OutlinedAttr,
    derive::{attr_interface_impl, pliron_attr},
};

keys! {
    /// Of a data operation.
    PRESENCE "acc_presence": Presence;
}

/// Where the object of a data operation is.
#[pliron_attr(name = "acc.presence", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum Presence {
    /// It must be present; the clause says what is done with it (OpenMP 5.2, section 5.8.3).
    Required,
    /// The host's expression has its address on the device (5.4.9): nothing is looked up.
    OnDevice,
    /// A struct around members that a directive maps: it counts where it is not mapped by itself.
    Around,
    /// In memory of the construct's own: the program has no such variable.
    Own,
}

/// Operations of all kinds have it: it is printed behind all of them.
#[attr_interface_impl]
impl OutlinedAttr for Presence {}
