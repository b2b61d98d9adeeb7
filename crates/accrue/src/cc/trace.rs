//! What the steps of a compilation read, for `accrue run`, which must know when a program has to be compiled again.
//!
//! | what                                    | how it is known                                                       |
//! |-----------------------------------------|-----------------------------------------------------------------------|
//! | headers, `#embed`                       | they are in the preprocessed text, which is made at every run         |
//! | `.incbin`, `.include`                   | the assembler writes what it read (`--MD`); if it cannot and a source mentions one of them, nothing is known |
//! | objects, libraries, linker scripts      | the linker writes what it read (`--dependency-file`); if it cannot, nothing is known |
//! | files that options name                 | parts of the command line that are names of files                     |
//! | files that would be found before these  | the same names in all directories that are searched, and beside them  |
//! | compilers, environment                  | part of the cached program's key                                      |
//!
//! Where nothing is known, the program is compiled at every run.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use accrue_front_c::text::clang;
use accrue_front_c::text::preprocess::Family;

use super::arguments::{Invocation, Item};
use super::options::Role;
use super::source::Language;
use crate::host::{HostCompiler, find_program};
use crate::inputs::{Inputs, Time, state_of};

/// Environment variables that compilers, assemblers and linkers obey.
const VARIABLES: &[&str] = &[
    "ACCRUE_CLANG",
    "ACCRUE_HOME",
    "ACCRUE_PTXAS",
    "CCC_OVERRIDE_OPTIONS",
    "COMPILER_PATH",
    "CPATH",
    "C_INCLUDE_PATH",
    "GCC_COMPARE_DEBUG",
    "GCC_EXEC_PREFIX",
    "GNUTARGET",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LDEMULATION",
    "LD_LIBRARY_PATH",
    "LD_RUN_PATH",
    "LIBRARY_PATH",
    "PATH",
    "SDKROOT",
    "SOURCE_DATE_EPOCH",
];

/// Options under which a compiler reads files that nobody tells of, or leaves files that the user wants.
const UNTRACEABLE: &[&str] = &[
    "-fprofile-",
    "-fbranch-probabilities",
    "-fauto-profile",
    "-fplugin",
    "-fpass-plugin",
    "-wrapper",
    "-Xclang",
];

/// What is known of the place where a compilation runs, before it runs.
pub fn surroundings(host: &HostCompiler) -> Vec<Vec<u8>> {
    let mut parts = vec![host.version().as_bytes().to_vec()];
    let folder = env::current_dir().unwrap_or_default();
    parts.push(folder.into_os_string().into_vec());
    for name in VARIABLES {
        parts.push(name.as_bytes().to_vec());
        // An empty variable can mean something else than none.
        parts.extend(env::var_os(name).map(|value| [b"=", value.as_bytes()].concat()));
    }
    let tools = [OsString::from("as"), "ld".into()];
    let programs = host.words().iter().chain(&tools);
    let found = programs.filter_map(|word| find_program(word));
    for program in found.chain(clang::find().ok()) {
        parts.push(state_of(&program).into_bytes());
        parts.push(program.into_os_string().into_vec());
    }
    parts
}

/// Whether the assembler may be told in this text to read another file.
pub fn mentions_files(text: &[u8]) -> bool {
    [&b"incbin"[..], b".include"].iter().any(|word| {
        text.windows(word.len())
            .any(|window| window.eq_ignore_ascii_case(word))
    })
}

/// What the steps are asked to write.
#[derive(Debug)]
pub struct Trace {
    /// Where they write it.
    folder: PathBuf,
    /// The assembler can.
    assembler: bool,
    /// The linker can.
    linker: bool,
    /// Directories that the linker searches by itself.
    search: Vec<PathBuf>,
    /// A source mentions files for the assembler.
    mentions_files: bool,
}

