//! Macros in directives that gcc does not know: it expands none there, and expands them in those that it knows.
//!
//! ```text
//! #pragma omp tile sizes(SIZE)                      #pragma omp tile sizes(4)
//! #pragma acc set device_num(DEVICE)                #pragma acc set device_num(1)
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

/// Whether a text has a directive in which macros may have stayed.
pub fn has_unexpanded(text: &[u8]) -> bool {
    let word = b"pragma";
    text.windows(word.len()).any(|bytes| bytes == word)
        && lines(text).any(|line| line.is_unexpanded())
}

/// The text with the macros of such directives expanded, by what preprocessing has written with definitions.
pub fn expanded(text: Vec<u8>, with_definitions: &[u8]) -> Vec<u8> {
    let other = macros::expand_directives(with_definitions);
    let places: Vec<Line> = lines(&text).collect();
    let others: Vec<Line> = lines(&other).collect();
    if places.len() != others.len() {
        return text;
    }
    let mut new = Vec::with_capacity(text.len());
    let mut at = 0;
    for (line, other_line) in places.iter().zip(&others) {
        if line.is_unexpanded() {
            new.extend_from_slice(&text[at..line.place.start]);
            new.extend_from_slice(other_line.place.of(&other));
            at = line.place.end;
        }
    }
    new.extend_from_slice(&text[at..]);
    new
}

/// A directive.
struct Line {
    place: Token,
    sentinel: Sentinel,
    /// What stands behind the sentinel.
    body: String,
}

fn lines(text: &[u8]) -> impl Iterator<Item = Line> + '_ {
    let lines = Lexer::new(text).filter(|token| token.kind == TokenKind::Line);
    lines.filter_map(|place| {
        let bytes = place.of(text);
        let (sentinel, body) = Sentinel::of_line(bytes)?;
        let body = String::from_utf8_lossy(&bytes[body..]).into_owned();
        Some(Line {
            place,
            sentinel,
            body,
        })
    })
}

impl Line {
    /// Whether gcc, at least version 12, may not know the directive, and it has something in parentheses.
    fn is_unexpanded(&self) -> bool {
        const OPENACC: [&str; 3] = ["init", "set", "shutdown"];
        const OPENMP: [&str; 13] = [
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
        let first = self.body.trim_start().split(|c| !is_word(c)).next();
        let is_one_of = |names: &[&str]| first.is_some_and(|first| names.contains(&first));
        self.body.contains('(')
            && match self.sentinel {
                Sentinel::Acc => is_one_of(&OPENACC),
                Sentinel::Omp => is_one_of(&OPENMP) || joined_name(&self.body).is_some(),
            }
    }
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
        assert!(has_unexpanded(b"#pragma acc set device_num(T)\n"));
        assert!(!has_unexpanded(b"#pragma acc init\n#pragma acc wait(T)\n"));
    }
}
