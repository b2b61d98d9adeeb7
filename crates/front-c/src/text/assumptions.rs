//! Directives that only give hints, `assume` and `assumes` (OpenMP 5.2, section 8.3), and `allocate` with an allocator that promises
//! nothing (6.5), are taken out:
//! the host's compiler may be older than they are, and what stands in them means the same without them.
//!
//! ```text
//! #pragma omp assume no_openmp holds(n > 0)
//! { … }                                          →      { … }
//! ```
//! `holds` is not made use of.
//!
//! Cost: each token is looked at once, in a text with such a directive.

use super::paired_variants::edited;
use super::scan::{Found, find};
use super::sentinel::Sentinel;
use accrue_diag::{Diagnostic, Place};
use accrue_directives::omp::hints::is_plain_allocation;
use accrue_directives::omp::{Assumption, assumption};

/// Writes the text anew; nothing if it has no such directive.
///
/// # Errors
/// What is wrong with them.
pub(super) fn rewritten(text: &[u8], file: &str) -> Result<Option<Vec<u8>>, Vec<Diagnostic>> {
    let words = [&b"assume"[..], b"allocate"];
    let has = |word: &[u8]| text.windows(word.len()).any(|bytes| bytes == word);
    if !words.iter().any(|word| has(word)) {
        return Ok(None);
    }
    let Found {
        lines, directives, ..
    } = find(text, file, |sentinel, _| sentinel == Sentinel::Omp);
    let (mut edits, mut mistakes) = (Vec::new(), Vec::new());
    for directive in directives {
        let start = directive.span.start;
        match assumption(&directive.text) {
            Assumption::None if is_plain_allocation(&directive.text) => {
                edits.push((directive.span, String::new()));
            }
            Assumption::None => {}
            Assumption::Known => edits.push((directive.span, String::new())),
            Assumption::Unknown(clause) => {
                let message = format!("`{clause}` is nothing that can be assumed");
                let place = Place {
                    position: lines.position(start),
                    length: 0,
                };
                let help = "it is `absent`, `contains`, `holds`, `no_openmp`, `no_openmp_constructs`, `no_openmp_routines` or `no_parallelism`";
                let message = Diagnostic::error(message).place(place);
                mistakes.push(message.help(help).openmp("8.3"));
            }
        }
    }
    if edits.is_empty() && mistakes.is_empty() {
        return Ok(None);
    }
    match mistakes.is_empty() {
        true => Ok(Some(edited(text, edits))),
        false => Err(mistakes),
    }
}
