//! What the compiler tells the user: one mistake, its place in the user's file, the rule, the way out.
//!
//! ```text
//! error: use of undeclared identifier 'm'
//!  --> heat.c:12:31
//!    |
//! 12 | #pragma acc parallel copy(a[0:m])
//!    |                               ^
//! ```
//! The parser of directives knows only bytes of its own text: its diagnostics are at a [`Span`], and who knows where the text
//! comes from moves them to a [`Place`] ([`DiagnosticAt::map_places`]).

mod diagnostic;
mod files;
mod place;
mod render;

pub use diagnostic::{Details, Diagnostic, DiagnosticAt, Severity, Specification, has_errors};
pub use files::SourceFiles;
pub use place::{Place, Position, Span};
pub use render::render;
