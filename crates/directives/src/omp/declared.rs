//! The directive `declare reduction` (OpenMP 5.2, section 5.5.11).
//!
//! ```text
//! declare reduction(far: struct p, struct q: omp_out = further(omp_out, omp_in)) initializer(omp_priv = {0})
//!                   │    └ types             └ combiner                                         └ a value
//!                   └ identifier, or an operator
//! initializer(start(&omp_priv))                                                                  a call
//! ```

use crate::ast::Language;
use crate::parser::Parser;
use crate::scan::{Text, is_word_byte};
use crate::{Diagnostic, Span};

const SECTION: &str = "5.5.11";

/// What a `declare reduction` says; spans are of its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredReduction {
    /// The identifier, or an operator.
    pub identifier: Span,
    /// The types of the objects that it is for.
    pub types: Vec<Span>,
    /// An expression that combines `omp_in` into `omp_out`.
    pub combiner: Span,
    /// What `omp_priv` starts with; zeros where nothing is written.
    pub initializer: Option<Initializer>,
}

/// The argument of `initializer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initializer {
    /// `omp_priv = value`: the value.
    Value(Span),
    /// An expression, a call that gets the address of `omp_priv`.
    Call(Span),
}

/// Whether the directive declares a reduction.
pub fn is_one(text: &str) -> bool {
    let mut words = text.split(|c: char| c.is_whitespace() || c == '(');
    let mut next = || words.find(|word| !word.is_empty());
    (next(), next()) == (Some("declare"), Some("reduction"))
}

impl DeclaredReduction {
    /// Reads the text of a directive that is one.
    ///
    /// # Errors
    /// What is not as the grammar says.
    pub fn read(text: &str, language: Language) -> Result<DeclaredReduction, Diagnostic> {
        let parser = Parser::new(Text { text, language });
        let text = parser.text;
        let wrong = |span: Span| {
            Diagnostic::error(span, "this is not how a reduction is declared")
                .help("write `declare reduction(name: type: combiner)` and perhaps `initializer(omp_priv = value)`")
                .openmp(SECTION)
        };
        if text.check_balance().is_err() {
            return Err(wrong(text.span()));
        }
        let end = text.span().end;
        let reduction = text.text.find("reduction").unwrap_or_default() + "reduction".len();
        let group = parser.group_after(reduction, end);
        let group = group.ok_or_else(|| wrong(text.span()))?;
        let inside = text.inside(group);
        let parts: Vec<Span> = text
            .split_colons(inside)
            .iter()
            .map(|it| text.trim(*it))
            .collect();
        let [identifier, types, ..] = parts[..] else {
            return Err(wrong(group));
        };
        // A combiner may have colons of its own.
        let combiner = parts
            .get(2)
            .map(|first| text.trim(Span::new(first.start, inside.end)));
        let combiner = combiner
            .filter(|it| !it.is_empty())
            .ok_or_else(|| wrong(group))?;
        let types: Vec<Span> = text
            .split_commas(types)
            .iter()
            .map(|it| text.trim(*it))
            .collect();
        if identifier.is_empty() || types.iter().any(|it| it.is_empty()) {
            return Err(wrong(group));
        }
        let rest = text.trim(Span::new(group.end, end));
        let initializer = match rest.is_empty() {
            true => None,
            false => {
                let word = text
                    .word(rest.start, end)
                    .filter(|it| text.of(*it) == "initializer");
                let group = word.and_then(|word| parser.group_after(word.end, end));
                let group = group.filter(|group| group.end == rest.end);
                let inside = text.trim(text.inside(group.ok_or_else(|| wrong(rest))?));
                Some(initializer(text, inside))
            }
        };
        Ok(DeclaredReduction {
            identifier,
            types,
            combiner,
            initializer,
        })
    }
}

fn initializer(text: Text<'_>, inside: Span) -> Initializer {
    let value = text.of(inside).strip_prefix("omp_priv").and_then(|rest| {
        let rest = rest.trim_start();
        let value = rest.strip_prefix('=')?;
        (!value.starts_with('=')).then_some(value)
    });
    match value {
        Some(value) => {
            Initializer::Value(text.trim(Span::new(inside.end - value.len(), inside.end)))
        }
        None => Initializer::Call(inside),
    }
}

/// Whether a word may be the identifier of a reduction.
pub(super) fn is_identifier(word: &str) -> bool {
    let first = word.bytes().next();
    first.is_some_and(|byte| !byte.is_ascii_digit()) && word.bytes().all(is_word_byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Option<Vec<&str>> {
        let read = DeclaredReduction::read(text, Language::C).ok()?;
        let (kind, initializer) = match read.initializer {
            None => ("", ""),
            Some(Initializer::Value(value)) => ("value", value.of(text)),
            Some(Initializer::Call(call)) => ("call", call.of(text)),
        };
        let types = read.types.iter().map(|it| it.of(text));
        let before = [read.identifier.of(text)].into_iter();
        let behind = [read.combiner.of(text), kind, initializer];
        Some(before.chain(types).chain(behind).collect())
    }

    #[test]
    fn parts_are_found() {
        assert_eq!(
            parts("declare reduction (far : struct p, long : omp_out = a ? omp_in : omp_out)"),
            Some(vec![
                "far",
                "struct p",
                "long",
                "omp_out = a ? omp_in : omp_out",
                "",
                ""
            ])
        );
        assert_eq!(
            parts(
                "declare reduction(+: p: omp_out.x += omp_in.x) initializer( omp_priv = { 0, 1 } )"
            ),
            Some(vec!["+", "p", "omp_out.x += omp_in.x", "value", "{ 0, 1 }"])
        );
        assert_eq!(
            parts("declare reduction(m: p: f(&omp_out, &omp_in)) initializer(start(&omp_priv))"),
            Some(vec![
                "m",
                "p",
                "f(&omp_out, &omp_in)",
                "call",
                "start(&omp_priv)"
            ])
        );
        for wrong in [
            "declare reduction",
            "declare reduction(m: p)",
            "declare reduction(m: : f)",
            "declare reduction(m: p: f) initial(x)",
            "declare reduction(m: p: f) initializer(x) more",
        ] {
            assert!(
                DeclaredReduction::read(wrong, Language::C).is_err(),
                "{wrong}"
            );
        }
        assert!(is_one(" declare  reduction(x"));
        assert!(!is_one("declare mapper(reduction"));
    }
}
