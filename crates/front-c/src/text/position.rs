//! Where a byte of the preprocessed text stands in the user's files.
//!
//! The preprocessor leaves *linemarkers*, `# 12 "heat.c" 1 3`: the line after one is line 12 of heat.c. The flag 3 says
//! that the text comes from a system header.

use accrue_diag::Position;
use std::collections::HashSet;
use std::sync::Arc;

/// The line map of a preprocessed text.
#[derive(Clone, Debug)]
pub struct LineMap {
    /// Offset of the first byte of each line of the preprocessed text.
    starts: Vec<usize>,
    /// The linemarkers, in order.
    markers: Vec<Marker>,
    /// Files that are the user's whatever flags their linemarkers have: gcc marks the expansion of a system macro
    /// in the user's file like text of a system header (`# 12 "heat.c" 3 4`).
    user_files: HashSet<Arc<str>>,
}

#[derive(Clone, Debug)]
struct Marker {
    /// Index in `starts` of the line after the marker.
    first: usize,
    /// That line's number in `file`.
    line: usize,
    file: Arc<str>,
    system: bool,
}

impl LineMap {
    /// A map that holds no linemarkers yet; lines before the first one are lines of `file`.
    pub fn new(text: &[u8], file: &str) -> Self {
        let ends = text
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n')
            .map(|(at, _)| at + 1);
        let file: Arc<str> = file.into();
        LineMap {
            starts: std::iter::once(0).chain(ends).collect(),
            user_files: HashSet::from([file.clone()]),
            markers: vec![Marker {
                first: 0,
                line: 1,
                file,
                system: false,
            }],
        }
    }

    /// Takes note of the line `line` (from its `#`), which starts at `offset`; returns whether it is a linemarker.
    /// Linemarkers are to be given in the order of the text.
    pub fn note_line(&mut self, offset: usize, line: &[u8]) -> bool {
        let Some((number, name, system)) = parse_linemarker(line) else {
            return false;
        };
        let previous = self
            .markers
            .iter()
            .rev()
            .find(|marker| Some(&*marker.file) == name.as_deref());
        let file = match (previous, name) {
            (Some(marker), _) => marker.file.clone(),
            (None, Some(name)) => name.into(),
            // `#line 7` without a name stays in the file.
            (None, None) => self
                .markers
                .last()
                .map_or_else(|| "".into(), |marker| marker.file.clone()),
        };
        if !system {
            self.user_files.insert(file.clone());
        }
        let first = self.line_index(offset) + 1;
        self.markers.push(Marker {
            first,
            line: number,
            file,
            system,
        });
        true
    }

    /// The user's position of an offset. The column is that of the preprocessed text, which keeps the user's columns
    /// except after macros; within a directive ask [`Unit::place`](super::scan::Unit::place) instead.
    pub fn position(&self, offset: usize) -> Position {
        let index = self.line_index(offset);
        let marker = self.marker(index);
        Position {
            file: marker.file.clone(),
            line: marker.line + (index - marker.first),
            column: offset - self.starts[index] + 1,
        }
    }

    /// Takes the file at an offset for the user's: it has directives.
    pub fn note_user_file(&mut self, offset: usize) {
        let file = self.marker(self.line_index(offset)).file.clone();
        self.user_files.insert(file);
    }

    /// Whether an offset lies in text from a system header.
    pub fn in_system_header(&self, offset: usize) -> bool {
        let marker = self.marker(self.line_index(offset));
        marker.system && !self.user_files.contains(&marker.file)
    }

    /// The offset of a line (from 1) and column (from 1) of the preprocessed text itself.
    pub fn offset(&self, line: usize, column: usize) -> Option<usize> {
        Some(self.starts.get(line.checked_sub(1)?)? + column.saturating_sub(1))
    }

    fn line_index(&self, offset: usize) -> usize {
        self.starts
            .partition_point(|&start| start <= offset)
            .saturating_sub(1)
    }

    fn marker(&self, index: usize) -> &Marker {
        // The first marker starts at line 0, so there is always one before.
        &self.markers[self
            .markers
            .partition_point(|marker| marker.first <= index)
            .saturating_sub(1)]
    }
}

/// `# 12 "file" flags` or `#line 12 "file"`: line, file, whether it is a system header.
fn parse_linemarker(line: &[u8]) -> Option<(usize, Option<String>, bool)> {
    let rest = line.strip_prefix(b"#")?.trim_ascii_start();
    let rest = rest
        .strip_prefix(b"line")
        .unwrap_or(rest)
        .trim_ascii_start();
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    let rest = rest[digits..].trim_ascii_start();
    let Some(quoted) = rest.strip_prefix(b"\"") else {
        return rest.is_empty().then_some((number, None, false));
    };
    let (name, flags) = unquote(quoted)?;
    let system = flags
        .split(u8::is_ascii_whitespace)
        .any(|flag| flag == b"3");
    Some((number, Some(name), system))
}

/// Undoes the escapes of a file name up to the closing quote; returns it and what follows.
fn unquote(text: &[u8]) -> Option<(String, &[u8])> {
    let mut name = Vec::new();
    let mut at = 0;
    loop {
        match *text.get(at)? {
            b'"' => return Some((String::from_utf8_lossy(&name).into_owned(), &text[at + 1..])),
            b'\\' => {
                let digits = text[at + 1..]
                    .iter()
                    .take(3)
                    .take_while(|byte| (b'0'..=b'7').contains(*byte))
                    .count();
                if digits == 3 {
                    let value = text[at + 1..at + 4]
                        .iter()
                        .fold(0u32, |value, digit| value * 8 + u32::from(digit - b'0'));
                    name.push(value as u8);
                    at += 4;
                } else {
                    name.push(*text.get(at + 1)?);
                    at += 2;
                }
            }
            byte => {
                name.push(byte);
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linemarkers_are_followed() {
        let text =
            b"# 1 \"a b.c\"\nint x;\n# 7 \"dir\\\\s.h\" 1 3 4\nint y;\n  z\n# 3 \"a b.c\" 2\nw\n# 3 \"a b.c\" 3 4\nNULL\n";
        let mut map = LineMap::new(text, "none");
        let mut offset = 0;
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            assert_eq!(
                map.note_line(offset, line.trim_ascii_end()),
                line.starts_with(b"#")
            );
            offset += line.len();
        }
        let at = |needle: &str| {
            String::from_utf8_lossy(text)
                .find(needle)
                .unwrap_or_default()
        };
        assert_eq!(map.position(at("x;")).to_string(), "a b.c:1:5");
        assert_eq!(map.position(at("z")).to_string(), "dir\\s.h:8:3");
        assert!(map.in_system_header(at("y;")));
        assert_eq!(map.position(at("w")).to_string(), "a b.c:3:1");
        assert!(!map.in_system_header(at("w")));
        assert!(
            !map.in_system_header(at("NULL")),
            "a macro of a system header in the user's file"
        );
        map.note_user_file(at("y;"));
        assert!(!map.in_system_header(at("z")));
    }

    #[test]
    fn other_lines_are_no_linemarkers() {
        for line in ["#pragma acc wait", "#", "# x", "#define A 1", "# 12 x"] {
            assert_eq!(parse_linemarker(line.as_bytes()), None, "{line}");
        }
        assert_eq!(parse_linemarker(b"#line 7"), Some((7, None, false)));
    }
}
