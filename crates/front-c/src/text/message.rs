//! What the C front end tells the user: one mistake, its place in his file, the rule, the way out.
//!
//! ```text
//! error: use of undeclared identifier 'm'
//!  --> heat.c:12:31
//!    |
//! 12 | #pragma acc parallel copy(a[0:m])
//!    |                               ^
//! ```

use super::position::{Place, SourceFiles};
pub use accrue_directives::Severity;
use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet,
};

/// A message about the user's program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// How bad it is.
    pub severity: Severity,
    /// One sentence without a full stop, lower case first.
    pub text: String,
    /// The place it is about; `None` if it is about the whole file or the installation.
    pub place: Option<Place>,
    /// What stands at the carets; may be empty.
    pub label: String,
    /// What else there is to say.
    pub remarks: Box<Remarks>,
}

/// What a message says besides its one sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remarks {
    /// Other places that matter.
    pub related: Vec<(Place, String)>,
    /// What the user may want to know.
    pub notes: Vec<String>,
    /// The way out.
    pub help: Option<String>,
    /// The section of OpenACC 3.4 that the rule comes from.
    pub section: Option<String>,
}

impl Message {
    /// An error.
    pub fn error(text: impl Into<String>) -> Self {
        Message::new(Severity::Error, text)
    }

    /// A warning.
    pub fn warning(text: impl Into<String>) -> Self {
        Message::new(Severity::Warning, text)
    }

    /// A message without a place.
    pub fn new(severity: Severity, text: impl Into<String>) -> Self {
        Message {
            severity,
            text: text.into(),
            place: None,
            label: String::new(),
            remarks: Box::default(),
        }
    }

    /// Says where.
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Says what stands at the carets.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds another place.
    pub fn related(mut self, place: Place, text: impl Into<String>) -> Self {
        self.remarks.related.push((place, text.into()));
        self
    }

    /// Adds a remark.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.remarks.notes.push(note.into());
        self
    }

    /// Says what to do.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.remarks.help = Some(help.into());
        self
    }

    /// Names the section of OpenACC 3.4 that the rule comes from.
    pub fn section(mut self, section: impl Into<String>) -> Self {
        self.remarks.section = Some(section.into());
        self
    }
}

/// Whether any of the messages is an error.
pub fn has_errors(messages: &[Message]) -> bool {
    messages
        .iter()
        .any(|message| message.severity == Severity::Error)
}

/// The messages as text, in their order, each followed by a line end. `styled` adds terminal colours.
pub fn render(messages: &[Message], files: &SourceFiles, styled: bool) -> String {
    let renderer = if styled {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    messages
        .iter()
        .map(|message| renderer.render(&[group(message, files)]) + "\n")
        .collect()
}

fn group<'a>(message: &'a Message, files: &SourceFiles) -> Group<'a> {
    let level = match message.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = level
        .primary_title(message.text.as_str())
        .elements(Vec::<Element<'a>>::new());
    if let Some(place) = &message.place {
        group = group.element(snippet(
            place,
            &message.label,
            AnnotationKind::Primary,
            files,
        ));
    }
    for (place, text) in &message.remarks.related {
        group = group.element(snippet(place, text, AnnotationKind::Context, files));
    }
    for note in &message.remarks.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    if let Some(help) = &message.remarks.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    if let Some(section) = &message.remarks.section {
        group = group.element(Level::NOTE.message(format!("OpenACC 3.4, section {section}")));
    }
    group
}

/// The user's line with the place marked; the bare position when the file cannot be read.
fn snippet<'a>(
    place: &'a Place,
    label: &'a str,
    kind: AnnotationKind,
    files: &SourceFiles,
) -> Element<'a> {
    let position = &place.position;
    let Some(line) = files.line(&position.file, position.line) else {
        return Element::from(
            Origin::path(&*position.file)
                .line(position.line)
                .char_column(position.column),
        );
    };
    let start = floor_boundary(&line, position.column.saturating_sub(1));
    let end = floor_boundary(&line, start + place.length.max(1)).max(start);
    let annotation: Annotation<'a> = kind.span(start..end);
    let annotation = if label.is_empty() {
        annotation
    } else {
        annotation.label(label)
    };
    Element::from(
        Snippet::source(line)
            .line_start(position.line)
            .path(&*position.file)
            .annotation(annotation),
    )
}

/// The nearest character boundary at or before a byte offset.
fn floor_boundary(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at)
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::position::Position;
    use super::*;

    fn place(column: usize, length: usize) -> Place {
        Place {
            position: Position {
                file: "a.c".into(),
                line: 2,
                column,
            },
            length,
        }
    }

    #[test]
    fn a_message_shows_the_line_the_rule_and_the_way_out() {
        let files = SourceFiles::default();
        files.insert("a.c", "int x;\n#pragma acc wayt(é)\r\n".as_bytes());
        let message = Message::error("unknown directive")
            .at(place(13, 4))
            .label("here")
            .help("did you mean `wait`?");
        let text = render(&[message.section("2.16.3")], &files, false);
        let expected = "\
error: unknown directive
 --> a.c:2:13
  |
2 | #pragma acc wayt(é)
  |             ^^^^ here
  |
  = help: did you mean `wait`?
  = note: OpenACC 3.4, section 2.16.3
";
        assert_eq!(text, expected);
    }

    #[test]
    fn places_outside_of_the_file_are_harmless() {
        let files = SourceFiles::default();
        let message = Message::warning("odd").at(place(3, 9));
        assert!(render(std::slice::from_ref(&message), &files, false).contains("a.c:2:3"));
        files.insert("a.c", "\né".as_bytes());
        assert!(render(&[message], &files, false).contains("a.c:2"));
    }
}
