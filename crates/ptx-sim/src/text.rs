//! PTX text → tokens.
//!
//! A word with its suffixes comes as one `Word` and several `Dot`s: `ld.param.u64 %rd1` is `Word(ld) Dot(param) Dot(u64)
//! Word(%rd1)`. `.L2::128B` is one `Dot`. Comments are left out, but for notes of the compiler: `//@ accrue single block`
//! is `Note(single block)`.

use crate::LoadError;

#[derive(Clone, Debug, PartialEq)]
pub enum Tok<'a> {
    /// A name, a register (`%r1`), an opcode's first part.
    Word(&'a str),
    /// What follows a dot, without it.
    Dot(&'a str),
    Int(u64),
    /// `0f3F800000`: bits of a single.
    Single(u32),
    /// `0d3FF0000000000000` or `1.5`: bits of a double.
    Double(u64),
    Text(String),
    /// What the compiler says about the code that follows.
    Note(&'a str),
    Punct(char),
    End,
}

#[derive(Clone, Debug)]
pub struct Token<'a> {
    pub tok: Tok<'a>,
    pub line: u32,
}

/// Cuts the text into tokens; the last one is `End`.
pub fn tokens(text: &str) -> Result<Vec<Token<'_>>, LoadError> {
    let mut lexer = Lexer {
        text,
        at: 0,
        line: 1,
    };
    let mut out = Vec::with_capacity(text.len() / 4);
    loop {
        lexer.skip_blank()?;
        let line = lexer.line;
        let tok = lexer.next()?;
        let end = tok == Tok::End;
        out.push(Token { tok, line });
        if end {
            return Ok(out);
        }
    }
}

/// How notes begin.
const NOTE: &str = "//@ accrue ";

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: u32,
}

fn in_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c == b'$'
}

impl<'a> Lexer<'a> {
    fn error<T>(&self, message: impl Into<String>) -> Result<T, LoadError> {
        Err(LoadError::new(self.line, message))
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text
            .as_bytes()
            .get(self.at + ahead)
            .copied()
            .unwrap_or(0)
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_blank(&mut self) -> Result<(), LoadError> {
        loop {
            match (self.peek(0), self.peek(1)) {
                (b'\n', _) => {
                    self.line += 1;
                    self.at += 1;
                }
                (b' ' | b'\t' | b'\r', _) => self.at += 1,
                (b'/', b'/') if self.rest().starts_with(NOTE) => return Ok(()),
                (b'/', b'/') => {
                    while self.at < self.text.len() && self.peek(0) != b'\n' {
                        self.at += 1;
                    }
                }
                (b'/', b'*') => {
                    let Some(length) = self.text.as_bytes()[self.at + 2..]
                        .windows(2)
                        .position(|w| w == b"*/")
                    else {
                        return self.error("comment without end");
                    };
                    let end = self.at + 2 + length + 2;
                    self.line += self.text.as_bytes()[self.at..end]
                        .iter()
                        .filter(|c| **c == b'\n')
                        .count() as u32;
                    self.at = end;
                }
                // A trailing NUL is what the driver's API asks for.
                (0, _) if self.at < self.text.len() => self.at += 1,
                _ => return Ok(()),
            }
        }
    }

    /// The longest run of characters that `keep` accepts, from `start` of the text.
    fn run(&mut self, start: usize, keep: impl Fn(u8) -> bool) -> &'a str {
        while self.at < self.text.len() && keep(self.peek(0)) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    fn next(&mut self) -> Result<Tok<'a>, LoadError> {
        if self.at >= self.text.len() {
            return Ok(Tok::End);
        }
        let start = self.at;
        match self.peek(0) {
            b'0'..=b'9' => self.number(),
            b'"' => self.string(),
            b'/' if self.rest().starts_with(NOTE) => {
                self.at += NOTE.len();
                Ok(Tok::Note(
                    self.run(start + NOTE.len(), |c| c != b'\n').trim_end(),
                ))
            }
            b'.' if in_word(self.peek(1)) => {
                self.at += 1;
                self.run(start, in_word);
                while self.peek(0) == b':' && self.peek(1) == b':' && in_word(self.peek(2)) {
                    self.at += 2;
                    self.run(start, in_word);
                }
                Ok(Tok::Dot(&self.text[start + 1..self.at]))
            }
            c if in_word(c) || c == b'%' => {
                self.at += 1;
                Ok(Tok::Word(self.run(start, in_word)))
            }
            c if c.is_ascii_punctuation() => {
                self.at += 1;
                Ok(Tok::Punct(c as char))
            }
            _ => {
                let c = self.text[start..].chars().next().unwrap_or('?');
                self.error(format!("unexpected character {c:?}"))
            }
        }
    }

    fn number(&mut self) -> Result<Tok<'a>, LoadError> {
        let start = self.at;
        if self.peek(0) == b'0'
            && matches!(
                self.peek(1),
                b'f' | b'F' | b'd' | b'D' | b'x' | b'X' | b'b' | b'B'
            )
        {
            let kind = self.peek(1).to_ascii_lowercase();
            self.at += 2;
            let digits = self.run(start + 2, |c| c.is_ascii_hexdigit());
            let radix = if kind == b'b' { 2 } else { 16 };
            let Ok(value) = u64::from_str_radix(digits, radix) else {
                return self.error(format!("bad number `{}`", &self.text[start..self.at]));
            };
            return match (kind, digits.len()) {
                (b'f', 8) => Ok(Tok::Single(value as u32)),
                (b'd', 16) => Ok(Tok::Double(value)),
                (b'f' | b'd', _) => {
                    self.error(format!("bad number `{}`", &self.text[start..self.at]))
                }
                _ => {
                    self.unsigned_mark();
                    Ok(Tok::Int(value))
                }
            };
        }
        let digits = self.run(start, |c| c.is_ascii_digit());
        let fraction = self.peek(0) == b'.' && self.peek(1).is_ascii_digit();
        if fraction || matches!(self.peek(0), b'e' | b'E') {
            if fraction {
                self.at += 1;
                self.run(start, |c| c.is_ascii_digit());
            }
            if matches!(self.peek(0), b'e' | b'E') {
                self.at += 1;
                if matches!(self.peek(0), b'+' | b'-') {
                    self.at += 1;
                }
                self.run(start, |c| c.is_ascii_digit());
            }
            return match self.text[start..self.at].parse::<f64>() {
                Ok(value) => Ok(Tok::Double(value.to_bits())),
                Err(_) => self.error(format!("bad number `{}`", &self.text[start..self.at])),
            };
        }
        let value = match digits.strip_prefix('0') {
            Some(octal) if !octal.is_empty() => u64::from_str_radix(octal, 8),
            _ => digits.parse(),
        };
        match value {
            Ok(value) => {
                self.unsigned_mark();
                Ok(Tok::Int(value))
            }
            Err(_) => self.error(format!("bad number `{digits}`")),
        }
    }

    fn unsigned_mark(&mut self) {
        if self.peek(0) == b'U' {
            self.at += 1;
        }
    }

    fn string(&mut self) -> Result<Tok<'a>, LoadError> {
        self.at += 1;
        let start = self.at;
        while self.at < self.text.len() && self.peek(0) != b'"' && self.peek(0) != b'\n' {
            self.at += if self.peek(0) == b'\\' { 2 } else { 1 };
        }
        if self.peek(0) != b'"' {
            return self.error("string without end");
        }
        let text = self
            .text
            .get(start..self.at)
            .unwrap_or_default()
            .to_string();
        self.at += 1;
        Ok(Tok::Text(text))
    }
}
