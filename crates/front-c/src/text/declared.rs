//! What a statement that clang cannot read may declare, by its tokens.
//!
//! ```text
//! real x = f(n), *y, z[3];          x y z
//! struct s { char t[n]; } v;        s v
//! int add(int a) { … }              add
//! f(x); y = z;                      nothing
//! ```
//!
//! A name too many is declared in vain, or twice, which clang then says; one too few could make a region use another variable
//! of that name.

use super::lexer::{Token, TokenKind, is_word_start};
use super::statement::group_end;
use super::unread::UNREAD;
use std::collections::BTreeSet;

/// Declarations, of a type that nothing can be done with, of all that a statement may declare. `None` if that is not clear.
pub fn declarations(text: &[u8], tokens: &[Token]) -> Option<String> {
    const NO_DECLARATION: [&[u8]; 9] = [
        b"return",
        b"goto",
        b"break",
        b"continue",
        b"for",
        b"sizeof",
        b"asm",
        b"__asm__",
        b"__asm",
    ];
    let list = Declared { text, tokens };
    if NO_DECLARATION.contains(&list.word(0)) {
        return Some(String::new());
    }
    let behind = match list.word(1) {
        b"(" => list.word(group_end(text, tokens, 1) + 1),
        _ => b"",
    };
    // `x = y;` and `f(x);` declare nothing; `T x;`, `T *x;`, `struct { … } x;` and `typeof(y) x;` may.
    let declares = match list.word(1) {
        b"(" if matches!(behind, b"[" | b"(" | b"{") => return None,
        b"(" => behind.first().is_some_and(|byte| is_word_start(*byte)),
        b"*" | b"{" => true,
        _ => list.is_word(1),
    };
    if !list.is_word(0) || !declares {
        return Some(String::new());
    }
    if tokens.iter().any(|token| token.of(text) == b"enum") {
        // Its constants would be missing without a trace.
        return None;
    }
    let spelling = |index: usize| String::from_utf8_lossy(list.word(index)).into_owned();
    let names: BTreeSet<String> = list.names().into_iter().map(spelling).collect();
    let tags = (0..tokens.len()).filter(|index| {
        matches!(list.word(*index), b"struct" | b"union")
            && list.is_name(index + 1)
            && list.word(index + 2) == b"{"
    });
    let tags: BTreeSet<String> = tags
        .map(|index| format!("{} {};", spelling(index), spelling(index + 1)))
        .collect();
    let names = names
        .iter()
        .map(|name| format!("extern struct {UNREAD} {name};"));
    Some(tags.into_iter().chain(names).collect())
}

/// The tokens of a declaration.
struct Declared<'a> {
    text: &'a [u8],
    tokens: &'a [Token],
}

impl Declared<'_> {
    /// The tokens that are declared names: those that `=`, `,`, `;`, `[` or parameters follow, initialisers passed over.
    fn names(&self) -> Vec<usize> {
        let mut names = Vec::new();
        let (mut at, mut in_initializer) = (1, false);
        while at < self.tokens.len() {
            match self.word(at) {
                b"=" => in_initializer = true,
                b"," => in_initializer = false,
                open @ (b"(" | b"[" | b"{") => {
                    let end = group_end(self.text, self.tokens, at);
                    if open == b"(" && !in_initializer {
                        // `g(int)`, and `(*p)[3]`
                        let is_pointer = self.word(at + 1) == b"*";
                        if self.is_name(at - 1) && !is_pointer {
                            names.push(at - 1);
                        } else if self.word(at - 1) != b")" {
                            names.extend((at + 1..end).find(|index| self.is_name(*index)));
                        }
                    }
                    at = end;
                }
                _ if self.is_name(at) && !in_initializer => {
                    if matches!(self.word(at + 1), b"=" | b"," | b";" | b"[") {
                        names.push(at);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        names
    }

    fn word(&self, index: usize) -> &[u8] {
        let token = self.tokens.get(index);
        token.map_or(b"", |token| token.of(self.text))
    }

    fn is_word(&self, index: usize) -> bool {
        let token = self.tokens.get(index);
        token.is_some_and(|token| token.kind == TokenKind::Word)
    }

    /// Whether a token is a word, and none of the language that may stand before parentheses or in them.
    fn is_name(&self, index: usize) -> bool {
        const KEYWORDS: [&[u8]; 24] = [
            b"void",
            b"char",
            b"short",
            b"int",
            b"long",
            b"float",
            b"double",
            b"signed",
            b"unsigned",
            b"const",
            b"volatile",
            b"struct",
            b"union",
            b"__attribute__",
            b"__attribute",
            b"_Alignas",
            b"typeof",
            b"__typeof__",
            b"__typeof",
            b"asm",
            b"__asm__",
            b"__asm",
            b"static",
            b"register",
        ];
        self.is_word(index) && (index == 0 || !KEYWORDS.contains(&self.word(index)))
    }
}

/// The name of the nested function whose body begins with the brace at `open`: two words or a `*` and a word before
/// parentheses. (A compound literal has only a type in its parentheses, with an operator before them.)
pub fn function_name(text: &[u8], tokens: &[Token], start: usize, open: usize) -> Option<usize> {
    const OPERATORS: [&[u8]; 6] = [
        b"sizeof",
        b"return",
        b"_Alignof",
        b"alignof",
        b"typeof",
        b"__typeof__",
    ];
    let close = open
        .checked_sub(1)
        .filter(|close| tokens[*close].of(text) == b")")?;
    let mut depth = 0usize;
    for at in (start..=close).rev() {
        match tokens[at].of(text) {
            b")" => depth += 1,
            b"(" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let name = at.checked_sub(1).filter(|name| *name > start)?;
            let before = tokens[name - 1];
            let declares = before.kind == TokenKind::Word || before.of(text) == b"*";
            let is_name =
                tokens[name].kind == TokenKind::Word && !OPERATORS.contains(&tokens[name].of(text));
            return (declares && is_name && !OPERATORS.contains(&before.of(text))).then_some(name);
        }
    }
    None
}
