//! Directives that make other loops of a nest (OpenMP 5.2, chapter 9, and two of 6.0).
//!
//! ```text
//! tile sizes(4, n)     unroll partial(4)     unroll full     reverse     interchange permutation(2, 1)
//! ```

use crate::ast::Language;
use crate::parser::Parser;
use crate::scan::Text;
use crate::suggest::list;
use crate::{Diagnostic, Span};

/// What is made of the loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transformation {
    /// `tile`: how many iterations of each loop make a tile.
    Tile(Vec<String>),
    /// `unroll`, in the compiler's way.
    Unroll,
    /// `unroll full`
    UnrollFull,
    /// `unroll partial`, with its factor.
    UnrollPartial(Option<u64>),
    /// `reverse`
    Reverse,
    /// `interchange`: which loop comes first, second …, from 0 on.
    Interchange(Vec<usize>),
}

impl Transformation {
    /// Reads the directive's text, if it is one.
    pub fn read(text: &str, language: Language) -> Option<Result<Transformation, Diagnostic>> {
        let name = super::first_word(text)?;
        let known = ["tile", "unroll", "reverse", "interchange"];
        let unknown = ["fuse", "split", "stripe"];
        if unknown.contains(&name) {
            let source = Text { text, language };
            let word = source.word(source.skip_blanks(0, text.len()), text.len());
            let word = word.unwrap_or_else(|| source.span());
            let message = Diagnostic::error(word, format!("`{name}` is not supported yet"));
            return Some(Err(message
                .help("write the loops that it makes")
                .openmp("9")));
        }
        known.contains(&name).then(|| read(text, name, language))
    }

    /// The name of the directive.
    pub fn name(&self) -> &'static str {
        match self {
            Transformation::Tile(_) => "tile",
            Transformation::Unroll
            | Transformation::UnrollFull
            | Transformation::UnrollPartial(_) => "unroll",
            Transformation::Reverse => "reverse",
            Transformation::Interchange(_) => "interchange",
        }
    }

    /// The section of OpenMP 5.2 that defines it.
    pub fn section(&self) -> &'static str {
        match self {
            Transformation::Tile(_) => "9.1",
            Transformation::Unroll
            | Transformation::UnrollFull
            | Transformation::UnrollPartial(_) => "9.2",
            Transformation::Reverse | Transformation::Interchange(_) => "9",
        }
    }

    /// How many loops in each other it is about.
    pub fn depth(&self) -> usize {
        match self {
            Transformation::Tile(sizes) => sizes.len(),
            Transformation::Interchange(order) => order.len(),
            Transformation::Unroll
            | Transformation::UnrollFull
            | Transformation::UnrollPartial(_)
            | Transformation::Reverse => 1,
        }
    }
}

