//! The outline of a C text: its tokens, and which of its braces are the bodies of functions.
//!
//! ```text
//! struct s { int x; } v = { 1 };   int f(a) int a; { return a; }
//!          members        value                    body
//! ```

use super::lexer::{Lexer, Token, TokenKind};
use super::statement::group_end;

/// The tokens of a text and its function definitions at file scope.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// The tokens.
    pub tokens: Vec<Token>,
    /// The function definitions, in order.
    pub bodies: Vec<Body>,
}

/// A function definition, as indices of tokens.
#[derive(Clone, Debug)]
pub struct Body {
    /// Where its declaration begins.
    pub start: usize,
    /// Its `{`.
    pub open: usize,
    /// Its `}`.
    pub close: usize,
}

impl Outline {
    /// Takes in a text.
    pub fn new(text: &[u8]) -> Self {
        let tokens: Vec<Token> = Lexer::new(text).collect();
        let bodies = bodies(text, &tokens);
        Outline { tokens, bodies }
    }

    /// The index of the function whose body holds an offset.
    pub fn body_around(&self, offset: usize) -> Option<usize> {
        let open = |body: &Body| self.tokens[body.open].start;
        let next = self.bodies.partition_point(|body| open(body) < offset);
        let index = next.checked_sub(1)?;
        let close = self.tokens[self.bodies[index].close].start;
        (offset < close).then_some(index)
    }

    /// The index of the first token that is not before an offset.
    pub fn index_of(&self, offset: usize) -> usize {
        self.tokens.partition_point(|token| token.start < offset)
    }
}

/// What a `{` begins at file scope.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A function's body: we are in a declaration's specifiers or declarators.
    Declarator,
    /// Members: behind `struct`, `union` or `enum`, and behind its name if there was one.
    Tag { named: bool },
    /// Members: behind the `:` of `enum e : int`.
    EnumType,
    /// An initialiser: behind a `=`.
    Initializer,
}

/// The function definitions at file scope.
fn bodies(text: &[u8], tokens: &[Token]) -> Vec<Body> {
    let mut bodies: Vec<Body> = Vec::new();
    let mut place = Place::Declarator;
    let mut at = 0;
    // The first token of this declaration, and the first one behind the last body.
    let (mut start, mut behind_body) = (0, 0);
    while let Some(token) = tokens.get(at) {
        let word = token.of(text);
        place = match word {
            b";" => {
                start = at + 1;
                Place::Declarator
            }
            b"{" | b"<%" => {
                let close = group_end(text, tokens, at);
                if place == Place::Declarator && close < tokens.len() {
                    // `int f(a) int a; { … }` has its body behind a semicolon.
                    let start = if start == at { behind_body } else { start };
                    bodies.push(Body {
                        start,
                        open: at,
                        close,
                    });
                    behind_body = close + 1;
                }
                at = close;
                match place {
                    Place::Declarator => {
                        start = at + 1;
                        place
                    }
                    Place::Tag { .. } | Place::EnumType => Place::Declarator,
                    Place::Initializer => place,
                }
            }
            b"(" | b"[" => {
                at = group_end(text, tokens, at);
                match place {
                    Place::Tag { named: true } => Place::Declarator,
                    // Behind an attribute.
                    Place::Tag { named: false } => place,
                    Place::Declarator | Place::EnumType | Place::Initializer => place,
                }
            }
            b"=" => Place::Initializer,
            _ => behind(place, token.kind, word),
        };
        at += 1;
    }
    bodies
}

/// Where we are behind a word or a punctuation mark other than brackets, `=` and `;`.
fn behind(place: Place, kind: TokenKind, word: &[u8]) -> Place {
    const ATTRIBUTES: [&[u8]; 5] = [
        b"__attribute__",
        b"__attribute",
        b"__declspec",
        b"_Alignas",
        b"alignas",
    ];
    if kind == TokenKind::Line {
        return place;
    }
    match place {
        Place::Declarator if matches!(word, b"struct" | b"union" | b"enum") => {
            Place::Tag { named: false }
        }
        Place::Tag { .. } if word == b":" => Place::EnumType,
        Place::Tag { named: false } if ATTRIBUTES.contains(&word) => place,
        Place::Tag { named: false } if kind == TokenKind::Word => Place::Tag { named: true },
        Place::Tag { .. } => Place::Declarator,
        Place::Declarator | Place::EnumType | Place::Initializer => place,
    }
}
