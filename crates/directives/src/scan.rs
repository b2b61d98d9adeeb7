//! Cutting expression text without understanding it.
//!
//! A directive is cut at the commas and colons that stand outside of brackets and literals. To know which ones those
//! are, the scanner knows comments, string and character literals, the three kinds of brackets, C++ `::` and
//! template argument lists, and that the `:` of `a ? b : c` belongs to its `?`.

use crate::Span;
use crate::ast::Language;

/// The text of a directive in its language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    pub text: &'a str,
    pub language: Language,
}

/// A piece of text on the outermost level of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// One byte that is none of the following.
    Byte(usize, u8),
    /// A bracketed group, brackets included.
    Group(Span),
    /// A string or character literal.
    Literal(Span),
    /// Blanks and comments.
    Blank(Span),
}

/// Why a directive cannot be cut at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unbalanced {
    /// Nothing closes the bracket here.
    NotClosed(usize),
    /// The bracket at the second place closes nothing, or closes the one at the first place, of another kind.
    WrongClose(Option<usize>, usize),
    /// The literal that begins here does not end.
    OpenLiteral(usize),
}

/// How far the scanner looks for what it only guesses, a template argument list or the beginning of a number, so that
/// hostile text costs no more than long text.
const LOOK: usize = 200;

/// A byte of an identifier; `$` (a GNU extension) and bytes of characters beyond ASCII count as letters.
pub(crate) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn closing(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}

