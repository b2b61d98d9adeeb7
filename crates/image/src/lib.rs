//! Sites and images: what the runtime must know of a translation unit.
//!
//! A *site* is a directive that calls the runtime. `lower-acc` describes each one as a [`Site`]; the front end turns its
//! [`WordSource`]s into the words that the host passes, and [`print`] writes the static tables of the companion object, in
//! the form that [`accrue_abi`] defines.

pub mod print;
pub mod site;

pub use site::*;
