//! Reductions that a program declares (OpenMP 5.2, section 5.5.11) get functions that combine and initialise their objects.
//!
//! ```text
//! #pragma omp declare reduction(far: struct p: omp_out = further(omp_out, omp_in))
//!                                                                        the same, and behind it, or in front of the function around it
//! → static void __accrue_combiner_5f(struct p *omp_to, struct p *omp_from)
//!   {struct p omp_out = *omp_to, omp_in = *omp_from; omp_out = further(omp_out, omp_in); *omp_to = omp_out;}
//!   static void __accrue_initializer_5f(struct p *omp_to, struct p *omp_from)
//!   {struct p omp_orig = *omp_from; struct p omp_priv = {0}; *omp_to = omp_priv;}
//! ```
//! The host's compiler gets them too, and leaves them out; its own regions have the directive. Which of several declarations a clause means
//! its place says, as with C's declarations, and the type of its variable: [`Scopes::visible`] has those of the name, the innermost first.
//!
//! Cost: linear in the text for files with such directives.

use super::lexer::Token;
use super::outline::Outline;
use super::paired_variants::{edited, marker};
use super::scan::{Found, FoundDirective, find};
use super::sentinel::Sentinel;
use accrue_directives::Language;
use accrue_directives::omp::declared::{DeclaredReduction, Initializer, is_one};
use accrue_directives::omp::{is_for_devices, metadirective};
use std::ops::Range;

/// The reductions that a text declares, in its order.
#[derive(Default)]
pub(super) struct Declared {
    /// The number of the functions of each type.
    numbers: Vec<Vec<u64>>,
}

/// Writes the functions into the text; nothing if no reduction is declared, or no region could use one.
pub(super) fn rewritten(text: &[u8], file: &str) -> Option<(Vec<u8>, Declared)> {
    let word = b"reduction";
    if !text.windows(word.len()).any(|bytes| bytes == word) {
        return None;
    }
    let Found {
        lines, directives, ..
    } = find(text, file, |sentinel, _| sentinel == Sentinel::Omp);
    let of_devices =
        |it: &FoundDirective| is_for_devices(&it.text) || metadirective::is_for_devices(&it.text);
    if !directives.iter().any(of_devices) || !directives.iter().any(|it| is_one(&it.text)) {
        return None;
    }
    let outline = Outline::new(text);
    let (mut edits, mut numbers) = (Vec::new(), Vec::new());
    let mut next = number_of(text, file);
    for directive in directives.iter().filter(|it| is_one(&it.text)) {
        let mut own = Vec::new();
        // What is wrong with it the parser says.
        if let Ok(read) = DeclaredReduction::read(&directive.text, Language::C) {
            let mut functions = String::new();
            for ty in &read.types {
                functions += &functions_of(&directive.text, &read, ty.of(&directive.text), next);
                own.push(next);
                next += 1;
            }
            let around = outline.body_around(directive.span.start);
            let at = around.map_or(directive.span.end, |body| {
                let first = outline.bodies[body].start;
                outline.tokens[first].start
            });
            let own_line = marker(&lines, directive.span.start);
            edits.push((
                at..at,
                format!("\n{own_line}{functions}\n{}", marker(&lines, at)),
            ));
        }
        numbers.push(own);
    }
    Some((edited(text, edits), Declared { numbers }))
}

/// Both functions for objects of a type, on one line.
fn functions_of(text: &str, read: &DeclaredReduction, ty: &str, number: u64) -> String {
    let head = |name: &str| {
        format!(
            "static __attribute__((__unused__)) void __accrue_{name}_{number:x}({ty} *omp_to, {ty} *omp_from)"
        )
    };
    let combiner = read.combiner.of(text);
    let (value, call) = match read.initializer {
        None => ("{0}", String::new()),
        Some(Initializer::Value(value)) => (value.of(text), String::new()),
        Some(Initializer::Call(call)) => ("{0}", format!("{};", call.of(text))),
    };
    format!(
        "{}{{{ty} omp_out=*omp_to;{ty} omp_in=*omp_from;(void)omp_in;{combiner};*omp_to=omp_out;}}\
         {}{{{ty} omp_orig=*omp_from;{ty} omp_priv={value};(void)omp_orig;{call}*omp_to=omp_priv;}}",
        head("combiner"),
        head("initializer"),
    )
}

/// A number that other units of a program do not have, with room for those of its reductions (FNV-1a).
fn number_of(text: &[u8], file: &str) -> u64 {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x100_0000_01b3;
    let bytes = file.bytes().chain(text.iter().copied());
    let hash = bytes.fold(START, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(PRIME)
    });
    (hash >> 16) << 15
}

/// Where each declaration of a name holds.
pub(super) struct Scopes {
    declared: Vec<(String, Range<usize>, Vec<u64>)>,
}

impl Scopes {
    /// Looks the declarations up among the directives of a text.
    pub(super) fn new(
        text: &[u8],
        outline: &Outline,
        declared: &Declared,
        directives: &[(usize, &str)],
    ) -> Scopes {
        let found = directives.iter().filter(|(_, text)| is_one(text));
        let scopes = found
            .zip(&declared.numbers)
            .filter_map(|(&(start, own), numbers)| {
                let read = DeclaredReduction::read(own, Language::C).ok()?;
                let end = end_of_block(text, &outline.tokens, outline.index_of(start));
                let name = read.identifier.of(own).to_string();
                Some((name, start..end.unwrap_or(text.len()), numbers.clone()))
            });
        Scopes {
            declared: scopes.collect(),
        }
    }

    /// The functions of those with a name that hold at an offset, the innermost declaration first.
    pub(super) fn visible(&self, name: &str, at: usize) -> Vec<u64> {
        let holds = self
            .declared
            .iter()
            .filter(|(own, range, _)| own == name && range.contains(&at));
        holds
            .rev()
            .flat_map(|(_, _, numbers)| numbers.clone())
            .collect()
    }
}

/// Where the block ends that a token is in; nothing outside of blocks.
fn end_of_block(text: &[u8], tokens: &[Token], first: usize) -> Option<usize> {
    let mut depth = 0usize;
    for token in tokens.get(first..)? {
        match token.of(text) {
            b"{" | b"<%" => depth += 1,
            b"}" | b"%>" if depth == 0 => return Some(token.start),
            b"}" | b"%>" => depth -= 1,
            _ => {}
        }
    }
    None
}
