//! Arrays that a directive shapes out of what a pointer leads to (OpenMP 5.2, section 4.2.4) are what C has for them, the object behind
//! a pointer to an array.
//!
//! ```text
//! #pragma omp target update from((([n][m])p)[0:n][1])
//!     →    #pragma omp target update from((*(__typeof__(*(p))(*)[n][m])(p))[0:n][1])
//! ```
//! So neither carriers nor the host's compiler, where it gets the directive, must know the operator.
//!
//! Cost: each byte of a directive with an operator is looked at once for each bracket around it.

use super::paired_variants::edited;
use super::scan::{Found, find};
use super::sentinel::Sentinel;

/// Writes the text anew; nothing if it has no such operator.
pub(super) fn rewritten(text: &[u8], file: &str) -> Option<Vec<u8>> {
    let Found { directives, .. } = find(text, file, |sentinel, _| sentinel == Sentinel::Omp);
    let mut edits = Vec::new();
    for directive in directives {
        let mut new = directive.text.clone();
        while let Some(next) = unshaped(&new) {
            new = next;
        }
        let is_line = text.get(directive.span.start) == Some(&b'#');
        if is_line && new != directive.text {
            edits.push((directive.span, format!("#pragma omp {}", new.trim())));
        }
    }
    (!edits.is_empty()).then(|| edited(text, edits))
}

/// The directive without its first operator.
fn unshaped(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let behind = |at: usize| {
        let rest = bytes.get(at + 1..)?;
        let next = rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        Some(at + 1 + next)
    };
    let begins = |at: usize| {
        let shape = behind(at).filter(|shape| bytes[at] == b'(' && bytes[*shape] == b'(')?;
        behind(shape).filter(|first| bytes[*first] == b'[')?;
        Some((at, shape))
    };
    let (open, shape) = (0..bytes.len()).find_map(begins)?;
    let (close, shape_end) = (closing(bytes, open)?, closing(bytes, shape)?);
    let lengths = text[shape + 1..shape_end].trim();
    let pointer = text[shape_end + 1..close].trim();
    Some(format!(
        "{}*(__typeof__(*({pointer}))(*){lengths})({pointer}){}",
        &text[..=open],
        &text[close..]
    ))
}

/// The bracket that closes the one at `open`.
fn closing(text: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in text.iter().enumerate().skip(open) {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::unshaped;

    #[test]
    fn the_operator_is_the_object_behind_a_pointer() {
        assert_eq!(
            unshaped("target update to(( ([n][m+2]) p->q )[0:n][1])").as_deref(),
            Some("target update to((*(__typeof__(*(p->q))(*)[n][m+2])(p->q))[0:n][1])")
        );
        assert_eq!(unshaped("target update to((*p)[0:n][f(1)])"), None);
    }
}
