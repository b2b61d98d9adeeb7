//! The grammar of OpenACC 3.4: the words of a directive to a typed [`Directive`].
//!
//! ```
//! use accrue_directives::{ClauseKind, DirectiveKind, Language, parse};
//!
//! let text = "parallel loop gang copyin(readonly: a[0:n]) reduction(+: sum)";
//! let directive = parse(text, Language::C).unwrap();
//! assert_eq!(directive.kind, DirectiveKind::ParallelLoop);
//! let copyin = directive.clauses_of(ClauseKind::CopyIn).next().unwrap();
//! assert_eq!(copyin.vars()[0].base.of(text), "a");
//!
//! let errors = parse("parallel copying(a)", Language::C).unwrap_err();
//! assert_eq!(errors[0].details.help.as_deref(), Some("did you mean `copyin`?"));
//! ```
//!
//! The crate knows nothing of the host language: expressions are spans of text, cut at the right commas and colons.
//! Which directive takes which clause, and how often, is one table: [`table`].

pub mod any;
pub mod ast;
pub mod omp;
pub mod sentinel;
pub mod table;

mod check;
mod device;
mod kinds;
mod names;
mod parser;
mod scan;
mod suggest;

pub use accrue_diag::{Severity, Span};
pub use any::AnyDirective;
pub use ast::*;
pub use sentinel::{DirectiveLine, SourceForm, directive_line};

/// A message about a part of the text of a directive.
pub type Diagnostic = accrue_diag::DiagnosticAt<Span>;

/// Parses the text of one directive, without its sentinel (`#pragma acc`, `!$acc`), and checks the rules that
/// need no knowledge of the host program. All spans are byte ranges of `text`.
///
/// # Errors
/// Every mistake that was found, in the order of the text, and warnings beside them.
pub fn parse(text: &str, language: Language) -> Result<Directive, Vec<Diagnostic>> {
    parser::parse(text, language)
}
