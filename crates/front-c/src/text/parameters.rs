//! Array parameters: how long they are declared to be.
//!
//! Problem: to C a parameter `double a[n]` is a pointer, and clang says so too. But a data clause that names it means the
//! array (`copy(a)` is `copy(a[0:n])`), and only the text of the declaration has its length.
//!
//! ```text
//! typedef double Row[8];
//! void f(int n, double a[n], double b[static 4][n], Row c, double d[], double (*e)[n])
//!                        n                     4    8         none            none: a pointer
//! ```
//!
//! The length is found by tokens. Whether the name in a clause is the parameter, and not a variable that hides it, is known when
//! clang has read the text: then the declaration that the clause names must be the one found here.

use super::lexer::{Token, TokenKind, name_of};
use super::outline::{Body, Outline};
use super::statement::group_end;
use accrue_directives::ClauseKind;
use std::collections::HashMap;

/// The declared length of an array parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredLength {
    /// The expression, in C.
    pub text: String,
    /// Where the parameter's name stands in the preprocessed text.
    pub parameter: usize,
}

/// Whether a clause means the array if it names an array parameter. The others take pointers, or what C says is one.
pub fn maps_arrays(kind: ClauseKind) -> bool {
    matches!(
        kind,
        ClauseKind::Copy
            | ClauseKind::CopyIn
            | ClauseKind::CopyOut
            | ClauseKind::Create
            | ClauseKind::NoCreate
            | ClauseKind::Present
            | ClauseKind::Delete
            | ClauseKind::UpdateSelf
            | ClauseKind::UpdateDevice
            | ClauseKind::Reduction
    )
}

/// The array types and functions of a text.
pub struct Lengths<'a> {
    text: &'a [u8],
    outline: &'a Outline,
    /// What `typedef`s at file scope say.
    typedefs: HashMap<&'a [u8], Typedef<'a>>,
}

/// What a `typedef` makes of a name, as far as it matters.
enum Typedef<'a> {
    /// An array; the index of the `[`.
    Array(usize),
    /// The same as another name.
    Alias(&'a [u8]),
}

impl<'a> Lengths<'a> {
    /// Takes in a text.
    pub fn new(text: &'a [u8], outline: &'a Outline) -> Self {
        let mut lengths = Lengths {
            text,
            outline,
            typedefs: HashMap::new(),
        };
        let mut bodies = outline.bodies.iter().peekable();
        let mut at = 0;
        while at < outline.tokens.len() {
            if let Some(body) = bodies.next_if(|body| body.open <= at) {
                at = body.close;
            } else if lengths.word(at) == b"typedef" {
                at = lengths.add_typedef(at);
            }
            at += 1;
        }
        lengths
    }

    /// The declared length of the parameter `name` of the function around an offset. The outermost declarator counts:
    /// parameters of a parameter that is a function may have the same name. (Where this is wrong, as in
    /// `int (*f(int a[4]))(int a[5])`, the declaration that clang knows is another one.)
    pub fn of_parameter(&self, offset: usize, name: &str) -> Option<DeclaredLength> {
        let function = self.outline.bodies.get(self.outline.body_around(offset)?)?;
        let mut depth = 0usize;
        let mut found: Option<(usize, DeclaredLength)> = None;
        for index in function.start..function.open {
            match self.word(index) {
                b"(" => depth += 1,
                b")" => depth = depth.saturating_sub(1),
                word if *name_of(word) == *name.as_bytes() => {
                    let is_outer = found.as_ref().is_none_or(|(other, _)| depth < *other);
                    let length = self.declared(function, index).filter(|_| is_outer);
                    found = length.map(|length| (depth, length)).or(found);
                }
                _ => {}
            }
        }
        found.map(|(_, length)| length)
    }

    /// The length that the declarator with the name at `index` says.
    fn declared(&self, function: &Body, index: usize) -> Option<DeclaredLength> {
        let (mut first, mut behind) = (index, self.behind(index));
        while first > function.start
            && self.word(self.before(first)) == b"("
            && self.word(behind) == b")"
        {
            (first, behind) = (self.before(first), self.behind(behind));
        }
        let bracket = match self.word(behind) {
            b"[" => Some(behind),
            b"," | b")" | b";" => self.array_type(function.start, first),
            _ => None,
        };
        Some(DeclaredLength {
            text: self.length_in(bracket?)?,
            parameter: self.outline.tokens.get(index)?.start,
        })
    }

