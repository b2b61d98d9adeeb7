//! Names of the files that a compiler writes beside its output: `--coverage`, `-fstack-usage`, `-gsplit-dwarf` and more.
//!
//! A compiler derives them from its input, its output and whether it links, by rules that differ from version to version.
//! Our steps have other inputs and outputs, so gcc is asked what it would do with the user's own command, and each step is
//! told so:
//!
//! ```text
//! gcc --coverage a.c b.c -o p -###     cc1 … -dumpdir p- -dumpbase a.c -dumpbase-ext .c
//!                                      cc1 … -dumpdir p- -dumpbase b.c -dumpbase-ext .c
//! ```
//!
//! Others, and gcc before version 11, derive them from the output alone: there the object itself is made where the user's
//! compiler would have made one with `-c`.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use accrue_front_c::text::preprocess::Family;

use super::arguments::{Invocation, Item};
use super::options::Role;
use super::response;
use super::source::Language;
use crate::host::HostCompiler;

/// Options of gcc's compiler proper that say where such files go. Each has an argument.
const NAMES: [&str; 3] = ["-dumpdir", "-dumpbase", "-dumpbase-ext"];

/// The options that give each source's files their names, in the order of the sources. `None` if the compiler cannot be
/// told.
pub fn names(
    host: &HostCompiler,
    invocation: &Invocation,
    keep_output: bool,
) -> Option<Vec<Vec<OsString>>> {
    if host.family() != Family::Gcc {
        return None;
    }
    let mut question = vec!["-###".into()];
    for item in &invocation.items {
        match item {
            Item::Input(input) => question.extend(input.words()),
            Item::Option {
                role: Role::Output, ..
            } if !keep_output => {}
            Item::Option { words, .. } => question.extend_from_slice(words),
        }
    }
    let answer = host.ask_for_messages(&question)?;
    let names: Vec<_> = answer
        .split(|byte| *byte == b'\n')
        .filter_map(|line| names_in(&response::split(line)))
        .collect();
    let sources = invocation
        .sources()
        .filter(|input| !matches!(input.language, Language::Other | Language::LinkerInput));
    (names.len() == sources.count()).then_some(names)
}

/// What the files of a source with these names begin with.
pub fn stem(names: &[OsString]) -> Option<OsString> {
    let named = |option: &str| {
        let mut pairs = names.chunks_exact(2);
        pairs.find_map(|pair| (pair[0] == option).then(|| pair[1].as_bytes()))
    };
    let base = named("-dumpbase")?;
    let extension = named("-dumpbase-ext")?;
    let base = base.strip_suffix(extension).unwrap_or(base);
    let folder = named("-dumpdir").unwrap_or_default();
    Some(OsString::from_vec([folder, base].concat()))
}

/// The names in a command line of gcc's compiler proper; `None` for other programs, and where it only preprocesses.
fn names_in(words: &[OsString]) -> Option<Vec<OsString>> {
    let program = words.first()?.as_bytes();
    let mut compilers = ["/cc1", "/cc1plus", "/f951"].iter();
    if !compilers.any(|name| program.ends_with(name.as_bytes()))
        || words.iter().any(|word| word == "-E")
    {
        return None;
    }
    let mut names = Vec::new();
    for pair in words.windows(2) {
        if NAMES.iter().any(|name| pair[0] == *name) {
            names.extend_from_slice(pair);
        }
    }
    // Before version 11 there was no directory among them, and other words said the rest.
    let tells_all = names.iter().any(|word| word == "-dumpbase-ext")
        && !words
            .iter()
            .any(|word| word.as_bytes().starts_with(b"-auxbase"));
    if !names.iter().any(|word| word == "-dumpdir") {
        // Else it would be derived from the output of our step.
        names.extend(["-dumpdir".into(), "./".into()]);
    }
    tells_all.then_some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_of(line: &str) -> Option<Vec<OsString>> {
        names_in(&response::split(line.as_bytes()))
    }

    #[test]
    fn only_the_compiler_names_files() {
        let line = " /usr/lib/gcc/cc1 -quiet \"a b.c\" -dumpdir p- -dumpbase \"a b.c\" -dumpbase-ext .c -o /tmp/x.s";
        let names = [
            "-dumpdir",
            "p-",
            "-dumpbase",
            "a b.c",
            "-dumpbase-ext",
            ".c",
        ];
        assert_eq!(names_of(line), Some(names.map(OsString::from).into()));
        let names = ["-dumpbase", "a.c", "-dumpbase-ext", ".c", "-dumpdir", "./"];
        assert_eq!(
            names_of(" /x/cc1 a.c -dumpbase a.c -dumpbase-ext .c"),
            Some(names.map(OsString::from).into())
        );
        assert_eq!(names_of(" as --64 -o a.o /tmp/x.s"), None);
        assert_eq!(
            names_of(" /x/cc1 -E a.c -dumpbase a.c -dumpbase-ext .c"),
            None
        );
        assert_eq!(names_of(" /x/cc1 a.c -dumpbase a.c -auxbase a"), None);
    }
}
