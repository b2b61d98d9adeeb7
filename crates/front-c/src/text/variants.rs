//! What metadirectives stand for (OpenMP 5.2, section 7.4), in a region and for the host's compiler, which may not know them.
//!
//! ```text
//! #pragma omp metadirective when(device={kind(nohost)}: parallel for) otherwise(single)
//! in a region:               parallel for
//! in its host's fallback:    single
//! ```
//! In a region it may be another directive for another kind of device: the unit is then read once more for each.
//! One that has no variant about devices, and stands in no code that a region runs, stays the host compiler's as it is written.

use super::scan::FoundDirective;
use accrue_directives::omp::metadirective;
use accrue_directives::omp::selectors::Device;
use accrue_directives::{Language, Span};

/// The answer for one place.
#[derive(Clone, Debug)]
pub(super) struct Variant {
    /// The directive in the text; `None` for no directive.
    span: Option<Span>,
    /// It is another one for another kind of device.
    pub(super) depends_on_device: bool,
    /// What the host's compiler gets.
    for_host: Vec<String>,
}

impl Variant {
    /// Of a directive that is a metadirective and has an answer; else what is wrong is said where its text is read.
    pub(super) fn of(
        directive: &FoundDirective,
        language: Language,
        device: Option<Device>,
    ) -> Option<Self> {
        let text = &directive.text;
        if !metadirective::is_one(text) {
            return None;
        }
        // What cannot be said for one device is a mistake for all, so that all have the same directives.
        let chosen = |device| metadirective::choose(text, language, device).ok();
        let words = |span: Option<Span>| span.map(|span| span.of(text).to_string());
        let for_devices = Device::ALL.map(|device| chosen(Some(device)).map(words));
        if for_devices.contains(&None) {
            return None;
        }
        let differs = for_devices.iter().any(|other| *other != for_devices[0]);
        let for_host = words(chosen(None)?);
        Some(Variant {
            span: chosen(device)?,
            depends_on_device: differs && device.is_some(),
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
