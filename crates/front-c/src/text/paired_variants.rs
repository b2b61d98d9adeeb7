//! Functions between `begin declare variant` and its end (OpenMP 5.2, section 7.5.5) get names of their own, and a directive each that
//! compilers know which do not know pairs.
//!
//! ```text
//! #pragma omp begin declare variant match(M)
//! int f(int x) { … }                              int f__accrue_variant_0(int x) { … }
//! #pragma omp end declare variant            →    #pragma omp declare variant(f__accrue_variant_0) match(M)
//!                                                 extern __typeof__(f__accrue_variant_0) f;
//! ```
//! The declaration repeats that of the function that all of the program calls by its name; it is `static` if the variant is. Pairs in headers
//! of the system are their compiler's own: libomp's `omp.h` has one for routines that regions find in the runtime.
//!
//! Cost: each token is looked at a fixed number of times, in a text with such a pair.

use super::lexer::{Token, TokenKind};
use super::outline::{Body, Outline};
use super::position::LineMap;
use super::scan::{Found, FoundDirective, find};
use super::sentinel::Sentinel;
use super::statement::group_end;
use accrue_diag::{Diagnostic, Place};
use accrue_directives::omp::variant;
use std::ops::Range;

/// Writes the text anew; nothing if it has no pair.
///
/// # Errors
/// Pairs that are not complete, and functions whose name is not found.
pub(super) fn rewritten(text: &[u8], file: &str) -> Result<Option<Vec<u8>>, Vec<Diagnostic>> {
    let word = b"variant";
    if !text.windows(word.len()).any(|bytes| bytes == word) {
        return Ok(None);
    }
    let found = find(text, file, |sentinel, _| sentinel == Sentinel::Omp);
    let Found {
        lines, directives, ..
    } = &found;
    let mut edits = Vec::new();
    let mut open: Option<(&FoundDirective, &str)> = None;
    let mut outline: Option<Outline> = None;
    let mut pairs = 0;
    let refuse = |at: usize, message: &str, help: &str| {
        let place = Place {
            position: lines.position(at),
            length: 0,
        };
        let message = Diagnostic::error(message).place(place);
        vec![message.help(help).openmp("7.5.5")]
    };
    for directive in directives {
        let start = directive.span.start;
        if lines.in_system_header(start) {
            continue;
        }
        if let Some(clause) = variant::begin(&directive.text) {
            if open.is_some() {
                let help = "end the first pair, and write both selectors into the second one";
                return Err(refuse(
                    start,
                    "pairs of `declare variant` in each other are not supported yet",
                    help,
                ));
            }
            open = Some((directive, clause));
            continue;
        }
        if !variant::is_end(&directive.text) {
            continue;
        }
        let Some((begin, clause)) = open.take() else {
            let help = "write `begin declare variant match(selectors)` in front of the functions";
            return Err(refuse(
                start,
                "`end declare variant` without a beginning",
                help,
            ));
        };
        let outline = outline.get_or_insert_with(|| Outline::new(text));
        let inside = begin.span.end..start;
        for body in &outline.bodies {
            let tokens = &outline.tokens;
            if !inside.contains(&tokens[body.open].start) {
                continue;
            }
            let Some(name) = declared(text, tokens, body) else {
                let help = "declare it as `type name(parameters)`";
                return Err(refuse(
                    tokens[body.open].start,
                    "the name of this variant is not found",
                    help,
                ));
            };
            let base = String::from_utf8_lossy(name.of(text)).into_owned();
            let own = format!("{base}__accrue_variant_{pairs}");
            let header = tokens[body.start..body.open].iter();
            let is_static = header.clone().any(|token| token.of(text) == b"static");
            let kept = if is_static { "static" } else { "extern" };
            let end = tokens[body.close].end;
            let again = format!(
                "\n#pragma omp declare variant({own}) {clause}\n{kept} __typeof__({own}) {base};\n{}",
                marker(lines, end)
            );
            edits.push((name.start..name.end, own));
            edits.push((end..end, again));
        }
        edits.push((begin.span.clone(), String::new()));
        edits.push((directive.span.clone(), String::new()));
        pairs += 1;
    }
    if let Some((begin, _)) = open {
        let help = "write `#pragma omp end declare variant` behind the functions";
        return Err(refuse(
            begin.span.start,
            "`begin declare variant` without an end",
            help,
        ));
    }
    Ok((!edits.is_empty()).then(|| edited(text, edits)))
}

/// The line that says where the text behind it is from.
pub(super) fn marker(lines: &LineMap, at: usize) -> String {
    let position = lines.position(at);
    let file = position.file.replace('\\', "\\\\").replace('"', "\\\"");
    let flags = if lines.in_system_header(at) { " 3" } else { "" };
    format!("# {} \"{file}\"{flags}\n", position.line)
}

/// The name of the function: the word in front of the parentheses of its parameters.
pub(super) fn declared(text: &[u8], tokens: &[Token], body: &Body) -> Option<Token> {
    const OTHERS: [&[u8]; 8] = [
        b"__attribute__",
        b"__attribute",
        b"__declspec",
        b"_Alignas",
        b"alignas",
        b"typeof",
        b"__typeof__",
        b"__typeof",
    ];
    let mut at = body.start;
    let mut last: Option<Token> = None;
    while at < body.open {
        let token = *tokens.get(at)?;
        match (token.kind, token.of(text)) {
            (TokenKind::Word, _) => last = Some(token),
            (_, b"(") => {
                let end = group_end(text, tokens, at);
                let has_parameters = tokens.get(end + 1)?.of(text) == b"(";
                // `(f)(int x)`
                if let [_, name, _] = tokens.get(at..=end)?
                    && has_parameters
                    && name.kind == TokenKind::Word
                {
                    return Some(*name);
                }
                match last.filter(|word| !OTHERS.contains(&word.of(text))) {
                    Some(name) if !has_parameters => return Some(name),
                    // A function that gives a pointer to a function.
                    Some(_) | None if has_parameters || last.is_none() => return None,
                    Some(_) | None => {}
                }
                at = end;
                last = None;
            }
            (TokenKind::Line, _) => {}
            _ => last = None,
        }
        at += 1;
    }
    None
}

/// The text with some ranges replaced; line ends in them stay.
pub(super) fn edited(text: &[u8], mut edits: Vec<(Range<usize>, String)>) -> Vec<u8> {
    edits.sort_by_key(|(range, _)| range.start);
    let mut new = Vec::with_capacity(text.len() + 256 * edits.len());
    let mut at = 0;
    for (range, instead) in edits {
        new.extend_from_slice(&text[at..range.start]);
        new.extend_from_slice(instead.as_bytes());
        let lines = text[range.clone()].iter().filter(|byte| **byte == b'\n');
        new.resize(new.len() + lines.count(), b'\n');
        at = range.end;
    }
    new.extend_from_slice(&text[at..]);
    new
}
