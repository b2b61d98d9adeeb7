//! Lines of C text with their depth.

/// Lines, each with its depth of indentation.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    lines: Vec<(usize, String)>,
}

impl Lines {
    /// Appends a line.
    pub fn push(&mut self, line: impl Into<String>) {
        self.lines.push((0, line.into()));
    }

    /// Appends `lines` one level deeper.
    pub fn nest(&mut self, lines: Lines) {
        self.lines
            .extend(lines.lines.into_iter().map(|(d, text)| (d + 1, text)));
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
        let expression = |(depth, text): &'_ (usize, String)| {
            let starts = |word: &str| text.starts_with(word);
            *depth == 0
                && text.ends_with(';')
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
                .all(|line| expression(line) && !declares(&line.1) && line.1.len() <= 60);
        plain.then(|| {
            self.lines
                .iter()
                .map(|(_, text)| text.trim_end_matches(';'))
                .collect()
        })
    }

    /// The text, `depth` levels deep.
    pub fn text(&self, depth: usize) -> String {
        let line = |(d, text): &(usize, String)| {
            // Directives and labels stand at the left.
            let indent = if text.starts_with('#') {
                0
            } else {
                4 * (depth + d)
            };
            format!("{:indent$}{text}\n", "")
        };
        self.lines.iter().map(line).collect()
    }
}
