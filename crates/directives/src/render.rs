//! A diagnostic as the user sees it.
//!
//! ```text
//! error: `copyin` needs at least one variable
//!  --> heat.c:12:28
//!    |
//! 12 | #pragma acc parallel copyin()
//!    |                            ^^
//!    |
//!    = note: OpenACC 3.4, section 2.7.8
//! ```

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use crate::diagnostic::{Diagnostic, Severity};
use crate::span::Span;

/// Where a directive stands in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceContext<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// The number of the first line in `source`, from 1.
    pub line: usize,
    /// The whole lines that the directive stands on.
    pub source: &'a str,
    /// Where in `source` the text begins that the spans refer to.
    pub offset: usize,
}

impl SourceContext<'_> {
    /// The bytes of `source` that `span` covers; whole characters, at least one where there is one.
    fn range(&self, span: Span) -> Range<usize> {
        let last = self.source.trim_end().len();
        let mut start = (span.start + self.offset).min(last);
        while !self.source.is_char_boundary(start) {
            start -= 1;
        }
        let mut end = (span.end + self.offset)
            .min(last)
            .max((start + 1).min(last))
            .max(start);
        while !self.source.is_char_boundary(end) {
            end += 1;
        }
        start..end
    }

    /// Line and column of a span's beginning, both from 1; columns count characters.
    pub fn position(&self, span: Span) -> (usize, usize) {
        let before = self.source.get(..self.range(span).start).unwrap_or("");
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = before.get(line_start..).unwrap_or("").chars().count() + 1;
        (self.line + before.matches('\n').count(), column)
    }
}

/// The diagnostic with the lines it is about, as text of several lines without a line feed at the end.
pub fn render(diagnostic: &Diagnostic, context: &SourceContext<'_>, color: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let label = Some(diagnostic.label.as_str()).filter(|label| !label.is_empty());
    let primary = AnnotationKind::Primary
        .span(context.range(diagnostic.span))
        .label(label);
    let related = diagnostic.related.iter().map(|related| {
        AnnotationKind::Context
            .span(context.range(related.span))
            .label(related.message.as_str())
    });
    let snippet = Snippet::source(context.source)
        .path(context.file)
        .line_start(context.line)
        .annotation(primary)
        .annotations(related);
    let mut group = level
        .primary_title(diagnostic.message.as_str())
        .element(snippet);
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    if let Some(section) = diagnostic.section {
        group = group.element(Level::NOTE.message(format!("OpenACC 3.4, section {section}")));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    renderer.render(&[group])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_counts_lines_and_characters() {
        let source = "#pragma acc data \\\n  /* é */ copy(a)\n";
        let offset = source.find("data").unwrap_or(0);
        let context = SourceContext {
            file: "f",
            line: 20,
            source,
            offset,
        };
        let at = |word: &str| {
            let start = source.find(word).unwrap_or(0) - offset;
            context.position(Span::new(start, start + word.len()))
        };
        assert_eq!(at("data"), (20, 13));
        assert_eq!(at("copy"), (21, 11));
    }

    #[test]
    fn places_are_moved_to_whole_characters_of_the_source() {
        let context = SourceContext {
            file: "f",
            line: 1,
            source: "ééé",
            offset: 0,
        };
        for start in 0..10 {
            for end in 0..10 {
                let diagnostic = Diagnostic::error(Span::new(start, end), "wrong");
                assert!(render(&diagnostic, &context, false).starts_with("error: wrong\n"));
            }
        }
    }
}
