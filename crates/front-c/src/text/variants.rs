//! What metadirectives stand for (OpenMP 5.2, section 7.4), in a region and for the host's compiler, which may not know them.
//!
//! ```text
//! #pragma omp metadirective when(device={kind(nohost)}: parallel for) otherwise(single)
//! in a region:               parallel for
//! in its host's fallback:    single
//! ```
//! One that has no variant about devices, and stands in no code that a region runs, stays the host compiler's as it is written.

use super::scan::FoundDirective;
use accrue_directives::omp::metadirective::{self, Context};
use accrue_directives::{Language, Span};

/// The answer for one place.
#[derive(Clone, Debug)]
pub(super) struct Variant {
    /// The directive in the text; `None` for no directive.
    span: Option<Span>,
    /// What the host's compiler gets.
    for_host: Vec<String>,
}

impl Variant {
    /// Of a directive that is a metadirective and has an answer; else what is wrong is said where its text is read.
    pub(super) fn of(
        directive: &FoundDirective,
        language: Language,
        place: Context,
    ) -> Option<Self> {
        let text = &directive.text;
        if !metadirective::is_one(text) {
            return None;
        }
        let span = metadirective::choose(text, language, place).ok()?;
        let host = metadirective::choose(text, language, Context::Host).ok()?;
        let for_host = host.map(|span| span.of(text).to_string());
        Some(Variant {
            span,
            for_host: for_host.into_iter().collect(),
        })
    }

    /// Makes the directive what it stands for; what the host's compiler gets.
    pub(super) fn put(&self, directive: &mut FoundDirective) -> Vec<String> {
        let Some(span) = self.span else {
            directive.text = "nothing".to_string();
            directive.pieces = vec![(0, directive.span.start)];
            return self.for_host.clone();
        };
        let before = directive
            .pieces
            .partition_point(|piece| piece.0 <= span.start);
        let first = directive.pieces.get(before.saturating_sub(1)).copied();
        let begin = first.map_or(directive.span.start, |(ours, theirs)| {
            theirs + (span.start - ours)
        });
        let inside = directive.pieces.iter().skip(before);
        let inside = inside
            .filter(|piece| piece.0 < span.end)
            .map(|(ours, theirs)| (ours - span.start, *theirs));
        directive.pieces = std::iter::once((0, begin)).chain(inside).collect();
        directive.text = span.of(&directive.text).to_string();
        self.for_host.clone()
    }
}
