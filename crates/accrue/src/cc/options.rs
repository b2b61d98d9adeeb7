//! gcc's and clang's command-line options: how many words each takes and which step wants it.
//!
//! Only what the driver must know is listed ([`table`]). An option that is not here is one word long and belongs to the user's
//! compiler (role `Other`), which is right for everything new or unusual that takes no separate argument.
//!
//! ```text
//! -I dir  -Idir     JoinedOrSeparate, Preprocess      only the preprocessor reads it
//! -fPIC             Joined `-f`,      CodeGen         host code, companion and link alike
//! -Wl,-z,now        Joined `-Wl,`,    Link            longest prefix wins over `-W`
//! ```

mod table;

use std::ffi::OsString;

use Role::*;
use Takes::*;
pub use table::OPTIONS;

/// How an option takes its argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// No argument: the word must be equal to the name.
    Nothing,
    /// The rest of the word.
    Joined,
    /// The next word.
    Separate,
    /// The rest of the word, or the next word when nothing is left.
    JoinedOrSeparate,
}

/// What an option means to the driver: which steps it goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// `-I`, `-D`, …: read while preprocessing, meaningless for preprocessed text.
    Preprocess,
    /// `-P`, `-dM`, …: changes only what `-E` prints, and would hide text from the driver's own `-E`.
    PreprocessForm,
    /// `-MD`, `-MF`, …: dependency output.
    Depend(Depend),
    /// `-std=`, `-ansi`, `-trigraphs`: language dialect; the companion has its own.
    Dialect,
    /// `-W…`, `-w`, `-pedantic`: the companion is compiled without warnings.
    Warning,
    /// `-Wno-openacc-lost-value`, …: about warnings that only we know.
    OwnWarning,
    /// `-O`, `-f`, `-m`, `-g`, `--sysroot`, …: goes to every step.
    CodeGen,
    /// The same; what it means in regions is worth a word.
    Arithmetic(&'static str),
    /// Changes types, constants or the language: goes to every step and to the reader of the text.
    Reading(&'static str),
    /// A code generation option that also writes files named after the output (`-save-temps`, `--coverage`, …):
    /// the host code only, and it must see the user's own output name.
    AuxiliaryOutput,
    /// Like `CodeGen`, but it would be wrong or useless in generated code.
    HostOnly,
    /// clang's modules: a file with directives includes headers as text, for what replaces them in preprocessed text is
    /// only understood where the module was made.
    Modules,
    /// Changes types, constants or calls in a way that regions do not follow: what it changes, and a way out. Files
    /// without directives are compiled.
    Refused(&'static str, &'static str),
    /// Goes to the link step only.
    Link,
    /// `-nostdlib`, `-nodefaultlibs`: link step, and no library is added by the driver.
    LinkWithoutLibraries,
    /// `-r`: link step, and its result is an object, not a program.
    LinkRelocatable,
    /// Stop after this stage.
    Stage(Stage),
    /// `-o`.
    Output,
    /// `-x`.
    Language,
    /// `-v`.
    Verbose,
    /// `-###`.
    PrintOnly,
    /// `--version`, `-print-…`: answered by the user's compiler without compiling anything.
    Query,
    /// Not known to the driver.
    Other,
}

impl Role {
    /// Goes to the steps that compile; stage, output and dependencies are added by the step itself.
    pub fn concerns_compiling(self) -> bool {
        match self {
            Preprocess | PreprocessForm | Dialect | Warning | CodeGen | Arithmetic(_)
            | Reading(_) | AuxiliaryOutput | HostOnly | Modules | Refused(..) | Verbose | Other => {
                true
            }
            Depend(_) | OwnWarning | Link | LinkWithoutLibraries | LinkRelocatable | Stage(_)
            | Output | Language | PrintOnly | Query => false,
        }
    }

    /// Goes to every step that makes code.
    pub fn concerns_code(self) -> bool {
        match self {
            CodeGen | Arithmetic(_) | Reading(_) => true,
            Preprocess | PreprocessForm | Depend(_) | Dialect | Warning | OwnWarning
            | AuxiliaryOutput | HostOnly | Modules | Refused(..) | Link | LinkWithoutLibraries
            | LinkRelocatable | Stage(_) | Output | Language | Verbose | PrintOnly | Query
            | Other => false,
        }
    }

    /// Goes to the reader of the text.
    pub fn concerns_reading(self) -> bool {
        match self {
            Dialect | Reading(_) => true,
            Preprocess | PreprocessForm | Depend(_) | Warning | OwnWarning | CodeGen
            | Arithmetic(_) | AuxiliaryOutput | HostOnly | Modules | Refused(..) | Link
            | LinkWithoutLibraries | LinkRelocatable | Stage(_) | Output | Language | Verbose
            | PrintOnly | Query | Other => false,
        }
    }

    /// Goes to the link step.
    pub fn concerns_linking(self) -> bool {
        match self {
            CodeGen | Arithmetic(_) | Reading(_) | AuxiliaryOutput | HostOnly | Refused(..)
            | Warning | Link | LinkWithoutLibraries | LinkRelocatable | Output | Verbose
            | Other => true,
            Preprocess | PreprocessForm | Depend(_) | Dialect | OwnWarning | Modules | Stage(_)
            | Language | PrintOnly | Query => false,
        }
    }
}

/// Where a compilation stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// `-E`
    Preprocess,
    /// `-fsyntax-only`
    Check,
    /// `-S`
    Assembly,
    /// `-c`
    Object,
    /// no such option
    Link,
}

