//! Loops behind which synchronous constructs are waited for, in the host's text.
//!
//! ```text
//! for (k = 0; k < n; k++) …     →     switch(__accrue_unobserved(1))for(;0;__accrue_unobserved(0))default:for (k = 0; k < n; k++) …
//! ```
//! A prefix alone, as in front of a data region (see [`super::host`]): nothing leaves the loop but at its end.
//!
//! A loop that a pragma of somebody else is about stays as it is: that wants the loop itself behind it. So does one with such
//! pragmas inside, but for those that only tell the host's compiler how to compile: `omp barrier` lets other threads go on.

use super::lexer::TokenKind;
use super::unit::Unit;
use std::ops::Range;

/// What is put in front of a loop.
pub const BEGIN: &str = "switch(__accrue_unobserved(1))for(;0;__accrue_unobserved(0))default:";

/// Whether the loop of the host at `range` has directives inside, and can have something in front.
pub fn can_begin(unit: &Unit, range: &Range<usize>) -> bool {
    let directives = &unit.directives;
    let first = directives.partition_point(|it| it.source.span.start < range.start);
    let has_directives = directives
        .get(first)
        .is_some_and(|it| it.source.span.start < range.end);
    if !has_directives {
        return false;
    }
    let pragmas = &unit.foreign_pragmas;
    let first = pragmas.partition_point(|it| it.start < range.start);
    let mut inside = pragmas[first..]
        .iter()
        .take_while(|it| it.start < range.end);
    let stands_before = pragmas[..first].last().is_some_and(|before| {
        let (from, to) = (
            unit.outline.index_of(before.end),
            unit.outline.index_of(range.start),
        );
        let between = &unit.outline.tokens[from..to];
        between.iter().all(|token| token.kind == TokenKind::Line)
    });
    inside.all(|it| is_about_compiling(&unit.text[it.clone()])) && !stands_before
}

/// Whether the pragma changes nothing of what the program does.
fn is_about_compiling(pragma: &[u8]) -> bool {
    let mut words = pragma
        .split(|byte| !byte.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .skip_while(|word| matches!(*word, b"pragma" | b"_Pragma"));
    matches!(words.next(), Some(b"GCC" | b"clang" | b"STDC"))
}
