//! Columns of a directive's parts in the user's file.
//!
//! The preprocessor moves a directive to the start of a line, joins its lines, drops comments and expands macros.
//! The tokens of what it left are matched with those of the user's own lines (longest common subsequence):
//!
//! ```text
//! user:         #   pragma acc parallel COPY(a) \          ← line 6
//!                    num_gangs(N)
//! preprocessed: #pragma acc parallel copy(a[0:10]) num_gangs(10)
//! matched:                  parallel     (a      ) num_gangs(  )
//! ```
//!
//! A token without a partner comes from a macro. It gets the place of the macro's name: an own name of the user's line
//! whose parentheses hold the partner before it, else what stands behind that partner.

use super::lexer::{Lexer, Token, TokenKind};
use accrue_diag::{Place, Position};
use accrue_directives::Span;
use std::sync::Arc;

/// For each token of a directive's text the place in the user's file.
#[derive(Clone, Debug)]
pub struct Alignment {
    file: Arc<str>,
    tokens: Vec<Aligned>,
}

#[derive(Clone, Copy, Debug)]
struct Aligned {
    /// In the directive's text.
    start: usize,
    end: usize,
    /// In the user's file.
    line: usize,
    column: usize,
    length: usize,
    /// Whether it is the same token there; otherwise it is about where it came from.
    same: bool,
}

/// Larger directives than this product of token counts are not matched.
const LARGEST_TABLE: usize = 4_000_000;

impl Alignment {
    /// Matches the text of a directive with the lines of the user's file (`source`) from `line` on. `None` if no
    /// directive stands there, as with `_Pragma` in a macro.
    pub fn new(text: &str, source: &[u8], file: &Arc<str>, line: usize) -> Option<Self> {
        let start = line_offset(source, line)?;
        let user = directive_tokens(source, start)?;
        let ours: Vec<Token> = Lexer::inside_line(text.as_bytes()).collect();
        if ours.len().saturating_mul(user.len()) > LARGEST_TABLE {
            return None;
        }
        let partners = longest_common(&ours, text.as_bytes(), &user, source);
        let owners = macro_names(&user, source, &partners);
        let mut next_user = 0;
        let mut tokens = Vec::with_capacity(ours.len());
        for (token, partner) in ours.iter().zip(partners) {
            let behind = next_user.min(user.len() - 1);
            let owner = || {
                next_user
                    .checked_sub(1)
                    .and_then(|before| owners[before])
                    .or(owners[behind])
            };
            let at = partner.or_else(owner).unwrap_or(behind);
            let place = &user[at];
            let before = &source[start..place.start];
            let lines = before.iter().filter(|byte| **byte == b'\n').count();
            let line_start = before
                .iter()
                .rposition(|byte| *byte == b'\n')
                .map_or(0, |at| at + 1);
            tokens.push(Aligned {
                start: token.start,
                end: token.end,
                line: line + lines,
                column: before.len() - line_start + 1,
                length: place.end - place.start,
                same: partner.is_some(),
            });
            if let Some(partner) = partner {
                next_user = partner + 1;
            }
        }
        Some(Alignment {
            file: file.clone(),
            tokens,
        })
    }

    /// The place of a part of the text, and whether that part stands there word for word.
    pub fn place(&self, span: Span) -> Option<(Place, bool)> {
        let first = self
            .tokens
            .iter()
            .position(|token| token.end > span.start)
            .or(self.tokens.len().checked_sub(1))?;
        let last = self
            .tokens
            .iter()
            .rposition(|token| token.start < span.end)
            .unwrap_or(first)
            .max(first);
        let (from, to) = (&self.tokens[first], &self.tokens[last]);
        let position = |line, column| Position {
            file: self.file.clone(),
            line,
            column,
        };
        if !from.same || !to.same || to.line != from.line {
            let place = Place {
                position: position(from.line, from.column),
                length: from.length,
            };
            return Some((place, from.same && to.same));
        }
        // Behind the last token: the end of what is there.
        let start = from.column + span.start.saturating_sub(from.start).min(from.length);
        let end = to.column + span.end.saturating_sub(to.start).min(to.length);
        Some((
            Place {
                position: position(from.line, start),
                length: end.saturating_sub(start),
            },
            true,
        ))
    }
}

/// Offset of the first byte of a line (from 1).
fn line_offset(source: &[u8], line: usize) -> Option<usize> {
    let skipped = line.checked_sub(1)?;
    if skipped == 0 {
        return Some(0);
    }
    let end = source
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .nth(skipped - 1)?
        .0;
    Some(end + 1)
}

