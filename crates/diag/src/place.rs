//! Places: in a text, and in the user's files.

use std::sync::Arc;

/// A half-open byte range in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset of the byte after the last one.
    pub end: usize,
}

impl Span {
    /// The range `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// The part of `text` that this span covers; empty if the span does not belong to `text`.
    pub fn of<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start..self.end).unwrap_or("")
    }

    /// Whether the span covers nothing.
    pub fn is_empty(&self) -> bool {
        self.start >= self.end
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }
}

/// A position in one of the user's files.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The file as the preprocessor names it.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: usize,
    /// The column in bytes, from 1; 1 where only the line is known.
    pub column: usize,
}

impl std::fmt::Display for Position {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A stretch of one line of one of the user's files.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Its first byte.
    pub position: Position,
    /// Its length in bytes; 0 where only the position is known.
    pub length: usize,
}