impl<'a> Text<'a> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn starts_with(&self, at: usize, what: &str) -> bool {
        self.text
            .as_bytes()
            .get(at..)
            .is_some_and(|rest| rest.starts_with(what.as_bytes()))
    }

    /// The text of a span.
    pub fn of(&self, span: Span) -> &'a str {
        span.of(self.text)
    }

    /// The whole text.
    pub fn span(&self) -> Span {
        Span::new(0, self.text.len())
    }

    /// The end of the blanks and comments that begin at `at`.
    pub fn skip_blanks(&self, mut at: usize, end: usize) -> usize {
        while at < end {
            let next = self.blank_end(at, end);
            if next == at {
                break;
            }
            at = next;
        }
        at
    }

    fn blank_end(&self, at: usize, end: usize) -> usize {
        let line_end = |from: usize| {
            let rest = self.text.as_bytes().get(from..end).unwrap_or(&[]);
            rest.iter()
                .position(|byte| *byte == b'\n')
                .map_or(end, |offset| from + offset)
        };
        match (self.byte(at), self.language) {
            (Some(byte), _) if byte.is_ascii_whitespace() => at + 1,
            (Some(b'!'), Language::Fortran) => line_end(at),
            (Some(b'\\'), Language::C | Language::Cxx) if self.starts_with(at + 1, "\n") => at + 2,
            (Some(b'\\'), Language::C | Language::Cxx) if self.starts_with(at + 1, "\r\n") => {
                at + 3
            }
            (Some(b'/'), Language::C | Language::Cxx) if self.starts_with(at, "//") => line_end(at),
            (Some(b'/'), Language::C | Language::Cxx) if self.starts_with(at, "/*") => {
                let rest = self.text.get(at + 2..end).unwrap_or("");
                rest.find("*/").map_or(end, |offset| at + 2 + offset + 2)
            }
            _ => at,
        }
    }

    /// The identifier that begins at `at`.
    pub fn word(&self, at: usize, end: usize) -> Option<Span> {
        let bytes = self.text.as_bytes().get(at..end)?;
        let first = bytes.first()?;
        if !is_word_byte(*first) || first.is_ascii_digit() {
            return None;
        }
        let length = bytes
            .iter()
            .position(|byte| !is_word_byte(*byte))
            .unwrap_or(bytes.len());
        Some(Span::new(at, at + length))
    }

    /// The end of the literal that begins at `at`; `None` if none begins there, `Some(None)` if it does not end.
    fn literal_end(&self, at: usize, end: usize) -> Option<Option<usize>> {
        let quote = self
            .byte(at)
            .filter(|byte| *byte == b'"' || *byte == b'\'')?;
        if self.language == Language::Fortran {
            let rest = self.text.as_bytes().get(at + 1..end).unwrap_or(&[]);
            return Some(
                rest.iter()
                    .position(|byte| *byte == quote)
                    .map(|offset| at + offset + 2),
            );
        }
        if quote == b'\'' && self.is_digit_separator(at) {
            return None;
        }
        if quote == b'"'
            && self.language == Language::Cxx
            && at > 0
            && self.byte(at - 1) == Some(b'R')
        {
            let rest = self.text.get(at + 1..end).unwrap_or("");
            let open = rest.find('(')?;
            let close = format!("){}\"", rest.get(..open).unwrap_or(""));
            return Some(
                rest.find(&close)
                    .map(|offset| at + 1 + offset + close.len()),
            );
        }
        let mut next = at + 1;
        while next < end {
            match self.byte(next) {
                Some(b'\\') => next += 2,
                Some(byte) if byte == quote => return Some(Some(next + 1)),
                _ => next += 1,
            }
        }
        Some(None)
    }

    /// `1'000'000`
    fn is_digit_separator(&self, at: usize) -> bool {
        let bytes = self.text.as_bytes();
        let before = bytes.get(at.saturating_sub(LOOK)..at).unwrap_or(&[]);
        let start = before
            .iter()
            .rposition(|byte| !is_word_byte(*byte) && *byte != b'\'')
            .map_or(0, |position| position + 1);
        before.get(start).is_some_and(u8::is_ascii_digit)
            && self
                .byte(at + 1)
                .is_some_and(|byte| byte.is_ascii_hexdigit())
    }

    /// The end of the bracketed group that begins at `open`.
    fn group_end(&self, open: usize, end: usize) -> Result<usize, Unbalanced> {
        let mut stack = vec![(open, self.byte(open).unwrap_or(b'('))];
        let mut at = open + 1;
        while at < end {
            let after_blanks = self.skip_blanks(at, end);
            if after_blanks > at {
                at = after_blanks;
                continue;
            }
            match self.literal_end(at, end) {
                Some(Some(next)) => {
                    at = next;
                    continue;
                }
                Some(None) => return Err(Unbalanced::OpenLiteral(at)),
                None => {}
            }
            match self.byte(at) {
                Some(byte @ (b'(' | b'[' | b'{')) => stack.push((at, byte)),
                Some(byte @ (b')' | b']' | b'}')) => match stack.pop() {
                    Some((place, bracket)) if closing(bracket) != byte => {
                        return Err(Unbalanced::WrongClose(Some(place), at));
                    }
                    Some(_) if stack.is_empty() => return Ok(at + 1),
                    Some(_) => {}
                    None => return Err(Unbalanced::WrongClose(None, at)),
                },
                _ => {}
            }
            at += 1;
        }
        Err(Unbalanced::NotClosed(
            stack.last().map_or(open, |(place, _)| *place),
        ))
    }

    /// The piece that begins at `at`.
    pub fn piece(&self, at: usize, end: usize) -> Result<Piece, Unbalanced> {
        let after_blanks = self.skip_blanks(at, end);
        if after_blanks > at {
            return Ok(Piece::Blank(Span::new(at, after_blanks)));
        }
        match self.literal_end(at, end) {
            Some(Some(next)) => return Ok(Piece::Literal(Span::new(at, next))),
            Some(None) => return Err(Unbalanced::OpenLiteral(at)),
            None => {}
        }
        match self.byte(at).unwrap_or(0) {
            b'(' | b'[' | b'{' => Ok(Piece::Group(Span::new(at, self.group_end(at, end)?))),
            b')' | b']' | b'}' => Err(Unbalanced::WrongClose(None, at)),
            byte => Ok(Piece::Byte(at, byte)),
        }
    }

    /// Whether all brackets and literals of the text end.
    pub fn check_balance(&self) -> Result<(), Unbalanced> {
        let end = self.text.len();
        let mut at = 0;
        while at < end {
            at = piece_span(self.piece(at, end)?).end;
        }
        Ok(())
    }

    /// The pieces of a span of balanced text. In C++, a template argument list is a group.
    pub fn pieces(&self, span: Span) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut at = span.start;
        while at < span.end {
            let piece = match self.template_end(at, span) {
                Some(end) => Piece::Group(Span::new(at, end)),
                None => match self.piece(at, span.end) {
                    Ok(piece) => piece,
                    Err(_) => break,
                },
            };
            at = piece_span(piece).end;
            pieces.push(piece);
        }
        pieces
    }

    /// The end of the template argument list that begins at `at`. Whether `f<a, b>(c)` is one can only be known with
    /// the declaration of `f`; it is taken for one if it follows a name and a `(`, `{` or `::` follows it.
    fn template_end(&self, at: usize, span: Span) -> Option<usize> {
        let after_name = at > span.start && self.byte(at - 1).is_some_and(is_word_byte);
        if self.language != Language::Cxx || self.byte(at) != Some(b'<') || !after_name {
            return None;
        }
        let mut depth = 0usize;
        let mut next = at;
        while next < span.end.min(at + LOOK) {
            match self.piece(next, span.end).ok()? {
                Piece::Byte(_, b';' | b'&' | b'|') if self.byte(next + 1) == self.byte(next) => {
                    return None;
                }
                Piece::Byte(_, b'-') if self.starts_with(next, "->") => next += 1,
                Piece::Byte(_, b'<') => depth += 1,
                Piece::Byte(_, b'>') => depth -= 1,
                piece => next = piece_span(piece).end - 1,
            }
            next += 1;
            if depth == 0 {
                let follows = self.skip_blanks(next, span.end);
                let is_template = matches!(self.byte(follows), Some(b'(' | b'{'))
                    || self.starts_with(follows, "::");
                return (is_template && follows < span.end).then_some(next);
            }
        }
        None
    }

    /// The span without the blanks at its ends.
    pub fn trim(&self, span: Span) -> Span {
        let start = self.skip_blanks(span.start, span.end);
        let end = self
            .pieces(Span::new(start, span.end))
            .into_iter()
            .filter(|piece| !matches!(piece, Piece::Blank(_)))
            .map(|piece| piece_span(piece).end)
            .next_back()
            .unwrap_or(start);
        Span::new(start, end)
    }

    /// The span between the brackets of a group, trimmed.
    pub fn inside(&self, group: Span) -> Span {
        let end = group.end.saturating_sub(1).max(group.start + 1);
        self.trim(Span::new(group.start + 1, end))
    }

    /// The parts between the commas of the outermost level, trimmed. A blank span is one blank part.
    pub fn split_commas(&self, span: Span) -> Vec<Span> {
        let commas = self
            .pieces(span)
            .into_iter()
            .filter_map(|piece| match piece {
                Piece::Byte(at, b',') => Some(at),
                Piece::Byte(..) | Piece::Group(_) | Piece::Literal(_) | Piece::Blank(_) => None,
            });
        self.cut(span, commas)
    }

    /// The parts between the colons of the outermost level, trimmed.
    pub fn split_colons(&self, span: Span) -> Vec<Span> {
        self.cut(span, self.colons(span).into_iter())
    }

    fn cut(&self, span: Span, places: impl Iterator<Item = usize>) -> Vec<Span> {
        let mut parts = Vec::new();
        let mut start = span.start;
        for place in places {
            parts.push(self.trim(Span::new(start, place)));
            start = place + 1;
        }
        parts.push(self.trim(Span::new(start, span.end)));
        parts
    }

    /// The colons of the outermost level that are neither part of a C++ `::` nor of `? :`.
    pub fn colons(&self, span: Span) -> Vec<usize> {
        let mut colons = Vec::new();
        let mut open_questions = 0usize;
        let mut skip_to = span.start;
        for piece in self.pieces(span) {
            match piece {
                Piece::Byte(at, _) if at < skip_to => {}
                Piece::Byte(_, b'?') => open_questions += 1,
                Piece::Byte(at, b':')
                    if self.language == Language::Cxx && self.starts_with(at, "::") =>
                {
                    skip_to = at + 2;
                }
                Piece::Byte(_, b':') if open_questions > 0 => open_questions -= 1,
                Piece::Byte(at, b':') => colons.push(at),
                Piece::Byte(..) | Piece::Group(_) | Piece::Literal(_) | Piece::Blank(_) => {}
            }
        }
        colons
    }

    /// `keyword :` at the beginning of a span: the keyword and what follows the colon.
    pub fn keyword_colon(&self, span: Span) -> Option<(Span, Span)> {
        let word = self.word(span.start, span.end)?;
        let colon = self.skip_blanks(word.end, span.end);
        let is_colon = colon < span.end && self.byte(colon) == Some(b':');
        let is_scope = self.language == Language::Cxx && self.starts_with(colon, "::");
        (is_colon && !is_scope).then(|| (word, self.trim(Span::new(colon + 1, span.end))))
    }
}