    /// The `[` of the array type that the words before the token `end` name.
    fn array_type(&self, start: usize, end: usize) -> Option<usize> {
        let mut at = end;
        while at > start {
            at = self.before(at);
            if self.outline.tokens.get(at)?.kind != TokenKind::Word {
                return None;
            }
            let mut name = self.word(at);
            // A name is declared before it is used, so that this ends; but the text may be wrong.
            for _ in 0..self.typedefs.len() {
                match self.typedefs.get(name) {
                    Some(Typedef::Array(bracket)) => return Some(*bracket),
                    Some(Typedef::Alias(other)) => name = other,
                    None => break,
                }
            }
        }
        None
    }

    /// What stands between brackets, without `static` and qualifiers; `None` for nothing and for `*`.
    fn length_in(&self, bracket: usize) -> Option<String> {
        const QUALIFIERS: [&[u8]; 8] = [
            b"static",
            b"const",
            b"volatile",
            b"restrict",
            b"__restrict",
            b"__restrict__",
            b"__const",
            b"_Atomic",
        ];
        let end = group_end(self.text, &self.outline.tokens, bracket);
        let inside = self.outline.tokens.get(bracket + 1..end)?;
        let words = inside.iter().filter(|token| token.kind != TokenKind::Line);
        let mut words = words.map(|token| token.of(self.text)).peekable();
        while words.next_if(|word| QUALIFIERS.contains(word)).is_some() {}
        let words: Vec<_> = words.map(String::from_utf8_lossy).collect();
        let text = words.join(" ");
        (!text.is_empty() && text != "*").then_some(text)
    }

    /// Takes note of the names of a `typedef`; the index of its `;`.
    fn add_typedef(&mut self, start: usize) -> usize {
        let mut at = start + 1;
        while at < self.outline.tokens.len() && self.word(at) != b";" {
            let is_word = self.outline.tokens[at].kind == TokenKind::Word;
            match self.word(at) {
                b"(" | b"[" | b"{" => at = group_end(self.text, &self.outline.tokens, at),
                name if is_word => {
                    let (before, behind) = (self.before(at), self.behind(at));
                    let is_alias = self.word(behind) == b";"
                        && self.outline.tokens[before].kind == TokenKind::Word;
                    if self.word(behind) == b"[" {
                        self.typedefs.insert(name, Typedef::Array(behind));
                    } else if is_alias {
                        self.typedefs
                            .insert(name, Typedef::Alias(self.word(before)));
                    }
                }
                _ => {}
            }
            at += 1;
        }
        at
    }

    fn word(&self, index: usize) -> &'a [u8] {
        let token = self.outline.tokens.get(index);
        token.map_or(b"", |token| token.of(self.text))
    }

    /// The token before another one, lines passed over.
    fn before(&self, index: usize) -> usize {
        let mut at = index.saturating_sub(1);
        while at > 0 && self.is_line(at) {
            at -= 1;
        }
        at
    }

    /// The token behind another one, lines passed over.
    fn behind(&self, index: usize) -> usize {
        let mut at = index + 1;
        while self.is_line(at) {
            at += 1;
        }
        at
    }

    fn is_line(&self, index: usize) -> bool {
        let token: Option<&Token> = self.outline.tokens.get(index);
        token.is_some_and(|token| token.kind == TokenKind::Line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(header: &str) -> String {
        let typedefs = "typedef double Row[8], Mat[N][N], *P; typedef Row Line; typedef struct { int x[3]; } S;";
        let text = format!("{typedefs} {header} {{ here; }}");
        let outline = Outline::new(text.as_bytes());
        let lengths = Lengths::new(text.as_bytes(), &outline);
        let offset = text.find("here").unwrap_or_default();
        let found = lengths.of_parameter(offset, "a");
        found.map_or("none".to_owned(), |length| length.text)
    }

    #[test]
    fn the_outermost_length_counts() {
        for (header, expected) in [
            ("void f(int n, double a[n])", "n"),
            ("void f(int n, double a[n + 1][n])", "n + 1"),
            ("void f(double a[static const 5])", "5"),
            ("void f(double a[restrict static 5])", "5"),
            ("void f(int n, double ((a))[n])", "n"),
            ("void f(double *a[3])", "3"),
            ("void f(a, n) int n; double a[n];", "n"),
            ("void f(const Row a)", "8"),
            ("void f(Mat a, int n)", "N"),
            ("void f(Row a[2])", "2"),
            ("void f(register Line a)", "8"),
            ("void f(int g(int a[9]), double a[2])", "2"),
            ("void f(double a\n# 1 \"a.c\"\n[7])", "7"),
        ] {
            assert_eq!(length(header), expected, "{header}");
        }
    }

    #[test]
    fn pointers_have_none() {
        for header in [
            "void f(double *a)",
            "void f(double a[])",
            "void f(double a[*])",
            "void f(int n, double (*a)[n])",
            "void f(Row *a)",
            "void f(P a)",
            "void f(S a)",
            "void f(int n)",
        ] {
            assert_eq!(length(header), "none", "{header}");
        }
    }
}
