//! Comparing with expectation files, and writing them when blessing.

use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Whether `ACCRUE_BLESS=1` asks to write expectation files instead of comparing with them.
pub fn blessing() -> bool {
    std::env::var_os("ACCRUE_BLESS").is_some_and(|value| value == "1")
}

/// Compares `actual` with the file, or writes the file when blessing.
pub fn check_file(file: &Path, actual: &str) -> Result<(), String> {
    if blessing() {
        return fs::write(file, actual).map_err(|e| format!("{}: {e}", file.display()));
    }
    let expected = fs::read_to_string(file).map_err(|e| {
        format!(
            "{}: {e}\n(ACCRUE_BLESS=1 writes it) The actual text is:\n{actual}",
            file.display()
        )
    })?;
    match difference(&expected, actual) {
        None => Ok(()),
        Some(shown) => Err(format!("differs from {}:\n{shown}", file.display())),
    }
}

/// The first lines that differ, `-` expected and `+` actual; none when the texts are equal.
pub fn difference(expected: &str, actual: &str) -> Option<String> {
    if expected == actual {
        return None;
    }
    let (old, new): (Vec<_>, Vec<_>) = (expected.lines().collect(), actual.lines().collect());
    let first = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let mut shown = format!("first difference in line {}\n", first + 1);
    for (sign, lines) in [('-', &old), ('+', &new)] {
        for line in lines.iter().skip(first).take(SHOWN_LINES) {
            // Writing to a String cannot fail.
            let _ = writeln!(shown, "{sign} {line}");
        }
        if lines.len() > first + SHOWN_LINES {
            let _ = writeln!(shown, "{sign} …");
        }
    }
    Some(shown)
}

const SHOWN_LINES: usize = 12;

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn shows_the_first_difference() {
        assert_eq!(difference("a\nb\n", "a\nb\n"), None);
        let shown = difference("a\nb\n", "a\nc\n").expect("they differ");
        assert!(shown.contains("line 2\n- b\n+ c\n"), "{shown}");
    }

    #[test]
    fn a_missing_last_newline_is_a_difference() {
        assert!(difference("a\n", "a").is_some());
    }
}
