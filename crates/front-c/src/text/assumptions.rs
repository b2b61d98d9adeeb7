//! Directives that only give hints, `assume` and `assumes` (OpenMP 5.2, section 8.3), and `allocate` with an allocator that promises
//! nothing (6.5), are taken out, and so is `nothing` (8.4):
//! the host's compiler may be older than they are, and what stands in them means the same without them.
//!
//! ```text
//! #pragma omp assume no_openmp holds(n > 0)
//! { … }                                          →      { … }
//! ```
//! `holds` is not made use of. What `allocate` says of addresses goes to the declarations in front of it:
//!
//! ```text
//! int x, y[9];                                          int x __attribute__((__aligned__(64))), y[9];
//! #pragma omp allocate(x) align(64)              →
//! ```
//!
//! Cost: each token is looked at once, in a text with such a directive.

use super::lexer::{Token, TokenKind};
use super::outline::Outline;
use super::paired_variants::edited;
use super::scan::{Found, find};
use super::sentinel::Sentinel;
use super::statement::group_end;
use accrue_diag::{Diagnostic, Place};
use accrue_directives::omp::hints::Allocation;
use accrue_directives::omp::{Assumption, assumption};
use std::ops::Range;

/// Writes the text anew; nothing if it has no such directive.
///
/// # Errors
/// What is wrong with them.
pub(super) fn rewritten(text: &[u8], file: &str) -> Result<Option<Vec<u8>>, Vec<Diagnostic>> {
    let words = [&b"assume"[..], b"allocate", b"nothing"];
    let has = |word: &[u8]| text.windows(word.len()).any(|bytes| bytes == word);
    if !words.iter().any(|word| has(word)) {
        return Ok(None);
    }
    let Found {
        lines, directives, ..
    } = find(text, file, |sentinel, _| sentinel == Sentinel::Omp);
    let (mut edits, mut mistakes) = (Vec::new(), Vec::new());
    let mut outline: Option<Outline> = None;
    for directive in directives {
        let start = directive.span.start;
        match assumption(&directive.text) {
            Assumption::None if directive.text.trim() == "nothing" => {
                edits.push((directive.span, String::new()));
            }
            Assumption::None => {
                let Some(read) = Allocation::read(&directive.text) else {
                    continue;
                };
                let outline = outline.get_or_insert_with(|| Outline::new(text));
                if let Some(places) = aligned(text, outline, start, &read) {
                    edits.extend(places);
                    edits.push((directive.span, String::new()));
                }
            }
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

/// What the declarations of variables get, which are in front of an `allocate` in its block; nothing if one is not found.
fn aligned(
    text: &[u8],
    outline: &Outline,
    at: usize,
    allocation: &Allocation,
) -> Option<Vec<(Range<usize>, String)>> {
    let Some(align) = allocation.align else {
        return Some(Vec::new());
    };
    let tokens = outline.tokens.get(..outline.index_of(at))?;
    let places = allocation.items.iter().map(|name| {
        let place = behind_declarator(text, tokens, name.as_bytes())?;
        Some((
            place..place,
            format!(" __attribute__((__aligned__({align})))"),
        ))
    });
    places.collect()
}

/// The end of the declarator of a name that is declared in the block which the tokens end in: the first place there that names it.
fn behind_declarator(text: &[u8], tokens: &[Token], name: &[u8]) -> Option<usize> {
    let word = |at: usize| tokens.get(at).map_or(&b""[..], |token| token.of(text));
    let (mut depth, mut found) = (0usize, None);
    for at in (0..tokens.len()).rev() {
        match word(at) {
            b"}" | b")" | b"]" => depth += 1,
            b"{" | b"(" | b"[" if depth == 0 => break,
            b"{" | b"(" | b"[" => depth -= 1,
            it if depth == 0 && it == name => found = Some(at),
            _ => {}
        }
    }
    let first = found?;
    let before = tokens.get(first.checked_sub(1)?)?;
    let declares = before.kind == TokenKind::Word || matches!(before.of(text), b"*" | b",");
    let mut end = first;
    while word(end + 1) == b"[" {
        end = group_end(text, tokens, end + 1);
    }
    let ends = matches!(word(end + 1), b"=" | b"," | b";");
    (declares && ends).then(|| tokens.get(end).map(|last| last.end))?
}
