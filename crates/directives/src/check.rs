//! The restrictions of OpenACC 3.4 that can be checked on the directive alone.
//!
//! [`matrix`] walks the tables of [`crate::table`]: how often, where, together with what. [`rules`] holds the rules
//! that look at arguments.

mod matrix;
mod rules;

use crate::Diagnostic;
use crate::ast::Directive;
use crate::scan::Text;

/// What is wrong with a directive that has been parsed. `complete` says that no clause was dropped because of a
/// mistake in it; only then can one be missing.
pub(crate) fn check(text: Text<'_>, directive: &Directive, complete: bool) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    matrix::placement(directive, &mut found);
    matrix::repetition(text, directive, &mut found);
    matrix::exclusions(text, directive, &mut found);
    if complete {
        matrix::required(directive, &mut found);
    }
    rules::check(text, directive, &mut found);
    found
}
