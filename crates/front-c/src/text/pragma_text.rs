//! The text of a directive without comments, continued lines and escapes, and where each piece of it was.
//!
//! ```text
//! #pragma acc parallel \         parallel copy(a)
//!   /* all of it */ copy(a)
//! _Pragma("acc wait(q)")         wait(q)
//! ```

use super::lexer::{Lexer, Token, TokenKind, universal_character};
use super::sentinel::Sentinel;

/// Copies `text[start..end]`, comments and escaped line ends replaced by one blank.
pub(super) fn clean(text: &[u8], start: usize, end: usize) -> Body {
    let (mut bytes, mut pieces) = (Vec::new(), Vec::new());
    let mut at = start;
    for token in Lexer::inside_line(&text[start..end]) {
        let (from, to) = (token.start + start, token.end + start);
        let gap = &text[at..from];
        if gap.iter().any(|&byte| byte == b'\n' || byte == b'/') {
            bytes.push(b' ');
            at = from;
        }
        if pieces
            .last()
            .is_none_or(|&(piece_text, piece_source)| bytes.len() - piece_text != at - piece_source)
        {
            pieces.push((bytes.len(), at));
        }
        bytes.extend_from_slice(&text[at..to]);
        at = to;
    }
    if pieces.is_empty() {
        pieces.push((0, start));
    }
    (bytes, pieces)
}

/// Replaces universal character names (C11 6.4.3) by the characters: gcc writes names so in directives, `\U000003b1` for α.
pub(super) fn decode_names((bytes, pieces): Body) -> Body {
    if !bytes.contains(&b'\\') {
        return (bytes, pieces);
    }
    let (mut decoded, mut new_pieces) = (Vec::new(), Vec::new());
    let mut old_pieces = pieces.into_iter().peekable();
    let (mut at, mut source) = (0, 0);
    while at < bytes.len() {
        if let Some((_, from)) = old_pieces.next_if(|(text, _)| *text <= at) {
            source = from;
            new_pieces.push((decoded.len(), source));
        }
        let length = match universal_character(&bytes, at) {
            Some((character, end)) => {
                decoded.extend_from_slice(character.to_string().as_bytes());
                new_pieces.push((decoded.len(), source + end - at));
                end - at
            }
            // A backslash before another one is no name's.
            None => {
                let length = if bytes[at..].starts_with(b"\\\\") {
                    2
                } else {
                    1
                };
                decoded.extend_from_slice(&bytes[at..at + length]);
                length
            }
        };
        at += length;
        source += length;
    }
    (decoded, new_pieces)
}

/// Reads `( "string" )` behind `_Pragma`. Returns the end of the operator and, if the string starts with a sentinel, it and the
/// rest of the string (C11 6.10.9: `\"` and `\\` become `"` and `\`).
pub(super) fn pragma_operator(
    text: &[u8],
    lexer: &mut std::iter::Peekable<Lexer<'_>>,
) -> Option<(Option<(Sentinel, Body)>, usize)> {
    lexer.next_if(|token| token.of(text) == b"(")?;
    let string = lexer.next_if(|token: &Token| token.kind == TokenKind::String)?;
    let close = lexer.next_if(|token| token.of(text) == b")")?;
    let quote = string.of(text).iter().position(|&byte| byte == b'"')?;
    let (from, to) = (string.start + quote + 1, string.end.saturating_sub(1));
    let inner = text.get(from..to)?;
    let Some((sentinel, body)) = Sentinel::at_start(inner) else {
        return Some((None, close.end));
    };
    let mut at = to - body.len();
    let (mut bytes, mut pieces) = (Vec::new(), vec![(0, at)]);
    while at < to {
        if text[at] == b'\\' && at + 1 < to && matches!(text[at + 1], b'"' | b'\\') {
            at += 1;
            pieces.push((bytes.len(), at));
        }
        bytes.push(text[at]);
        at += 1;
    }
    Some((Some((sentinel, (bytes, pieces))), close.end))
}

/// A text and where its stretches of equal bytes come from.
type Body = (Vec<u8>, Vec<(usize, usize)>);
