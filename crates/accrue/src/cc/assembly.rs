//! `-S`: the host's and the companion's assembly as one file that assembles to what `cc -r` would make of the objects.
//!
//! Both compilers number their local labels from 0, and both may define a static function of the same name. The
//! companion's are renamed:
//!
//! ```text
//! .L3:                       .Lacc3:
//! jmp .L3                    jmp .Lacc3
//! square:   (in both)        square.acc:
//! ```
//!
//! The second text starts in section `.text` again, as a file of its own would.

use std::collections::HashSet;

/// Host assembly followed by companion assembly.
pub fn join(host: &[u8], companion: &[u8]) -> Vec<u8> {
    let defined = local_definitions(host);
    let clashing: HashSet<&[u8]> = local_definitions(companion)
        .intersection(&defined)
        .copied()
        .collect();
    let mut joined = host.to_vec();
    if !joined.ends_with(b"\n") {
        joined.push(b'\n');
    }
    joined.extend(b"\t.text\n");
    rename(companion, &clashing, &mut joined);
    joined
}

/// Names that the text defines and does not export: as labels, or by `.local x` with `.comm x,8,8`.
fn local_definitions(text: &[u8]) -> HashSet<&[u8]> {
    let mut defined = HashSet::new();
    let mut exported = HashSet::new();
    for line in text.split(|byte| *byte == b'\n') {
        let (first, rest) = symbol(line);
        if rest.starts_with(b":") {
            defined.insert(first);
        }
        match first {
            b".globl" | b".global" | b".weak" => exported.insert(symbol(rest).0),
            b".local" => defined.insert(symbol(rest).0),
            _ => false,
        };
    }
    defined.retain(|name| !exported.contains(name) && !name.starts_with(b".L"));
    defined
}

/// The symbol that a line begins with, and what follows it; clang ends lines with comments.
fn symbol(line: &[u8]) -> (&[u8], &[u8]) {
    let line = line.trim_ascii_start();
    let length = line.iter().take_while(|byte| in_symbol(byte)).count();
    line.split_at(length)
}

/// Appends `text` to `out` with local labels and clashing names renamed; strings stay as they are.
fn rename(text: &[u8], clashing: &HashSet<&[u8]>, out: &mut Vec<u8>) {
    let mut rest = text;
    while let Some(first) = rest.first() {
        let length = match first {
            b'"' => string_length(rest),
            byte if in_symbol(byte) => rest.iter().take_while(|byte| in_symbol(byte)).count(),
            _ => 1,
        };
        let (token, after) = rest.split_at(length);
        if let Some(label) = token.strip_prefix(b".L") {
            out.extend(b".Lacc");
            out.extend(label);
        } else {
            out.extend(token);
            if clashing.contains(token) {
                out.extend(b".acc");
            }
        }
        rest = after;
    }
}

fn in_symbol(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_.$".contains(byte)
}

/// The length of a string with its quotes; to the end of the text when the closing one is missing.
fn string_length(text: &[u8]) -> usize {
    let mut escaped = false;
    for (at, byte) in text.iter().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn join_text(host: &str, companion: &str) -> String {
        String::from_utf8(join(host.as_bytes(), companion.as_bytes())).unwrap()
    }

    #[test]
    fn labels_and_clashing_statics_are_renamed() {
        let host = ".L1:\nf:    # @f\n\tjmp .L1\n";
        let companion = ".L1:\n\t.type f, @function\nf:\n\tcall f@PLT\n\tjmp .L1\n\t.string \"f .L1 \\\" f\"\ng:\n";
        let joined = join_text(host, companion);
        assert!(joined.starts_with(host));
        assert!(joined.ends_with(
            "\t.text\n.Lacc1:\n\t.type f.acc, @function\nf.acc:\n\tcall f.acc@PLT\n\tjmp .Lacc1\n\t.string \"f .L1 \\\" f\"\ng:\n"
        ));
    }

    #[test]
    fn references_to_exported_names_stay() {
        let joined = join_text("\t.globl f    # -- Begin\nf:\n", "g:\n\tcall f\n");
        assert!(joined.ends_with("g:\n\tcall f\n"));
    }
}