/// Where a piece stands.
pub(crate) fn piece_span(piece: Piece) -> Span {
    match piece {
        Piece::Byte(at, _) => Span::new(at, at + 1),
        Piece::Group(span) | Piece::Literal(span) | Piece::Blank(span) => span,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str, language: Language, colons: bool) -> Vec<&str> {
        let text = Text { text, language };
        let spans = if colons {
            text.split_colons(text.span())
        } else {
            text.split_commas(text.span())
        };
        spans.into_iter().map(|span| text.of(span)).collect()
    }

    #[test]
    fn commas_in_brackets_and_literals_do_not_cut() {
        assert_eq!(
            parts("f(a, b), ',', \"x,\\\",\", [a,b]", Language::C, false),
            ["f(a, b)", "','", "\"x,\\\",\"", "[a,b]"]
        );
        assert_eq!(
            parts("'it''s,', a", Language::Fortran, false),
            ["'it''s,'", "a"]
        );
        assert_eq!(parts("1'000, 2", Language::Cxx, false), ["1'000", "2"]);
        assert_eq!(parts("a /* , */, b", Language::C, false), ["a", "b"]);
        assert_eq!(
            parts("R\"(a,\",)\", b", Language::Cxx, false),
            ["R\"(a,\",)\"", "b"]
        );
    }

    #[test]
    fn template_arguments_are_one_group_where_a_call_follows() {
        assert_eq!(
            parts("f<a, b>(c), d", Language::Cxx, false),
            ["f<a, b>(c)", "d"]
        );
        assert_eq!(
            parts("f<g<a, b>, c>::x, d", Language::Cxx, false),
            ["f<g<a, b>, c>::x", "d"]
        );
        assert_eq!(
            parts("a < b, c > d", Language::Cxx, false),
            ["a < b", "c > d"]
        );
        assert_eq!(parts("f<a, b>(c)", Language::C, false), ["f<a", "b>(c)"]);
    }

    #[test]
    fn ternaries_and_scopes_keep_their_colons() {
        assert_eq!(
            parts("a ? b : c : d", Language::C, true),
            ["a ? b : c", "d"]
        );
        assert_eq!(parts("n::a : n::b", Language::Cxx, true), ["n::a", "n::b"]);
        assert_eq!(parts("::2", Language::Fortran, true), ["", "", "2"]);
    }

    #[test]
    fn brackets_are_matched_by_kind() {
        let check = |text| {
            Text {
                text,
                language: Language::C,
            }
            .check_balance()
        };
        assert_eq!(check("a(b[c]{d})"), Ok(()));
        assert_eq!(check("a(b]"), Err(Unbalanced::WrongClose(Some(1), 3)));
        assert_eq!(check("a(b"), Err(Unbalanced::NotClosed(1)));
        assert_eq!(check("a)"), Err(Unbalanced::WrongClose(None, 1)));
        assert_eq!(check("a('b)"), Err(Unbalanced::OpenLiteral(2)));
    }
}
