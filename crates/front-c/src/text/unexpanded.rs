//! Macros in directives that gcc does not know: it expands none there, and expands them in those that it knows.
//!
//! ```text
//! #pragma omp tile sizes(SIZE)                      #pragma omp tile sizes(4)
//! #pragma omp target map(a[0:10])            →      #pragma omp target map(a[0:10])
//! ```
//! The text of a second preprocessing, with the definitions (`-dD`), tells what the macros are where a directive stands; directives are
//! in the same order in both.
//!
//! Cost: one more run of the preprocessor, for files with such a directive.

use super::lexer::{Lexer, Token, TokenKind};
use super::macros;
use super::sentinel::Sentinel;
use accrue_directives::omp::older::joined_name;

/// Whether a text has a directive of OpenMP in which macros may have stayed.
pub fn has_unexpanded(text: &[u8]) -> bool {
    let word = b"omp";
    text.windows(word.len()).any(|bytes| bytes == word)
        && lines(text).any(|(_, body)| is_unexpanded(&body))
}

/// The text with the macros of such directives expanded, by what preprocessing has written with definitions.
pub fn expanded(text: Vec<u8>, with_definitions: &[u8]) -> Vec<u8> {
    let other = macros::expand_directives(with_definitions);
    let places: Vec<(Token, String)> = lines(&text).collect();
    let others: Vec<(Token, String)> = lines(&other).collect();
    if places.len() != others.len() {
        return text;
    }
    let mut new = Vec::with_capacity(text.len());
    let mut at = 0;
    for ((place, body), (other_place, _)) in places.iter().zip(&others) {
        if is_unexpanded(body) {
            new.extend_from_slice(&text[at..place.start]);
            new.extend_from_slice(other_place.of(&other));
            at = place.end;
        }
    }
    new.extend_from_slice(&text[at..]);
    new
}

/// The lines with directives of OpenMP.
fn lines(text: &[u8]) -> impl Iterator<Item = (Token, String)> + '_ {
    let lines = Lexer::new(text).filter(|token| token.kind == TokenKind::Line);
    lines.filter_map(|line| {
        let bytes = line.of(text);
        let (sentinel, body) = Sentinel::of_line(bytes)?;
        let body = String::from_utf8_lossy(&bytes[body..]).into_owned();
        (sentinel == Sentinel::Omp).then_some((line, body))
    })
}

/// Whether gcc, at least version 12, may not know the directive, and it has something in parentheses.
fn is_unexpanded(body: &str) -> bool {
    const NAMES: [&str; 13] = [
        "allocate",
        "assume",
        "assumes",
        "begin",
        "dispatch",
        "fuse",
        "interchange",
        "interop",
        "metadirective",
        "split",
        "stripe",
        "tile",
        "unroll",
    ];
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let first = body.trim_start().split(|c| !is_word(c)).next();
    body.contains('(')
        && (first.is_some_and(|first| NAMES.contains(&first)) || joined_name(body).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_directives_are_expanded() {
        let text =
            b"# 1 \"a.c\"\n\n#pragma omp tile sizes(T)\nint x;\n#pragma omp for collapse(4)\n";
        let defined =
            b"# 1 \"a.c\"\n#define T 4\n#pragma omp tile sizes(T)\nint x;\n#pragma omp for collapse(4)\n";
        assert!(has_unexpanded(text));
        let new = expanded(text.to_vec(), defined);
        let new = String::from_utf8_lossy(&new);
        assert!(new.contains("\n#pragma omp tile sizes(4)\nint x;"), "{new}");
        assert!(!has_unexpanded(
            b"#pragma omp unroll\n#pragma omp for private(T)\n"
        ));
    }
}
