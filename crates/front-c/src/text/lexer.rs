//! Just enough of C's lexical grammar to walk through preprocessed text without being fooled by strings and comments.
//!
//! Blanks and comments are skipped; a line that starts with `#` is one token, continuation lines included.

use std::borrow::Cow;

/// What a [`Token`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// An identifier or keyword.
    Word,
    /// A number, in the preprocessor's sense (`pp-number`).
    Number,
    /// A string literal with its prefix; raw strings too.
    String,
    /// A character constant with its prefix.
    Character,
    /// One byte of punctuation or anything else.
    Punctuation,
    /// A line that starts with `#`, from the `#` to before the line end.
    Line,
}

/// A token as a byte range of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Offset of its first byte.
    pub start: usize,
    /// Offset of the byte after its last one.
    pub end: usize,
}

impl Token {
    /// The bytes of the token.
    pub fn of<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

/// Walks through a text token by token.
pub struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    line_start: bool,
}

impl<'a> Lexer<'a> {
    /// A lexer for a whole file: `#` at the start of a line begins a [`TokenKind::Line`].
    pub fn new(text: &'a [u8]) -> Self {
        Lexer {
            text,
            at: 0,
            line_start: true,
        }
    }

    /// A lexer for a part of a line, where `#` is punctuation.
    pub fn inside_line(text: &'a [u8]) -> Self {
        Lexer {
            text,
            at: 0,
            line_start: false,
        }
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    /// The next token if it stands on the same logical line as the one before.
    pub fn next_on_line(&mut self) -> Option<Token> {
        self.skip_blanks();
        if self.line_start { None } else { self.next() }
    }

    /// Skips blanks, comments and escaped line ends.
    fn skip_blanks(&mut self) {
        loop {
            match (self.byte(self.at), self.byte(self.at + 1)) {
                (b'\n', _) => {
                    self.at += 1;
                    self.line_start = true;
                }
                (b' ' | b'\t' | b'\r' | 0x0b | 0x0c, _) => self.at += 1,
                (b'\\', b'\n') => self.at += 2,
                (b'\\', b'\r') if self.byte(self.at + 2) == b'\n' => self.at += 3,
                (b'/', b'/') => self.at = logical_line_end(self.text, self.at),
                (b'/', b'*') => {
                    let body = self.text.get(self.at + 2..).unwrap_or_default();
                    let length = body.windows(2).position(|pair| pair == b"*/");
                    self.at = length.map_or(self.text.len(), |length| self.at + 2 + length + 2);
                }
                _ => return,
            }
        }
    }

    /// The end of a literal that starts at the quote `at`; an unterminated one ends with its line.
    fn quoted_end(&self, at: usize) -> usize {
        let quote = self.byte(at);
        let mut end = at + 1;
        while end < self.text.len() {
            match self.byte(end) {
                b'\\' => end += 2,
                b'\n' => return end,
                byte if byte == quote => return end + 1,
                _ => end += 1,
            }
        }
        self.text.len()
    }

    /// The end of `"delimiter( … )delimiter"`, if a raw string starts at the quote `at`.
    fn raw_string_end(&self, at: usize) -> Option<usize> {
        let rest = self.text.get(at + 1..)?;
        let length = rest.iter().take(17).position(|&byte| byte == b'(')?;
        let mut close = vec![b')'];
        close.extend_from_slice(&rest[..length]);
        close.push(b'"');
        let body = &rest[length + 1..];
        let end = body
            .windows(close.len())
            .position(|window| window == close)?;
        Some(at + 1 + length + 1 + end + close.len())
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.skip_blanks();
        let start = self.at;
        if start >= self.text.len() {
            return None;
        }
        let first = self.byte(start);
        let line_start = std::mem::replace(&mut self.line_start, false);
        let (kind, end) = if first == b'#' && line_start {
            (TokenKind::Line, logical_line_end(self.text, start))
        } else if is_word_start(first) || universal_end(self.text, start).is_some() {
            let end = word_end(self.text, start);
            match (self.byte(end), &self.text[start..end]) {
                (b'"', b"R" | b"LR" | b"uR" | b"UR" | b"u8R") => match self.raw_string_end(end) {
                    Some(end) => (TokenKind::String, end),
                    None => (TokenKind::Word, end),
                },
                (b'"', b"L" | b"u" | b"U" | b"u8") => (TokenKind::String, self.quoted_end(end)),
                (b'\'', b"L" | b"u" | b"U" | b"u8") => (TokenKind::Character, self.quoted_end(end)),
                _ => (TokenKind::Word, end),
            }
        } else if first.is_ascii_digit() || (first == b'.' && self.byte(start + 1).is_ascii_digit())
        {
            (TokenKind::Number, number_end(self.text, start))
        } else if first == b'"' {
            (TokenKind::String, self.quoted_end(start))
        } else if first == b'\'' {
            (TokenKind::Character, self.quoted_end(start))
        } else {
            let digraph = matches!((first, self.byte(start + 1)), (b'<', b'%') | (b'%', b'>'));
            (TokenKind::Punctuation, start + 1 + usize::from(digraph))
        };
        self.at = end.min(self.text.len());
        Some(Token {
            kind,
            start,
            end: self.at,
        })
    }
}

/// Whether a byte may start an identifier; bytes of non-ASCII characters may.
pub fn is_word_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// Whether a byte may continue an identifier.
pub fn is_word(byte: u8) -> bool {
    is_word_start(byte) || byte.is_ascii_digit()
}

/// The end of the identifier that starts at `start`.
fn word_end(text: &[u8], start: usize) -> usize {
    let mut end = start;
    while let Some(&byte) = text.get(end) {
        match universal_end(text, end) {
            Some(behind) => end = behind,
            None if is_word(byte) => end += 1,
            None => break,
        }
    }
    end
}

/// An identifier with characters in place of universal character names (C11 6.4.3), which gcc writes for those beyond ASCII.
pub fn name_of(word: &[u8]) -> Cow<'_, [u8]> {
    if !word.contains(&b'\\') {
        return Cow::Borrowed(word);
    }
    let mut name = Vec::new();
    let mut at = 0;
    while let Some(&byte) = word.get(at) {
        let character = universal_character(word, at);
        match character {
            Some((character, _)) => name.extend_from_slice(character.to_string().as_bytes()),
            None => name.push(byte),
        }
        at = character.map_or(at + 1, |(_, end)| end);
    }
    Cow::Owned(name)
}

