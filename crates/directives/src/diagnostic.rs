//! What is wrong with a directive, said so that the user can repair it.

use crate::span::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The directive cannot be used.
    Error,
    /// The directive is used; part of it has no effect.
    Warning,
}

/// A further place that explains a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What there is about it.
    pub message: String,
}

/// A message about one place of a directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// One sentence without a full stop, lower case first.
    pub message: String,
    /// The place it is about.
    pub span: Span,
    /// What stands at the carets; empty when the message says it all.
    pub label: String,
    /// Other places that matter.
    pub related: Vec<Label>,
    /// What the user may want to know, one sentence each.
    pub notes: Vec<String>,
    /// The way out.
    pub help: Option<String>,
    /// The section of OpenACC 3.4 that the rule comes from, e.g. `2.5.16`.
    pub section: Option<&'static str>,
}

impl Diagnostic {
    /// An error about the text at `span`.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            span,
            label: String::new(),
            related: Vec::new(),
            notes: Vec::new(),
            help: None,
            section: None,
        }
    }

    /// A warning about the text at `span`.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(span, message)
        }
    }

    /// With the text at the carets.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// With one more place.
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push(Label {
            span,
            message: message.into(),
        });
        self
    }

    /// With one more note.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// With the way out.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// With the section of OpenACC 3.4 that has the rule.
    pub fn section(mut self, section: &'static str) -> Self {
        self.section = Some(section);
        self
    }

    /// Moves all places, for a directive whose text was put together from several pieces of source.
    pub fn map_spans(mut self, map: impl Fn(Span) -> Span) -> Self {
        self.span = map(self.span);
        for label in &mut self.related {
            label.span = map(label.span);
        }
        self
    }
}