/// The dependency options that the driver looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depend {
    /// `-M`, `-MM`: print dependencies instead of compiling.
    Instead,
    /// `-MD`, `-MMD`: write them while compiling.
    Beside,
    /// `-MF`: into this file.
    File,
    /// `-MT`, `-MQ`: for this target.
    Target,
    /// `-MP`, `-MG`, `-MV`, …
    Detail,
}

/// One line of the table.
pub struct OptionRule {
    pub name: &'static str,
    pub takes: Takes,
    pub role: Role,
}

/// Whether the last of the dialect options asks for ISO C without extensions: gcc then rounds every operation to its type.
pub fn is_iso(dialect: &[OsString]) -> bool {
    let mut iso = false;
    let mut separate = false;
    for word in dialect {
        let text = word.to_string_lossy();
        let standard = match text.strip_prefix("--std=").or(text.strip_prefix("-std=")) {
            Some(standard) => Some(standard),
            None if separate => Some(&*text),
            None => None,
        };
        separate = text == "--std";
        match standard {
            Some(standard) => iso = !standard.starts_with("gnu"),
            None if text == "-ansi" => iso = true,
            None => {}
        }
    }
    iso
}

const fn rule(name: &'static str, takes: Takes, role: Role) -> OptionRule {
    OptionRule { name, takes, role }
}

/// The rule for one word of a command line that begins with `-`, or `None` for an option that is not in the table.
pub fn find(word: &[u8]) -> Option<&'static OptionRule> {
    OPTIONS
        .iter()
        .filter(|rule| {
            let name = rule.name.as_bytes();
            match rule.takes {
                Nothing | Separate => word == name,
                Joined | JoinedOrSeparate => word.starts_with(name),
            }
        })
        .max_by_key(|rule| rule.name.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/options.md");

    fn role(word: &str) -> Option<Role> {
        find(word.as_bytes()).map(|rule| rule.role)
    }

    #[test]
    fn longest_name_wins() {
        assert_eq!(role("-Wall"), Some(Warning));
        assert_eq!(role("-Wl,-z,now"), Some(Link));
        assert_eq!(role("-Wp,-MD,x.d"), Some(Preprocess));
        assert_eq!(role("-MT"), Some(Depend(super::Depend::Target)));
        assert_eq!(role("-include"), Some(Preprocess));
        assert_eq!(role("-isysroot"), Some(CodeGen));
        assert_eq!(role("-static-libgcc"), Some(Link));
        assert_eq!(role("-fstack-protector"), Some(CodeGen));
        assert_eq!(role("-fsyntax-only"), Some(Stage(super::Stage::Check)));
        assert_eq!(role("-fopenmp"), Some(HostOnly));
        assert_eq!(role("-fmodules-cache-path=x"), Some(Modules));
        assert_eq!(role("-fopenmp-simd"), Some(CodeGen));
    }

    #[test]
    fn names_are_unique() {
        for (k, rule) in OPTIONS.iter().enumerate() {
            assert!(
                OPTIONS[k + 1..].iter().all(|other| other.name != rule.name),
                "{} is listed twice",
                rule.name
            );
        }
    }

    #[test]
    fn unknown_options_are_not_claimed() {
        assert_eq!(role("-qversion"), None);
        assert_eq!(role("--gibberish"), None);
    }

    #[test]
    fn options_that_change_the_meaning_of_regions() {
        let of = |words: &str| {
            let words: Vec<_> = words.split(' ').map(OsString::from).collect();
            is_iso(&words)
        };
        for iso in [
            "-ansi",
            "-std=c99",
            "--std=iso9899:1999",
            "--std c11",
            "-std=gnu99 -ansi",
        ] {
            assert!(of(iso), "{iso}");
        }
        for gnu in [
            "",
            "-std=gnu17",
            "--std gnu99",
            "-std=c99 -std=gnu99",
            "-trigraphs",
        ] {
            assert!(!of(gnu), "{gnu}");
        }
        let refused = |word| matches!(role(word), Some(Refused(..)));
        for word in [
            "-m32",
            "-fpack-struct=2",
            "-fexec-charset=IBM1047",
            "-mlong-double-64",
        ] {
            assert!(refused(word), "{word}");
        }
        for word in [
            "-fexec-charset=UTF-8",
            "-mlong-double-80",
            "-fsso-struct=little-endian",
            "-mabi=sysv",
        ] {
            assert_eq!(role(word), Some(CodeGen), "{word}");
        }
        assert!(role("-fshort-enums").is_some_and(Role::concerns_reading));
        assert!(!role("-fwrapv").unwrap().concerns_reading());
    }

    /// `ACCRUE_BLESS=1` writes the table into the document.
    #[test]
    fn the_document_shows_what_options_mean_in_regions() {
        let mut text = String::from("| option | in regions |\n| --- | --- |\n");
        for rule in OPTIONS {
            let open = match rule.takes {
                Nothing => "",
                Joined => "…",
                Separate | JoinedOrSeparate => " …",
            };
            let meaning = match rule.role {
                Reading(meaning) | Arithmetic(meaning) => meaning.to_string(),
                Refused(what, way_out) => format!("refused: {what}; {way_out}"),
                HostOnly => "host code only".to_string(),
                Modules => {
                    "dropped for files with directives: headers are included as text".to_string()
                }
                Preprocess | PreprocessForm | Depend(_) | Dialect | Warning | OwnWarning
                | CodeGen | AuxiliaryOutput | Link | LinkWithoutLibraries | LinkRelocatable
                | Stage(_) | Output | Language | Verbose | PrintOnly | Query | Other => continue,
            };
            text.push_str(&format!("| `{}{open}` | {meaning} |\n", rule.name));
        }
        crate::cc::document::check(DOCUMENT, "options in regions", &text);
    }
}
