//! `offsetof` in the text for clang.
//!
//! Problem: clang's tree has neither the type nor the member of an `offsetof`, so that nobody could say from it which number it is.
//!
//! Step: in the carrier text each of them becomes the length of an array type, which clang prints with its value. It stays an
//! integer constant expression of the type `size_t`, so that it may stand in a case label, an enumeration or a bit-field's width.
//!
//! ```text
//! __builtin_offsetof(struct s, d)   →   (sizeof(char[__builtin_offsetof(struct s, d)+1])-1)
//! ```
//!
//! The standard header's macro has been expanded by then, whoever's header it is. One byte more, since an array has at least one.

use super::lexer::{Lexer, TokenKind};
use std::ops::Range;

/// What stands in front of each.
pub(super) const BEFORE: &str = "(sizeof(char[";
/// What stands behind it.
pub(super) const BEHIND: &str = "+1])-1)";

const WORD: &[u8] = b"__builtin_offsetof";

/// Where the `offsetof`s of a text are, in order; one inside another, in the subscript of a member, is part of that.
pub(super) fn expressions(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if !text.windows(WORD.len()).any(|window| window == WORD) {
        return found;
    }
    let mut tokens = Lexer::new(text);
    while let Some(token) = tokens.next() {
        if token.kind != TokenKind::Word || token.of(text) != WORD {
            continue;
        }
        let mut depth = 0;
        for inner in tokens.by_ref() {
            match inner.of(text) {
                b"(" => depth += 1,
                b")" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                if inner.of(text) == b")" {
                    found.push(token.start..inner.end);
                }
                break;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::expressions;

    fn found(text: &str) -> Vec<&str> {
        let ranges = expressions(text.as_bytes());
        ranges.into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn whole_expressions_and_nothing_in_strings() {
        let text = "x = \"__builtin_offsetof(a, b)\"; y = __builtin_offsetof (struct s, a[(1)].b) + my__builtin_offsetof(1);\n\
                    z = __builtin_offsetof(struct t,\n  a[__builtin_offsetof(struct s, c)]);";
        assert_eq!(
            found(text),
            [
                "__builtin_offsetof (struct s, a[(1)].b)",
                "__builtin_offsetof(struct t,\n  a[__builtin_offsetof(struct s, c)])"
            ]
        );
    }

    #[test]
    fn what_is_no_call_is_left_alone() {
        assert!(found("int __builtin_offsetof; __builtin_offsetof(a, b").is_empty());
    }
}