/// The universal character name at an offset: its character and its end.
pub fn universal_character(text: &[u8], at: usize) -> Option<(char, usize)> {
    let end = universal_end(text, at)?;
    let digits = std::str::from_utf8(text.get(at + 2..end)?).ok()?;
    let character = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
    Some((character, end))
}

/// The end of the universal character name (`\u03b1`, `\U000003b1`) at an offset.
fn universal_end(text: &[u8], at: usize) -> Option<usize> {
    let length = match text.get(at..at + 2)? {
        b"\\u" => 6,
        b"\\U" => 10,
        _ => return None,
    };
    let digits = text.get(at + 2..at + length)?;
    digits
        .iter()
        .all(u8::is_ascii_hexdigit)
        .then_some(at + length)
}

/// The end of a preprocessing number: digits, letters, dots, and signs after an exponent letter.
fn number_end(text: &[u8], start: usize) -> usize {
    let mut end = start + 1;
    while let Some(&byte) = text.get(end) {
        let after_exponent = matches!(text[end - 1], b'e' | b'E' | b'p' | b'P');
        if is_word(byte) || byte == b'.' || (after_exponent && matches!(byte, b'+' | b'-')) {
            end += 1;
        } else {
            break;
        }
    }
    end
}

/// The offset of the line end that ends the line holding `at`, escaped line ends passed over.
pub fn logical_line_end(text: &[u8], at: usize) -> usize {
    let mut from = at;
    loop {
        let Some(length) = text
            .get(from..)
            .and_then(|rest| rest.iter().position(|&byte| byte == b'\n'))
        else {
            return text.len();
        };
        let end = from + length;
        let line = text[at..end].strip_suffix(b"\r").unwrap_or(&text[at..end]);
        if !line.ends_with(b"\\") {
            return end;
        }
        from = end + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        Lexer::new(text.as_bytes())
            .map(|token| &text[token.start..token.end])
            .collect()
    }

    #[test]
    fn strings_and_comments_hide_hashes() {
        assert_eq!(
            words("a /* \n#pragma acc wait\n*/ \"x\\\"#\" // #\nb"),
            ["a", "\"x\\\"#\"", "b"]
        );
        assert_eq!(
            words("R\"(\n#pragma acc wait\n)\" u8R\"d()\")d\" R"),
            ["R\"(\n#pragma acc wait\n)\"", "u8R\"d()\")d\"", "R"]
        );
    }

    #[test]
    fn a_line_is_one_token_with_its_continuations() {
        assert_eq!(
            words("x # y\n  #pragma a \\\n b\nc"),
            ["x", "#", "y", "#pragma a \\\n b", "c"]
        );
    }

    #[test]
    fn universal_character_names_are_letters() {
        assert_eq!(
            words("Gr\\U000000f6\\u00dfe \\u03b1[\\u03] \\n"),
            [
                "Gr\\U000000f6\\u00dfe",
                "\\u03b1",
                "[",
                "\\",
                "u03",
                "]",
                "\\",
                "n"
            ]
        );
    }

    #[test]
    fn numbers_keep_their_signs() {
        assert_eq!(words("1.5e-3f+.5 0x1p+2"), ["1.5e-3f", "+", ".5", "0x1p+2"]);
    }

    #[test]
    fn unterminated_literals_end() {
        assert_eq!(words("\"abc\nd '"), ["\"abc", "d", "'"]);
        assert_eq!(words("/* a"), Vec::<&str>::new());
        assert_eq!(words("\"\\"), ["\"\\"]);
    }
}