/// The tokens behind `#pragma acc` of the directive that starts on the line at `start`; at least one.
fn directive_tokens(source: &[u8], start: usize) -> Option<Vec<Token>> {
    let mut lexer = Lexer::inside_line(&source[start..]);
    for words in [&[&b"#"[..]][..], &[b"pragma"], &[b"acc", b"omp"]] {
        let token = lexer.next_on_line()?;
        if !words.contains(&token.of(&source[start..])) {
            return None;
        }
    }
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next_on_line() {
        tokens.push(Token {
            kind: token.kind,
            start: token.start + start,
            end: token.end + start,
        });
    }
    (!tokens.is_empty()).then_some(tokens)
}

/// For each token of the user's the name whose parentheses hold it, if that name has no partner: a macro's.
fn macro_names(user: &[Token], source: &[u8], partners: &[Option<usize>]) -> Vec<Option<usize>> {
    let mut owners = vec![None; user.len()];
    // For each open parenthesis the macro it belongs to, by itself or by one around it.
    let mut open: Vec<Option<usize>> = Vec::new();
    for (index, token) in user.iter().enumerate() {
        let outer = open.last().copied().flatten();
        owners[index] = outer;
        match token.of(source) {
            b"(" => {
                let name = index
                    .checked_sub(1)
                    .filter(|&before| user[before].kind == TokenKind::Word);
                let own = name.filter(|before| !partners.contains(&Some(*before)));
                open.push(outer.or(own));
                owners[index] = outer.or(own);
            }
            b")" => {
                open.pop();
            }
            _ => {}
        }
    }
    owners
}

/// For each token of `a` its partner in `b` in a longest common subsequence.
fn longest_common(a: &[Token], a_text: &[u8], b: &[Token], b_text: &[u8]) -> Vec<Option<usize>> {
    let same = |i: usize, j: usize| a[i].of(a_text) == b[j].of(b_text);
    let width = b.len() + 1;
    // lengths[i * width + j]: the longest common subsequence of a[i..] and b[j..].
    let mut lengths = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            lengths[i * width + j] = if same(i, j) {
                lengths[(i + 1) * width + j + 1] + 1
            } else {
                lengths[(i + 1) * width + j].max(lengths[i * width + j + 1])
            };
        }
    }
    let mut partners = vec![None; a.len()];
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if same(i, j) {
            partners[i] = Some(j);
            (i, j) = (i + 1, j + 1);
        } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    partners
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str, part: &str, source: &str) -> Option<(String, usize, bool)> {
        let alignment = Alignment::new(text, source.as_bytes(), &"a.c".into(), 2)?;
        let start = text.find(part)?;
        let (place, same) = alignment.place(Span::new(start, start + part.len()))?;
        Some((place.position.to_string(), place.length, same))
    }

    const SOURCE: &str = "int a;\n  # pragma acc parallel COPY(a) /* x\n */ \\\n     num_gangs(N) async\nint copy;\n";
    const TEXT: &str = " parallel copy(a[0:10]) num_gangs(10) async";

    #[test]
    fn parts_are_found_across_macros_comments_and_lines() {
        let found = |part| place(TEXT, part, SOURCE).unwrap_or_default();
        assert_eq!(found("parallel"), ("a.c:2:16".to_string(), 8, true));
        assert_eq!(found("num_gangs"), ("a.c:4:6".to_string(), 9, true));
        assert_eq!(found("async"), ("a.c:4:19".to_string(), 5, true));
        assert_eq!(found("copy"), ("a.c:2:25".to_string(), 4, false));
        assert_eq!(found("[0:10"), ("a.c:2:25".to_string(), 4, false));
        assert_eq!(found("10) async"), ("a.c:4:16".to_string(), 1, false));
    }

    #[test]
    fn a_part_of_a_token_keeps_its_column() {
        assert_eq!(
            place(TEXT, "gangs", SOURCE),
            Some(("a.c:4:10".to_string(), 5, true))
        );
    }

    #[test]
    fn a_line_without_a_directive_is_refused() {
        assert_eq!(place(TEXT, "async", "int a;\nPRAGMA\n"), None);
        assert_eq!(place(TEXT, "async", "int a;\n"), None);
        assert_eq!(place(TEXT, "async", "int a;\n#pragma acc\n"), None);
    }
}