impl Trace {
    pub fn new(
        host: &HostCompiler,
        invocation: &Invocation,
        folder: &Path,
        mentions_files: bool,
    ) -> Trace {
        let has = |prefix: &str| {
            let options = invocation.options(|_| true);
            let mut words = options.iter().map(|word| word.as_bytes());
            words.any(|word| word.starts_with(prefix.as_bytes()))
        };
        let linker_choice: Vec<OsString> = invocation
            .options(|role| role == Role::Link || role == Role::CodeGen)
            .into_iter()
            .filter(|word| {
                word.as_bytes().starts_with(b"-fuse-ld=") || word.as_bytes().starts_with(b"-B")
            })
            .collect();
        let ask_linker = |question: &str| {
            let words = [&linker_choice[..], &[question.into()]].concat();
            host.ask(&words).unwrap_or_default()
        };
        Trace {
            folder: folder.into(),
            assembler: host.family() == Family::Gcc && !has("-flto") && has_gnu_assembler(host),
            linker: ask_linker("-Wl,--help").contains("--dependency-file"),
            search: search_folders(
                &host.ask(&["-print-search-dirs".into()]).unwrap_or_default(),
                &ask_linker("-Wl,--verbose"),
            ),
            mentions_files,
        }
    }

    /// Has the assembler write what it reads for `object`.
    pub fn assembler_words(&self, object: &Path) -> Vec<OsString> {
        if !self.assembler {
            return Vec::new();
        }
        let name = object.file_name().unwrap_or_default();
        let file = self.folder.join(name).with_added_extension("d");
        vec![
            "-Xassembler".into(),
            "--MD".into(),
            "-Xassembler".into(),
            file.into(),
        ]
    }

    /// Has the linker write what it reads.
    pub fn linker_words(&self) -> Vec<OsString> {
        if !self.linker {
            return Vec::new();
        }
        let mut option = OsString::from("--dependency-file=");
        option.push(self.linker_file());
        vec!["-Xlinker".into(), option]
    }

    fn linker_file(&self) -> PathBuf {
        self.folder.join("link")
    }

    /// Everything that was read since `begin`; `None` if that is not known.
    pub fn inputs(&self, invocation: &Invocation, begin: Time) -> Option<Inputs> {
        if !is_traceable(invocation) {
            return None;
        }
        let mut read = parts_of_options(invocation);
        let mut search = [&self.search[..], &read].concat();
        search.extend(
            env::var_os("LIBRARY_PATH")
                .iter()
                .flat_map(env::split_paths),
        );
        let mut assembled = 0;
        for entry in self.folder.read_dir().ok()? {
            let path = entry.ok()?.path();
            let text = std::fs::read(&path).ok()?;
            if path == self.linker_file() {
                read.extend(listed_by_linker(&text));
            } else {
                assembled += 1;
                read.extend(listed_by_assembler(&text));
            }
        }
        let all_assembled = assembled == invocation.sources().count();
        if !self.linker_file().exists() || self.mentions_files && !all_assembled {
            return None;
        }
        Inputs::record(&read, &search, begin)
    }
}

fn has_gnu_assembler(host: &HostCompiler) -> bool {
    let words = [
        "-Wa,--version",
        "-x",
        "assembler",
        "-c",
        "/dev/null",
        "-o",
        "/dev/null",
    ];
    let answer = host.ask(&words.map(OsString::from));
    answer.is_some_and(|text| text.contains("GNU assembler"))
}

fn is_traceable(invocation: &Invocation) -> bool {
    let untraceable = |word: &OsString| {
        UNTRACEABLE
            .iter()
            .any(|prefix| word.as_bytes().starts_with(prefix.as_bytes()))
    };
    !invocation.has(|role| role == Role::AuxiliaryOutput)
        && !invocation.options(|_| true).iter().any(untraceable)
        && invocation.sources().all(|input| match input.language {
            Language::C | Language::PreprocessedC => true,
            Language::Other => input.is_assembly(),
            Language::Header | Language::Cxx | Language::Fortran | Language::LinkerInput => false,
        })
}

/// Whatever in the options could be the name of a file or directory: `-Lx` and `-Wl,-T,x,--version-script=y` have `x` and
/// `y` among others. A name that means nothing costs a look at each run.
fn parts_of_options(invocation: &Invocation) -> Vec<PathBuf> {
    let mut parts = Vec::new();
    for item in &invocation.items {
        let Item::Option { words, role } = item else {
            continue;
        };
        if *role == Role::Output {
            continue;
        }
        for part in words
            .iter()
            .flat_map(|word| word.as_bytes().split(|byte| b",=".contains(byte)))
        {
            let joined = ["-L", "-B", "-T", "-I", "@"]
                .iter()
                .find_map(|option| part.strip_prefix(option.as_bytes()));
            let name = joined.unwrap_or(part);
            if !name.is_empty() && (joined.is_some() || !name.starts_with(b"-")) {
                parts.push(PathBuf::from(OsStr::from_bytes(name)));
            }
        }
    }
    parts
}

