//! Where a statement ends, by its tokens.
//!
//! ```text
//! for (i = 0; i < n; i++) if (a[i]) { … } else b[i] = 0;  c = 1;
//! └──────────────────────── one statement ────────────┘
//! ```
//!
//! Of the grammar only the statements that others follow are known; everything else goes up to its `;`. An `else` behind the
//! end is taken in even if it belongs to an `if` before the start: who asks wants all of a statement, not at most that.

use super::lexer::{Token, TokenKind};
use accrue_ir::visits;

/// The index of the bracket that closes the group which the token `open` opens, or the number of tokens.
pub fn group_end(text: &[u8], tokens: &[Token], open: usize) -> usize {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token.of(text) {
            b"(" | b"[" | b"{" | b"<%" => depth += 1,
            b")" | b"]" | b"}" | b"%>" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            visits::note(index - open);
            return index;
        }
    }
    visits::note(tokens.len().saturating_sub(open));
    tokens.len()
}

/// The index behind the last token of the statement that begins with the token `first`.
pub fn statement_end(text: &[u8], tokens: &[Token], first: usize) -> usize {
    let word = |index: usize| tokens.get(index).map_or(&b""[..], |token| token.of(text));
    let mut at = first;
    // How many `do` still want their `while`.
    let mut loops = 0usize;
    while at < tokens.len() {
        match word(at) {
            b"if" | b"for" | b"while" | b"switch" | b"_Pragma" => {
                at = group_end(text, tokens, at + 1) + 1;
                continue;
            }
            b"else" | b"default" => {
                at += 1;
                continue;
            }
            b"do" => {
                loops += 1;
                at += 1;
                continue;
            }
            _ if tokens[at].kind == TokenKind::Line => {
                at += 1;
                continue;
            }
            _ if word(at + 1) == b":" => {
                at += 2;
                continue;
            }
            b":" => {
                at += 1;
                continue;
            }
            b"{" | b"<%" => at = group_end(text, tokens, at) + 1,
            _ => at = simple_end(text, tokens, at),
        }
        while loops > 0 && word(at) == b"while" {
            loops -= 1;
            at = simple_end(text, tokens, at);
        }
        if word(at) != b"else" {
            break;
        }
    }
    at.min(tokens.len())
}

/// The same without an `else` that belongs to an `if` before the start.
pub fn exact_end(text: &[u8], tokens: &[Token], first: usize) -> usize {
    /// Deeper nests end as [`statement_end`] says.
    const DEEPEST: usize = 200;
    fn end(text: &[u8], tokens: &[Token], first: usize, depth: usize) -> usize {
        let word = |index: usize| tokens.get(index).map_or(&b""[..], |token| token.of(text));
        if depth > DEEPEST {
            return statement_end(text, tokens, first);
        }
        let inner = |at: usize| end(text, tokens, at, depth + 1);
        match word(first) {
            b"{" | b"<%" => group_end(text, tokens, first) + 1,
            b"if" => {
                let then = inner(group_end(text, tokens, first + 1) + 1);
                match word(then) {
                    b"else" => inner(then + 1),
                    _ => then,
                }
            }
            b"for" | b"while" | b"switch" | b"_Pragma" => {
                inner(group_end(text, tokens, first + 1) + 1)
            }
            b"do" => simple_end(text, tokens, inner(first + 1)),
            _ if tokens
                .get(first)
                .is_some_and(|it| it.kind == TokenKind::Line) =>
            {
                inner(first + 1)
            }
            _ if word(first + 1) == b":" => inner(first + 2),
            _ => simple_end(text, tokens, first),
        }
    }
    end(text, tokens, first, 0).min(tokens.len())
}

/// The index behind the `;` of a statement without statements in it, or of the `}` that ends its block.
fn simple_end(text: &[u8], tokens: &[Token], first: usize) -> usize {
    let mut at = first;
    while let Some(token) = tokens.get(at) {
        match token.of(text) {
            b";" => return at + 1,
            b"}" | b"%>" => return at,
            b"(" | b"[" | b"{" | b"<%" => at = group_end(text, tokens, at) + 1,
            _ => at += 1,
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::lexer::Lexer;

    fn statement(text: &str) -> &str {
        let tokens: Vec<Token> = Lexer::new(text.as_bytes()).collect();
        let end = statement_end(text.as_bytes(), &tokens, 0);
        let last = end.checked_sub(1).and_then(|last| tokens.get(last));
        last.map_or("", |last| &text[..last.end])
    }

    #[test]
    fn statements_end_where_they_do_in_c() {
        for text in [
            "x = (struct s) { f(1) }.a + g(2);",
            "{ a; { b; } }",
            "for (;;) for (;;) { a; }",
            "for (;;) if (x) a; else if (y) { b; } else c;",
            "do a; while (x);",
            "do { do a; while (x); } while (y);",
            "label: while (x) switch (y) { case 1: a; default: b; }",
            "switch (x) case 1: default: a;",
            "\n#pragma GCC unroll 2\nfor (;;) a;",
            "_Pragma(\"omp simd\") for (;;) a;",
            "({ a; });",
            ";",
        ] {
            assert_eq!(statement(&format!("{text} rest; {{ more; }}")), text);
        }
        for (text, length) in [
            ("{ a; } else b;", 6),
            ("for (;;) if (x) a; else b; else c;", 26),
            ("do a; while (x); else b;", 16),
        ] {
            let tokens: Vec<Token> = Lexer::new(text.as_bytes()).collect();
            let end = exact_end(text.as_bytes(), &tokens, 0);
            assert_eq!(tokens[end - 1].end, length, "{text}");
        }
        assert_eq!(statement("a }"), "a");
        assert_eq!(statement("for (;;"), "for (;;");
    }
}
