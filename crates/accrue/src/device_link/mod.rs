//! Device code across units: what an object carries of its unit's code for the link, and what the link makes of it.
//!
//! ```text
//! b.c, whose routines others may call                 a.c, whose regions call another unit's routine
//!     │ import, passes up to `par-loops`                  │ the same            │ host text, as ever
//!     ▼                                                   ▼                     ▼
//! b.o: host code, companion, record of its routines   a.o: host code, record of its regions; no companion
//!                         └───────────────┬───────────────────┘
//!                        accrue cc a.o b.o│ -o app
//!                                         ▼
//!                    a.c's regions with the routines they reach ──passes──▶ a.c's companion ──▶ app
//! ```
//! What a directive passes to the library is decided before the routines are known, and stands in the host's text; what kernels are is
//! decided at the link, from the texts of the IR in the records ([`accrue_pipeline::linked`]). A unit whose regions call no other unit's
//! routine is complete, and any linker links its object. One that is not refers to symbols that nobody defines, whose names say what to do.
//!
//! | file | concern |
//! | --- | --- |
//! | [`unit`] | the record of a unit that is being compiled |
//! | [`record`] | how records stand in objects |
//! | [`resolve`] | which units' routines a unit's regions need |
//! | [`complete`] | the missing companion |

pub mod complete;
pub mod record;
pub mod resolve;
pub mod unit;