/// The directories in gcc's answer to `-print-search-dirs` and in a linker's default script.
fn search_folders(compiler: &str, linker: &str) -> Vec<PathBuf> {
    let libraries = compiler
        .lines()
        .filter_map(|line| line.strip_prefix("libraries: ="))
        .flat_map(env::split_paths);
    let scripted = linker
        .split("SEARCH_DIR(\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .map(|folder| PathBuf::from(folder.trim_start_matches('=')));
    libraries.chain(scripted).collect()
}

/// ld's form: a name a line, in front of a backslash. Some linkers write a backslash before spaces, some do not: a name
/// that is not meant does no harm.
fn listed_by_linker(text: &[u8]) -> Vec<PathBuf> {
    let lines = text.split(|byte| *byte == b'\n').skip(1);
    let mut names = Vec::new();
    for line in lines.take_while(|line| line.starts_with(b" ")) {
        let name = line.strip_suffix(b" \\").unwrap_or(line).trim_ascii_start();
        names.push(OsStr::from_bytes(name).into());
        names.extend(listed_by_assembler(&[b":", name].concat()));
    }
    names
}

/// make's form: names behind a colon, separated by white space, with a backslash before white space and `#`, and `$$`.
fn listed_by_assembler(text: &[u8]) -> Vec<PathBuf> {
    let colon = text.iter().position(|byte| *byte == b':');
    let mut bytes = text
        .iter()
        .skip(colon.map_or(text.len(), |at| at + 1))
        .peekable();
    let mut names = Vec::new();
    let mut name = Vec::new();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' if bytes.next_if(|next| **next == b'\n').is_some() => {}
            b'\\' if bytes.peek().is_some_and(|next| b" \t#\\".contains(next)) => {
                name.extend(bytes.next())
            }
            b'$' if bytes.next_if(|next| **next == b'$').is_some() => name.push(b'$'),
            b' ' | b'\t' | b'\n' => {
                if !name.is_empty() {
                    names.push(OsString::from_vec(std::mem::take(&mut name)).into());
                }
            }
            byte => name.push(*byte),
        }
    }
    if !name.is_empty() {
        names.push(OsString::from_vec(name).into());
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_assemblers_and_linkers() {
        let list = b"i.o: s\\ p/in$$\\ #c i.c \\\n /tmp/x.s\n";
        assert_eq!(
            listed_by_assembler(list),
            ["s p/in$ #c", "i.c", "/tmp/x.s"].map(PathBuf::from)
        );
        let list = b"i: \\\n  a.o \\\n  s p/g#$.o\n\na.o:\n";
        let names = listed_by_linker(list);
        for name in ["a.o", "s p/g#$.o"] {
            assert!(names.contains(&name.into()), "{names:?}");
        }
        assert!(!names.contains(&"a.o:".into()));
    }

    #[test]
    fn files_in_options() {
        let words = [
            "-Lx",
            "-B",
            "y",
            "-Wl,-T,z,--version-script=v",
            "-O2",
            "-Wl,@w",
            "-o",
            "program",
        ];
        let invocation = Invocation::read(&crate::host::C, &words.map(OsString::from)).unwrap();
        assert_eq!(
            parts_of_options(&invocation),
            ["x", "y", "z", "v", "w"].map(PathBuf::from)
        );
    }

    #[test]
    fn searched_folders() {
        let compiler = "install: /a\nprograms: =/b\nlibraries: =/c/:/d/\n";
        let linker = "SEARCH_DIR(\"=/e\"); SEARCH_DIR(\"/f\");";
        assert_eq!(
            search_folders(compiler, linker),
            ["/c/", "/d/", "/e", "/f"].map(PathBuf::from)
        );
    }

    #[test]
    fn other_files_are_mentioned() {
        assert!(mentions_files(b"asm(\".INCBIN \\\"x\\\"\");"));
        assert!(!mentions_files(b"int includes;"));
    }
}
