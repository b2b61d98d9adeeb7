//! The grammar of OpenACC 3.4: the words of a directive to a typed [`Directive`].

pub mod ast;
pub mod diagnostic;
pub mod span;

pub use ast::*;
pub use diagnostic::{Diagnostic, Label, Severity};
pub use span::Span;

/// Parses the text of one directive, without its sentinel (`#pragma acc`, `!$acc`), and checks the rules that
/// need no knowledge of the host program. All spans are byte ranges of `text`.
///
/// # Errors
/// Every mistake that was found, in the order of the text.
pub fn parse(text: &str, language: Language) -> Result<Directive, Vec<Diagnostic>> {
    let _ = (text, language);
    Err(Vec::new())
}
