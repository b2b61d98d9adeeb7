//! Cuts a dump of clang's into the children of the translation unit, looking at nothing but quotes and brackets.
//!
//! ```text
//! { "id": …, "inner": [ {…}, {…} ] }   →   {…}   {…}
//! ```
//! Cost: each byte is looked at once; only one piece is in memory.

use super::reader::{MAX_DEPTH, ReadError};
use std::io::Read;

/// Cuts a dump into the elements of the outermost object's only array.
///
/// Blanks are dropped on the way: clang indents by depth, so that in a deeply nested tree they are nearly all
/// of the text.
pub(super) struct TopLevel<R> {
    input: R,
    buffer: Vec<u8>,
    /// The part of `buffer` that is not looked at yet.
    unread: std::ops::Range<usize>,
    /// The element so far.
    piece: Vec<u8>,
    depth: u32,
    /// The bracket that opened depth 2 was `[`: this is the list, not the root's own position.
    in_list: bool,
    in_string: bool,
    escaped: bool,
    ended: bool,
}

impl<R: Read> TopLevel<R> {
    pub(super) fn new(input: R) -> Self {
        TopLevel {
            input,
            buffer: vec![0; 1 << 16],
            unread: 0..0,
            piece: Vec::new(),
            depth: 0,
            in_list: false,
            in_string: false,
            escaped: false,
            ended: false,
        }
    }

    /// The next element's text, or `None` behind the last one.
    pub(super) fn next_piece(&mut self) -> Result<Option<&[u8]>, ReadError> {
        self.piece.clear();
        let mut collecting = false;
        while !self.ended {
            let rest = &self.buffer[self.unread.clone()];
            let Some(&first) = rest.first() else {
                let got = self.input.read(&mut self.buffer)?;
                if got == 0 {
                    return Err(ReadError::Truncated);
                }
                self.unread = 0..got;
                continue;
            };
            // A stretch of bytes that are taken or passed over together.
            let length = match (self.in_string, first) {
                (true, _) if self.escaped => 1,
                (true, b'"' | b'\\') => 1,
                (true, _) => until(rest, |byte| matches!(byte, b'"' | b'\\')),
                (false, b' ' | b'\n' | b'\r' | b'\t') => {
                    self.unread.start += blanks(rest);
                    continue;
                }
                (false, b'"' | b'{' | b'}' | b'[' | b']') => 1,
                (false, _) => until(rest, |byte| {
                    matches!(
                        byte,
                        b' ' | b'\n' | b'\r' | b'\t' | b'"' | b'{' | b'}' | b'[' | b']'
                    )
                }),
            };
            if self.in_string {
                let was_escaped = std::mem::replace(&mut self.escaped, false);
                match first {
                    _ if was_escaped => {}
                    b'\\' => self.escaped = true,
                    b'"' => self.in_string = false,
                    _ => {}
                }
                self.take(length, collecting);
                continue;
            }
            let mut complete = false;
            match first {
                b'"' => self.in_string = true,
                // Depth 1 is the root, depth 2 its list, depth 3 an element of the list.
                b'{' | b'[' => {
                    match self.depth {
                        1 => self.in_list = first == b'[',
                        2 => collecting = self.in_list,
                        _ => {}
                    }
                    self.depth += 1;
                    // A node is an object in a list.
                    if self.depth / 2 > MAX_DEPTH + 2 {
                        let offset = last_offset(&self.piece);
                        return Err(ReadError::TooDeep { offset });
                    }
                }
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.ended = self.depth == 0;
                    complete = self.depth == 2 && collecting;
                }
                _ => {}
            }
            self.take(length, collecting);
            if complete {
                return Ok(Some(&self.piece));
            }
        }
        Ok(None)
    }

    /// Goes on behind some bytes, which belong to the element if it is being collected.
    fn take(&mut self, length: usize, collecting: bool) {
        let behind = self.unread.start + length;
        if collecting {
            let taken = &self.buffer[self.unread.start..behind];
            self.piece.extend_from_slice(taken);
        }
        self.unread.start = behind;
    }
}

/// How many bytes there are before one that ends the stretch; the first one belongs to it.
fn until(bytes: &[u8], ends: impl Fn(u8) -> bool) -> usize {
    let behind_first = bytes.iter().skip(1).position(|byte| ends(*byte));
    behind_first.map_or(bytes.len(), |length| length + 1)
}

/// How many blanks a text begins with, found many at a time: in deep trees clang writes thousands in a row.
fn blanks(bytes: &[u8]) -> usize {
    const SPACES: [u8; 32] = [b' '; 32];
    // The line end in front of them.
    let first = usize::from(bytes.first() == Some(&b'\n'));
    let chunks = bytes[first..].chunks_exact(SPACES.len());
    let whole = first + chunks.take_while(|chunk| **chunk == SPACES).count() * SPACES.len();
    let rest = bytes[whole..]
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t'));
    whole + rest.count()
}

/// The last position that a part of a dump names.
fn last_offset(piece: &[u8]) -> u32 {
    const KEY: &[u8] = b"\"offset\":";
    let key = piece.windows(KEY.len()).rposition(|bytes| bytes == KEY);
    let digits = key.map_or(&[][..], |key| &piece[key + KEY.len()..]);
    let digits = digits.iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold(0, |number, digit| {
        number
            .wrapping_mul(10)
            .wrapping_add(u32::from(digit - b'0'))
    })
}
