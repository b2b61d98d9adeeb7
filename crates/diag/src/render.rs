//! Diagnostics as the user sees them.

use crate::{Diagnostic, Place, Severity, SourceFiles};
use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet,
};

/// The diagnostics as text, in their order, each followed by a line end. `styled` adds terminal colours.
pub fn render(diagnostics: &[Diagnostic], files: &SourceFiles, styled: bool) -> String {
    let renderer = if styled {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    diagnostics
        .iter()
        .map(|diagnostic| renderer.render(&[group(diagnostic, files)]) + "\n")
        .collect()
}

fn group<'a>(diagnostic: &'a Diagnostic, files: &SourceFiles) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = level
        .primary_title(diagnostic.message.as_str())
        .elements(Vec::<Element<'a>>::new());
    if let Some(place) = &diagnostic.place {
        group = group.element(snippet(
            place,
            &diagnostic.label,
            AnnotationKind::Primary,
            files,
        ));
    }
    for (place, text) in &diagnostic.details.related {
        group = group.element(snippet(place, text, AnnotationKind::Context, files));
    }
    for note in &diagnostic.details.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    if let Some(help) = &diagnostic.details.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    if let Some(section) = &diagnostic.details.section {
        let specification = diagnostic.details.specification.name();
        group = group.element(Level::NOTE.message(format!("{specification}, section {section}")));
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
    use super::*;
    use crate::Position;

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
        let message = Diagnostic::error("unknown directive")
            .place(place(13, 4))
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
        let message = Diagnostic::warning("odd").place(place(3, 9));
        assert!(render(std::slice::from_ref(&message), &files, false).contains("a.c:2:3"));
        files.insert("a.c", "\né".as_bytes());
        assert!(render(&[message], &files, false).contains("a.c:2"));
    }
}
