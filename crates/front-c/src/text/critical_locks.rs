//! Words in the memory of devices that `critical` constructs lock where several teams come to them (OpenMP 5.2, section 15.2).
//!
//! ```text
//! #pragma omp critical (list)            static int __accrue_critical_list;
//! …                                 →    #pragma omp declare target(__accrue_critical_list)
//!                                        … #pragma omp critical (list) …
//! ```
//! A word is data as a program declares it, so that every device has it, with one address in all kernels of the file, and with 0 in it.
//! Only regions that need it name it; where the threads of one team exclude each other, the lock is the team's.
//!
//! Steps: find the names of the constructs in code for devices; declare the words in front of the last line marker of the file itself among those
//! with which a preprocessed text begins, so that no line behind it changes its number, and they do not come to stand in a header.
//!
//! Cost: each token is looked at once, in a text with such a construct.

use super::paired_variants::edited;
use super::scan::{Found, find};
use super::sentinel::{self, Sentinel};
use accrue_directives::Language;
use accrue_directives::omp::selectors::Device;
use std::collections::BTreeSet;

/// The name of the word for a construct's name, which may be empty.
pub fn lock_name(critical: &str) -> String {
    format!("__accrue_critical_{critical}")
}

/// The name of a `critical` construct, from the text behind its first word.
pub fn critical_name(behind: &str) -> &str {
    let name = behind.trim_start().strip_prefix('(');
    let name = name.and_then(|name| name.split_once(')'));
    name.map_or("", |(name, _)| name.trim())
}

/// Writes the text anew; nothing if nothing in it needs a word.
pub(super) fn rewritten(text: &[u8], file: &str) -> Option<Vec<u8>> {
    let word = b"critical";
    if !text.windows(word.len()).any(|bytes| bytes == word) {
        return None;
    }
    let place = place(text);
    let openmp = sentinel::openmp(text, file, Language::C, Device::Cores);
    let Found { directives, .. } = find(text, file, |sentinel, _| sentinel == Sentinel::Omp);
    let of_devices = directives
        .iter()
        .filter(|it| openmp.of_devices.contains(&it.span.start));
    let names: BTreeSet<&str> = of_devices
        .filter_map(|it| it.text.trim_start().strip_prefix("critical"))
        .map(critical_name)
        .collect();
    let mut words = String::new();
    for lock in names.into_iter().map(lock_name) {
        words += &format!("static int {lock} __attribute__((unused));\n");
        words += &format!("#pragma omp declare target({lock})\n");
    }
    (!words.is_empty()).then(|| edited(text, vec![(place..place, words)]))
}

/// Where the last marker of the file itself, `# 1 "f.c"` with the name that the first marker has, stands among those with which the text begins:
/// headers that it includes first have theirs behind it.
fn place(text: &[u8]) -> usize {
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let markers: Vec<&[u8]> = lines.take_while(|line| line.starts_with(b"# ")).collect();
    let file = markers.first().and_then(|line| name(line));
    let of_file = markers
        .iter()
        .rposition(|line| line.starts_with(b"# 1 ") && file.is_some() && name(line) == file);
    markers[..of_file.unwrap_or(0)]
        .iter()
        .map(|line| line.len())
        .sum()
}

/// The file that a marker names, in its quotes.
fn name(marker: &[u8]) -> Option<&[u8]> {
    let from = marker.iter().position(|byte| *byte == b'"')?;
    let to = marker.iter().rposition(|byte| *byte == b'"')?;
    Some(&marker[from..=to])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Option<String> {
        let new = rewritten(text.as_bytes(), "f.c")?;
        String::from_utf8(new).ok()
    }

    #[test]
    fn words_stand_in_front_of_the_file() {
        let text = "# 0 \"f.c\"\n# 1 \"f.c\"\nvoid f(void) {\n#pragma omp target\n{\n#pragma omp critical (x)\n;\n}\n}\n";
        let word = "static int __accrue_critical_x __attribute__((unused));\n#pragma omp declare target(__accrue_critical_x)\n";
        let expected = text.replacen("# 1", &format!("{word}# 1"), 1);
        assert_eq!(written(text), Some(expected));
        assert_eq!(written(&text.replace("target", "parallel")), None);
        let with_header = text.replace(
            "void",
            "# 1 \"omp.h\" 1 3 4\n# 7 \"omp.h\" 3 4\nint x;\n# 2 \"f.c\" 2\nvoid",
        );
        let expected = with_header.replacen("# 1 \"f.c\"", &format!("{word}# 1 \"f.c\""), 1);
        assert_eq!(written(&with_header), Some(expected));
    }
}
