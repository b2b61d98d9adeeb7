//! Byte ranges in the text of one directive.

/// A half-open byte range in the text given to [`parse`](crate::parse).
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