fn read(text: &str, name: &str, language: Language) -> Result<Transformation, Diagnostic> {
    let parser = Parser::new(Text { text, language });
    let source = parser.text;
    let end = text.len();
    let (section, clauses): (_, &[&str]) = match name {
        "tile" => ("9.1", &["sizes"]),
        "unroll" => ("9.2", &["full", "partial"]),
        "interchange" => ("9", &["permutation"]),
        _ => ("9", &[]),
    };
    let mut found: Vec<(Span, Option<Vec<Span>>)> = Vec::new();
    let first = source.skip_blanks(0, end);
    let first = source
        .word(first, end)
        .unwrap_or_else(|| Span::new(0, first));
    let mut at = first.end;
    loop {
        at = source.skip_blanks(at, end);
        if at >= end {
            break;
        }
        let Some(word) = source.word(at, end) else {
            at += 1;
            continue;
        };
        let group = parser.group_after(word.end, end);
        at = group.map_or(word.end, |group| group.end);
        let clause = source.of(word);
        if !clauses.contains(&clause) {
            let message = format!("`{clause}` is not a clause of `{name}`");
            let help = match clauses {
                [] => "it takes none".to_string(),
                names => format!("it takes {}", list(names.iter().copied(), "or")),
            };
            return Err(Diagnostic::error(word, message).help(help).openmp(section));
        }
        if let Some((other, _)) = found.first() {
            let message = Diagnostic::error(word, format!("`{name}` takes one clause"));
            let message = message.related(*other, "the first one");
            return Err(message.openmp(section));
        }
        let parts = group.map(|group| source.split_commas(source.inside(group)));
        found.push((word, parts));
    }
    let number = |span: &Span| source.of(*span).parse::<u64>().ok();
    let wrong = |span: Span, message: &str, help: &str| {
        Err(Diagnostic::error(span, message).help(help).openmp(section))
    };
    match (name, found.first()) {
        ("tile", Some((word, Some(sizes)))) => {
            let is_wrong = |size: &&Span| {
                let text = source.of(**size);
                text.is_empty() || text.starts_with('-') || number(size) == Some(0)
            };
            if let Some(size) = sizes.iter().find(is_wrong) {
                let at = if size.is_empty() { *word } else { *size };
                return wrong(
                    at,
                    "a tile has at least one iteration",
                    "write a positive number",
                );
            }
            let sizes = sizes.iter().map(|size| source.of(*size).to_string());
            Ok(Transformation::Tile(sizes.collect()))
        }
        ("tile", _) => wrong(
            first,
            "`tile` needs the clause `sizes`",
            "write `sizes(4)` for one loop, `sizes(4, 8)` for two",
        ),
        ("unroll", None) => Ok(Transformation::Unroll),
        ("unroll", Some((word, None))) if source.of(*word) == "full" => {
            Ok(Transformation::UnrollFull)
        }
        ("unroll", Some((word, None))) if source.of(*word) == "partial" => {
            Ok(Transformation::UnrollPartial(None))
        }
        ("unroll", Some((word, parts))) => {
            let factor = match parts.as_deref() {
                Some([only]) if source.of(*word) == "partial" => number(only),
                _ => None,
            };
            match factor.filter(|factor| *factor > 0) {
                Some(factor) => Ok(Transformation::UnrollPartial(Some(factor))),
                None => wrong(
                    *word,
                    "how often a loop is unrolled is a positive constant number",
                    "write `full`, `partial` or `partial(4)`",
                ),
            }
        }
        ("interchange", Some((word, Some(parts)))) => {
            let order: Option<Vec<usize>> = parts
                .iter()
                .map(|part| number(part)?.checked_sub(1)?.try_into().ok())
                .collect();
            let order = order.unwrap_or_default();
            let has_all = (0..parts.len()).all(|loop_| order.contains(&loop_));
            match has_all && order.len() > 1 {
                true => Ok(Transformation::Interchange(order)),
                false => wrong(
                    *word,
                    "a permutation has each number from 1 on once",
                    "write `permutation(2, 1)`",
                ),
            }
        }
        ("interchange", _) => Ok(Transformation::Interchange(vec![1, 0])),
        _ => Ok(Transformation::Reverse),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<Transformation> {
        Transformation::read(text, Language::C)?.ok()
    }

    #[test]
    fn clauses_are_read() {
        let sizes = ["4".to_string(), "2 * n".to_string()];
        assert_eq!(
            of("tile sizes(4, 2 * n)"),
            Some(Transformation::Tile(sizes.to_vec()))
        );
        assert_eq!(of("unroll"), Some(Transformation::Unroll));
        assert_eq!(of("unroll full"), Some(Transformation::UnrollFull));
        assert_eq!(
            of("unroll partial(3)"),
            Some(Transformation::UnrollPartial(Some(3)))
        );
        assert_eq!(
            of("interchange permutation(3, 1, 2)"),
            Some(Transformation::Interchange(vec![2, 0, 1]))
        );
        for wrong in [
            "tile",
            "tile sizes(0)",
            "tile sizes(-1, 2)",
            "unroll full partial",
            "unroll partial(n)",
            "interchange permutation(1, 1)",
            "reverse full",
            "fuse",
        ] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
        assert!(Transformation::read("tiles", Language::C).is_none());
    }
}
