//! What the back ends share: everything between the par level and a target's text that depends on no target.
//!
//! | module | what it has |
//! | --- | --- |
//! | [`at`] | emitting operations one after another |
//! | [`diagnostic`] | what a back end cannot turn into its target's text, and where it stands in the source |
//! | [`fold`] | folding of integer arithmetic with constants |
//! | [`layout`] | size and alignment of types and records |
//! | [`operators`] | identity and combination of reduction operators |

pub mod at;
pub mod diagnostic;
pub mod fold;
pub mod layout;
pub mod operators;
