//! Inputs of a command line: which language a file is in, by `-x` or by its name.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::host;

/// What the driver does with an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C to be preprocessed.
    C,
    /// Preprocessed C (`.i`).
    PreprocessedC,
    /// C to be preprocessed and kept for units that include it.
    Header,
    /// Languages with OpenACC of which this version does not compile directives.
    Cxx,
    Fortran,
    /// Compiled by the user's compiler alone: assembly, other languages.
    Other,
    /// Not compiled: objects, archives, linker scripts.
    LinkerInput,
}

/// One input file.
#[derive(Clone, Debug)]
pub struct Input {
    pub path: PathBuf,
    pub language: Language,
    /// The argument of the `-x` in force, or none.
    pub explicit: Option<OsString>,
}

impl Input {
    pub fn new(compiler: &host::Role, path: &OsStr, explicit: Option<&OsStr>) -> Input {
        let language = match (explicit, by_extension(Path::new(path))) {
            (Some(name), _) => by_option(name),
            // To a compiler of C++ files of C are C++.
            (None, Language::C | Language::PreprocessedC)
                if compiler.command == host::CXX.command =>
            {
                Language::Cxx
            }
            (None, language) => language,
        };
        Input {
            path: path.into(),
            language,
            explicit: explicit.map(OsStr::to_owned),
        }
    }

    /// `-`: the source is read from standard input.
    pub fn is_stdin(&self) -> bool {
        self.path == Path::new("-")
    }

    /// The text that is compiled is not the file itself: the preprocessor makes it.
    pub fn is_preprocessed(&self) -> bool {
        let by_name = || {
            let extension = self.path.extension().unwrap_or_default();
            match self.language {
                Language::C => true,
                Language::Cxx => extension != "ii" && extension != "i",
                Language::Fortran => {
                    extension == "fpp" || extension.as_bytes().iter().any(u8::is_ascii_uppercase)
                }
                Language::PreprocessedC
                | Language::Header
                | Language::Other
                | Language::LinkerInput => false,
            }
        };
        match &self.explicit {
            Some(name) => ["c", "c++", "f77-cpp-input", "f95-cpp-input"]
                .iter()
                .any(|preprocessed| name == preprocessed),
            None => by_name(),
        }
    }

    /// Assembly, with or without directives for the preprocessor.
    pub fn is_assembly(&self) -> bool {
        self.is_assembly_with_cpp()
            || match &self.explicit {
                Some(name) => name == "assembler",
                None => self.has_extension(&[b"s"]),
            }
    }

    /// Assembly that is preprocessed.
    pub fn is_assembly_with_cpp(&self) -> bool {
        match &self.explicit {
            Some(name) => name == "assembler-with-cpp",
            None => self.has_extension(&[b"S", b"sx"]),
        }
    }

    fn has_extension(&self, extensions: &[&[u8]]) -> bool {
        let own = self.path.extension().map(OsStr::as_bytes);
        own.is_some_and(|own| extensions.contains(&own))
    }

    /// The input as words of a command line, with the `-x` it needs.
    pub fn words(&self) -> Vec<OsString> {
        let mut words = Vec::new();
        if let Some(name) = &self.explicit {
            words.extend(["-x".into(), name.clone()]);
        }
        words.push(self.path.clone().into());
        if self.explicit.is_some() {
            words.extend(["-x".into(), "none".into()]);
        }
        words
    }

    /// The name an output gets when there is no `-o`: in the current directory, with another extension.
    pub fn default_output(&self, extension: &str) -> PathBuf {
        let stem = self.path.file_stem().unwrap_or(OsStr::new("-"));
        let mut name = stem.to_owned();
        name.push(".");
        name.push(extension);
        name.into()
    }
}

/// The argument of `-x`.
fn by_option(name: &OsStr) -> Language {
    match name.as_bytes() {
        b"c" => Language::C,
        b"c-header" => Language::Header,
        b"cpp-output" => Language::PreprocessedC,
        b"c++" | b"c++-cpp-output" => Language::Cxx,
        b"f77" | b"f77-cpp-input" | b"f95" | b"f95-cpp-input" => Language::Fortran,
        _ => Language::Other,
    }
}

/// gcc's table of file name suffixes ("Options Controlling the Kind of Output").
fn by_extension(path: &Path) -> Language {
    match path.extension().map(OsStr::as_bytes) {
        Some(b"c") => Language::C,
        Some(b"h") => Language::Header,
        Some(b"i") => Language::PreprocessedC,
        Some(b"ii" | b"cc" | b"cp" | b"cxx" | b"cpp" | b"CPP" | b"c++" | b"C") => Language::Cxx,
        Some(
            b"f" | b"for" | b"ftn" | b"fi" | b"F" | b"FOR" | b"fpp" | b"FPP" | b"FTN" | b"f90"
            | b"f95" | b"f03" | b"f08" | b"fii" | b"F90" | b"F95" | b"F03" | b"F08",
        ) => Language::Fortran,
        Some(
            b"s" | b"S" | b"sx" | b"H" | b"hh" | b"hp" | b"hxx" | b"hpp" | b"HPP" | b"h++" | b"tcc"
            | b"m" | b"mi" | b"mm" | b"M" | b"mii" | b"go" | b"d" | b"di" | b"dd" | b"ads" | b"adb"
            | b"cu" | b"ll" | b"bc",
        ) => Language::Other,
        _ => Language::LinkerInput,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions() {
        let language = |name: &str| Input::new(&host::C, OsStr::new(name), None).language;
        assert_eq!(language("a.c"), Language::C);
        assert_eq!(language("x/y.tar.i"), Language::PreprocessedC);
        assert_eq!(language("a.C"), Language::Cxx);
        assert_eq!(language("a.F90"), Language::Fortran);
        assert_eq!(language("a.S"), Language::Other);
        assert_eq!(language("a.h"), Language::Header);
        for name in ["a.o", "libx.so.1", "x.a", "c", "-"] {
            assert_eq!(language(name), Language::LinkerInput, "{name}");
        }
    }

    #[test]
    fn default_output_is_in_the_current_directory() {
        let input = Input::new(&host::C, OsStr::new("src/a.b.c"), None);
        assert_eq!(input.default_output("o"), Path::new("a.b.o"));
    }
}
