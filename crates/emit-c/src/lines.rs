//! Lines of C text with their depth, and with their places in the user's files.
//!
//! Debuggers and sanitizers are told the places by line markers, as a preprocessor writes them:
//!
//! ```text
//! # 12 "heat.c"
//!     double t = a[i];
//! # 12 "heat.c"
//!     a[i] = t * t;
//! ```

use accrue_image::print::line_marker;
use std::path::PathBuf;

/// A line of a source file: which of the unit's files, and its number.
pub type Place = (usize, u32);

/// Lines, each with its depth of indentation.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    lines: Vec<Line>,
    /// Where the next lines come from.
    pub place: Option<Place>,
}

#[derive(Clone, Debug)]
struct Line {
    depth: usize,
    text: String,
    place: Option<Place>,
}

impl Lines {
    /// No lines, from the place of these.
    pub fn at_same_place(&self) -> Lines {
        Lines {
            lines: vec![],
            place: self.place,
        }
    }

    /// Appends a line.
    pub fn push(&mut self, line: impl Into<String>) {
        self.lines.push(Line {
            depth: 0,
            text: line.into(),
            place: self.place,
        });
    }

    /// Appends `lines` one level deeper.
    pub fn nest(&mut self, lines: Lines) {
        let deeper = |line: Line| Line {
            depth: line.depth + 1,
            ..line
        };
        self.lines.extend(lines.lines.into_iter().map(deeper));
    }

    /// Appends `lines` at the present level.
    pub fn append(&mut self, lines: Lines) {
        self.lines.extend(lines.lines);
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The lines as expressions, if each is an expression statement of moderate length.
    pub fn as_expressions(&self) -> Option<Vec<&str>> {
        let expression = |line: &Line| {
            let starts = |word: &str| line.text.starts_with(word);
            line.depth == 0
                && line.text.ends_with(';')
                && !["goto", "break", "continue", "return"]
                    .iter()
                    .any(|w| starts(w))
        };
        let declares = |text: &str| {
            let head = text.split(" = ").next().unwrap_or(text);
            head.contains(' ')
        };
        let plain = self.lines.len() <= 3
            && self
                .lines
                .iter()
                .all(|line| expression(line) && !declares(&line.text) && line.text.len() <= 60);
        plain.then(|| {
            self.lines
                .iter()
                .map(|line| line.text.trim_end_matches(';'))
                .collect()
        })
    }

    /// The text, `depth` levels deep, with line markers if there are `files`.
    pub fn text(&self, depth: usize, files: &[PathBuf]) -> String {
        let mut text = String::new();
        // The place that the compiler would take the next line for.
        let mut expected = None;
        for line in &self.lines {
            // Directives and labels stand at the left.
            let indent = if line.text.starts_with('#') {
                0
            } else {
                4 * (depth + line.depth)
            };
            if line.place != expected {
                text.push_str(&marker(line.place, files));
            }
            text.push_str(&format!("{:indent$}{}\n", "", line.text));
            expected = line.place.map(|(file, number)| (file, number + 1));
        }
        text
    }
}

/// The marker that says where the next line comes from; empty for none of the `files`.
pub fn marker(place: Option<Place>, files: &[PathBuf]) -> String {
    let file = |(file, number): Place| Some((files.get(file)?, number));
    place
        .and_then(file)
        .map_or_else(String::new, |(file, number)| {
            line_marker(number, file.as_os_str().as_encoded_bytes())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_stand_where_places_jump() {
        let mut lines = Lines::default();
        for (place, text) in [
            (None, "long gang;"),
            (Some((0, 7)), "a;"),
            (Some((0, 8)), "b;"),
            (Some((0, 8)), "c;"),
            (Some((1, 2)), "d;"),
        ] {
            lines.place = place;
            lines.push(text);
        }
        let files = ["x.c".into(), "y\".h".into()];
        assert_eq!(
            lines.text(0, &files),
            "long gang;\n# 7 \"x.c\"\na;\nb;\n# 8 \"x.c\"\nc;\n# 2 \"y\\\".h\"\nd;\n"
        );
        assert_eq!(lines.text(0, &[]), "long gang;\na;\nb;\nc;\nd;\n");
    }
}
