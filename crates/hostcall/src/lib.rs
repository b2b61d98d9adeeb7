//! What the host's call for a directive contains, in no language: which site it is, what it maps, and its 64-bit words in order.
//!
//! ```text
//! #pragma acc parallel loop copy(a[0:n]) async(q)         Site { kind: Parallel, vars: [a: Copy, …], … }
//!                                                         Call { header: { queue: Integer(clause 1, item 0), … }, waits: [] }
//!                                                         words of a: Start, Nothing, Lower 0, Length 0, Nothing
//! ```
//!
//! A compute construct's site has kernels, and a kernel has forms of code ([`Kernel`], [`Form`]).
//!
//! The pass `sites` makes it from the IR. A front end only *spells* each word as an expression of its language: C takes an address
//! with `&` and a length with `sizeof`, Fortran has descriptors. Nothing here is text but the names of variables.

mod call;
mod form;
mod join;
mod kernel;
mod reach;
mod section;
mod site;
mod stretch;
mod words;

pub use call::{Call, CallKind, Expression, Word};
pub use form::{Apart, CpuForm, Disjoint, Form, Made, OpenClForm, SimtForm};
pub use kernel::*;
pub use reach::Reach;
pub use section::{Arithmetic, InferredSection, Operator};
pub use site::*;
pub use stretch::Stretches;
pub use words::{Half, VariableWord, arguments};
