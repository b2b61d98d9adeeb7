//! Text to [`Directive`].
//!
//! Steps: brackets and literals must match → directive name → its argument → clauses one after another. A mistake in
//! one clause does not hide mistakes in the next: the parser goes on behind its parentheses.

mod args;
mod clause;
mod data_args;
mod name;
mod var;

use crate::Span;
use crate::ast::{Directive, Language};
use crate::check;
use crate::scan::{Text, Unbalanced};
use crate::{Diagnostic, Severity};
pub(crate) use clause::words;

/// What the parsing functions share: the text and the mistakes found so far.
pub(crate) struct Parser<'a> {
    pub(crate) text: Text<'a>,
    found: Vec<Diagnostic>,
    /// Sections may have strides (OpenMP 5.2, 5.9).
    pub(crate) strides: bool,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(text: Text<'a>) -> Self {
        Parser {
            text,
            found: Vec::new(),
            strides: false,
        }
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    /// Reports and gives up what is being parsed.
    pub(crate) fn fail<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.found.push(diagnostic);
        None
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.found
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// See [`crate::parse`].
pub(crate) fn parse(text: &str, language: Language) -> Result<Directive, Vec<Diagnostic>> {
    let text = Text { text, language };
    if let Err(unbalanced) = text.check_balance() {
        return Err(vec![balance_error(text, unbalanced)]);
    }
    let mut parser = Parser::new(text);
    let directive = parser.directive();
    let Some(mut directive) = directive else {
        return Err(parser.sorted());
    };
    let complete = !parser.has_errors();
    parser
        .found
        .extend(check::check(text, &directive, complete));
    if parser.has_errors() {
        return Err(parser.sorted());
    }
    directive.warnings = parser.sorted();
    Ok(directive)
}

impl Parser<'_> {
    pub(crate) fn sorted(mut self) -> Vec<Diagnostic> {
        self.found.sort_by_key(|diagnostic| diagnostic.span().start);
        self.found
    }

    fn directive(&mut self) -> Option<Directive> {
        let span = self.text.trim(self.text.span());
        let (kind, kind_span) = self.directive_name(span)?;
        let (args, rest) = self.directive_args(kind, Span::new(kind_span.end, span.end));
        let clauses = self.clauses(kind, rest);
        Some(Directive {
            kind,
            kind_span,
            args: args?,
            clauses,
            span,
            warnings: Vec::new(),
        })
    }
}

pub(crate) fn balance_error(text: Text<'_>, unbalanced: Unbalanced) -> Diagnostic {
    let one = |at: usize| Span::new(at, at + 1);
    match unbalanced {
        Unbalanced::NotClosed(at) => Diagnostic::error(
            one(at),
            format!("nothing closes this `{}`", text.of(one(at))),
        ),
        Unbalanced::WrongClose(None, at) => Diagnostic::error(
            one(at),
            format!("this `{}` closes nothing", text.of(one(at))),
        ),
        Unbalanced::WrongClose(Some(open), at) => Diagnostic::error(
            one(at),
            format!(
                "this `{}` does not match the `{}` before it",
                text.of(one(at)),
                text.of(one(open))
            ),
        )
        .related(one(open), "opened here"),
        Unbalanced::OpenLiteral(at) => Diagnostic::error(one(at), "this literal does not end"),
    }
    .section("2.1")
}
