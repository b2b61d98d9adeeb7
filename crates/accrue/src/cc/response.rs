//! `@file` arguments: the words in a file, in gcc's (libiberty's) syntax.
//!
//! White space separates words; `'…'` and `"…"` group; a backslash makes the next character ordinary, in quotes too.
//! A file may name further files. A file that cannot be read leaves the word as it is, as gcc does.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// How deep `@file` may nest before the driver takes it for a file that includes itself.
const MAX_DEPTH: usize = 64;

/// The words of `arguments` with every `@file` replaced by the words in that file.
pub fn expand(arguments: &[OsString]) -> Result<Vec<OsString>, String> {
    let mut words = Vec::with_capacity(arguments.len());
    expand_into(arguments, 0, &mut words)?;
    Ok(words)
}

fn expand_into(
    arguments: &[OsString],
    depth: usize,
    words: &mut Vec<OsString>,
) -> Result<(), String> {
    for argument in arguments {
        let contents = match argument.as_bytes() {
            [b'@', name @ ..] if !name.is_empty() => std::fs::read(OsStr::from_bytes(name)).ok(),
            _ => None,
        };
        match contents {
            None => words.push(argument.clone()),
            Some(_) if depth == MAX_DEPTH => {
                return Err(format!("{} includes itself", argument.to_string_lossy()));
            }
            Some(contents) => expand_into(&split(&contents), depth + 1, words)?,
        }
    }
    Ok(())
}

/// The words of a text. A quote that is not closed reaches to the end.
pub fn split(contents: &[u8]) -> Vec<OsString> {
    read_words(contents).0
}

/// The words of a text; `None` if a quote is not closed.
pub fn split_checked(contents: &[u8]) -> Option<Vec<OsString>> {
    let (words, complete) = read_words(contents);
    complete.then_some(words)
}

/// The words, and whether all quotes are closed.
fn read_words(contents: &[u8]) -> (Vec<OsString>, bool) {
    let mut words = Vec::new();
    let mut bytes = contents.iter().copied().peekable();
    let mut quote = None;
    loop {
        while bytes.next_if(u8::is_ascii_whitespace).is_some() {}
        if bytes.peek().is_none() {
            return (words, quote.is_none());
        }
        let mut word = Vec::new();
        while let Some(byte) = bytes.next_if(|b| quote.is_some() || !b.is_ascii_whitespace()) {
            match (byte, quote) {
                (b'\\', _) => word.extend(bytes.next()),
                (b'\'' | b'"', None) => quote = Some(byte),
                (_, Some(open)) if byte == open => quote = None,
                _ => word.push(byte),
            }
        }
        words.push(OsString::from_vec(word));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoting() {
        let words = split(b"-c  'a b.c'\n-DX=\\\"y\\\" \"-DZ='q'\" ''\n");
        assert_eq!(words, ["-c", "a b.c", "-DX=\"y\"", "-DZ='q'", ""]);
    }

    #[test]
    fn unreadable_files_stay_words() {
        let words = expand(&["@/nonexistent/file".into(), "@".into()]).unwrap();
        assert_eq!(words, ["@/nonexistent/file", "@"]);
    }
}
