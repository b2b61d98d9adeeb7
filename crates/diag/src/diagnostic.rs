//! The one type for everything that the compiler says about a program.

use crate::place::{Place, Position, Span};
use std::fmt::{Display, Formatter};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The program cannot be compiled.
    Error,
    /// The program is compiled; part of it has no effect, or hardly the one that was meant.
    Warning,
}

/// A message about the user's program.
pub type Diagnostic = DiagnosticAt<Place>;

/// A message about something at a `P`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiagnosticAt<P> {
    /// How bad it is.
    pub severity: Severity,
    /// The name of a warning in options: `-Wno-NAME` switches it off, `-Werror=NAME` makes it an error.
    pub option: Option<&'static str>,
    /// One sentence without a full stop, lower case first.
    pub message: String,
    /// The place it is about; `None` if it is about the whole file or the installation.
    pub place: Option<P>,
    /// What stands at the carets; empty when the message says it all.
    pub label: String,
    /// What else there is to say.
    pub details: Box<Details<P>>,
}

/// What a message says besides its one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Details<P> {
    /// Other places that matter, and what there is about them.
    pub related: Vec<(P, String)>,
    /// What the user may want to know, one sentence each.
    pub notes: Vec<String>,
    /// The way out.
    pub help: Option<String>,
    /// The section that the rule comes from, e.g. `2.5.16`.
    pub section: Option<&'static str>,
    /// What it is a section of.
    pub specification: Specification,
}

/// The standards that rules come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Specification {
    /// OpenACC 3.4
    #[default]
    OpenAcc,
    /// OpenMP 5.2
    OpenMp,
}

impl Specification {
    /// Its name and version.
    pub fn name(self) -> &'static str {
        match self {
            Specification::OpenAcc => "OpenACC 3.4",
            Specification::OpenMp => "OpenMP 5.2",
        }
    }
}

impl<P> Default for Details<P> {
    fn default() -> Self {
        Details {
            related: Vec::new(),
            notes: Vec::new(),
            help: None,
            section: None,
            specification: Specification::OpenAcc,
        }
    }
}

impl<P> DiagnosticAt<P> {
    /// A message without a place.
    pub fn new(severity: Severity, message: impl Into<String>) -> Self {
        DiagnosticAt {
            severity,
            option: None,
            message: message.into(),
            place: None,
            label: String::new(),
            details: Box::default(),
        }
    }

    /// An error about what is at `place`.
    pub fn at(place: P, message: impl Into<String>) -> Self {
        DiagnosticAt::new(Severity::Error, message).place(place)
    }

    /// Says where.
    pub fn place(mut self, place: P) -> Self {
        self.place = Some(place);
        self
    }

    /// Names the option of a warning.
    pub fn option(mut self, name: &'static str) -> Self {
        self.option = Some(name);
        self
    }

    /// Says what stands at the carets.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds another place.
    pub fn related(mut self, place: P, text: impl Into<String>) -> Self {
        self.details.related.push((place, text.into()));
        self
    }

    /// Adds a note.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.details.notes.push(note.into());
        self
    }

    /// Says what to do.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.details.help = Some(help.into());
        self
    }

    /// Names the section of OpenACC 3.4 that the rule comes from.
    pub fn section(mut self, section: &'static str) -> Self {
        self.details.section = Some(section);
        self
    }

    /// Names the section of OpenMP 5.2 that the rule comes from.
    pub fn openmp(mut self, section: &'static str) -> Self {
        self.details.section = Some(section);
        self.details.specification = Specification::OpenMp;
        self
    }

    /// A message of code that serves OpenACC too, about an OpenMP directive: `section_like` knows the section with the same rule.
    pub fn in_openmp(mut self, section_like: impl Fn(&str) -> Option<&'static str>) -> Self {
        if self.details.specification == Specification::OpenAcc {
            self.details.section = self.details.section.and_then(section_like);
            self.details.specification = Specification::OpenMp;
        }
        self
    }

    /// The same message with all its places moved.
    pub fn map_places<Q>(self, map: impl Fn(P) -> Q) -> DiagnosticAt<Q> {
        let related = self.details.related.into_iter();
        DiagnosticAt {
            severity: self.severity,
            option: self.option,
            message: self.message,
            place: self.place.map(&map),
            label: self.label,
            details: Box::new(Details {
                related: related.map(|(place, text)| (map(place), text)).collect(),
                notes: self.details.notes,
                help: self.details.help,
                section: self.details.section,
                specification: self.details.specification,
            }),
        }
    }
}

impl Diagnostic {
    /// An error.
    pub fn error(message: impl Into<String>) -> Self {
        DiagnosticAt::new(Severity::Error, message)
    }

    /// A warning.
    pub fn warning(message: impl Into<String>) -> Self {
        DiagnosticAt::new(Severity::Warning, message)
    }

    /// Where it starts, if it has a place.
    pub fn position(&self) -> Option<&Position> {
        self.place.as_ref().map(|place| &place.position)
    }
}

/// On one line, for logs and tests.
impl Display for Diagnostic {
    fn fmt(&self, f: &mut Formatter) -> std::fmt::Result {
        match self.position() {
            Some(position) => write!(f, "{position}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Diagnostic {}

impl DiagnosticAt<Span> {
    /// An error about the text at `span`.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        DiagnosticAt::new(Severity::Error, message).place(span)
    }

    /// A warning about the text at `span`.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        DiagnosticAt::new(Severity::Warning, message).place(span)
    }

    /// The text that it is about.
    pub fn span(&self) -> Span {
        self.place.unwrap_or_default()
    }
}

/// Whether any of them is an error.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics
        .iter()
        .any(|diagnostic| diagnostic.severity == Severity::Error)
}
