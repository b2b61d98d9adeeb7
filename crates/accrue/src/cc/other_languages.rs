//! Whether a C++ or Fortran source has OpenACC directives: with them it is refused by name, without them it is the user's
//! compiler's alone, and may be the main program around kernels in C.
//!
//! ```text
//! # 7 "main.cpp"                         FOUND main.cpp:7
//! #pragma acc parallel loop
//!
//! !$acc kernels   c$acc kernels          FOUND, in any case of the letters
//!       use openacc                      FOUND: the library has no Fortran interface
//! include 'body.inc'                     looked at as well: Fortran's compiler reads it, its preprocessor does not
//! ```

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::source::Language;

/// What makes a source one that this version does not compile.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    file: String,
    line: usize,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Directive,
    /// `use openacc`, `include 'openacc_lib.h'`
    Interface,
}

impl Found {
    /// The error, with the way out.
    pub fn message(&self, language: Language) -> String {
        let language = match language {
            Language::Fortran => "Fortran",
            Language::C
            | Language::PreprocessedC
            | Language::Cxx
            | Language::Header
            | Language::Other
            | Language::LinkerInput => "C++",
        };
        let (what, way_out) = match self.what {
            What::Directive => (
                format!("OpenACC directives in {language} are"),
                "move the region into a function in a C file, or compile this file without the OpenACC option",
            ),
            What::Interface => (
                format!("OpenACC's library interface for {language} is"),
                "call the routines from C, or compile this file without the OpenACC option",
            ),
        };
        format!(
            "{}:{}: {what} not supported yet; {way_out}",
            self.file, self.line
        )
    }
}

/// Looks through a preprocessed C++ text.
pub fn in_cxx(text: &[u8], file: &Path) -> Option<Found> {
    let is_directive = |line: &str| {
        let words = line.trim_start().strip_prefix('#')?.trim_start();
        let words = words.strip_prefix("pragma")?;
        let mut words = words.split_whitespace();
        (words.next()? == "acc").then_some(What::Directive)
    };
    lines(text, file).find_map(|(file, line, text)| found(file, line, is_directive(&text)))
}

/// Looks through a Fortran text, preprocessed where it is to be, and through what it includes. Included files are beside
/// `file` or in one of the `folders`.
pub fn in_fortran(text: &[u8], file: &Path, folders: &[PathBuf]) -> Option<Found> {
    let mut seen = BTreeSet::new();
    search_fortran(text, file, folders, &mut seen)
}

fn search_fortran(
    text: &[u8],
    file: &Path,
    folders: &[PathBuf],
    seen: &mut BTreeSet<PathBuf>,
) -> Option<Found> {
    for (name, line, text) in lines(text, file) {
        let statement = text.trim_start().to_ascii_lowercase();
        if let Some(found) = found(name, line, fortran_line(&statement)) {
            return Some(found);
        }
        let Some(included) = included(&text) else {
            continue;
        };
        let beside = file.parent().unwrap_or(Path::new("")).to_owned();
        let places = std::iter::once(&beside).chain(folders);
        let read = places
            .map(|folder| folder.join(included))
            .find_map(|path| Some((std::fs::read(&path).ok()?, path)));
        // The compiler complains about a file that is not there.
        if let Some((text, path)) = read
            && seen.insert(path.clone())
            && let Some(found) = search_fortran(&text, &path, folders, seen)
        {
            return Some(found);
        }
    }
    None
}

/// What a line in lower case, without the blanks before it, says.
fn fortran_line(line: &str) -> Option<What> {
    let sentinel = line.strip_prefix(['!', 'c', '*']);
    if let Some(rest) = sentinel.and_then(|rest| rest.strip_prefix("$acc"))
        && !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_')
    {
        return Some(What::Directive);
    }
    let module = line.strip_prefix("use").map(|rest| {
        let rest = rest.trim_start().trim_start_matches(", intrinsic");
        rest.trim_start().trim_start_matches("::").trim_start()
    });
    let ends = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_');
    let uses = module
        .and_then(|module| module.strip_prefix("openacc"))
        .is_some_and(ends);
    let includes = included(line) == Some("openacc_lib.h");
    (uses || includes).then_some(What::Interface)
}

/// The file that an `include` line names.
fn included(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let word = line.get(.."include".len())?;
    let rest = line["include".len()..].trim_start();
    let quote = rest.chars().next().filter(|first| "'\"".contains(*first))?;
    let name = rest[1..].split(quote).next()?;
    word.eq_ignore_ascii_case("include").then_some(name)
}

fn found(file: String, line: usize, what: Option<What>) -> Option<Found> {
    what.map(|what| Found { file, line, what })
}

/// The lines of a text with their files and numbers, by its linemarkers.
fn lines<'a>(
    text: &'a [u8],
    file: &Path,
) -> impl Iterator<Item = (String, usize, std::borrow::Cow<'a, str>)> {
    let mut file = file.to_string_lossy().into_owned();
    let mut next = 1;
    text.split(|byte| *byte == b'\n').filter_map(move |line| {
        let line = String::from_utf8_lossy(line);
        if let Some((number, name)) = marker(&line) {
            next = number;
            file = name;
            return None;
        }
        next += 1;
        Some((file.clone(), next - 1, line))
    })
}

/// `# 12 "file" flags`
fn marker(line: &str) -> Option<(usize, String)> {
    let (number, rest) = line.strip_prefix("# ")?.split_once(" \"")?;
    let end = rest.rfind('"')?;
    Some((number.parse().ok()?, rest[..end].to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(found: Option<Found>) -> Option<(String, usize)> {
        found.map(|found| (found.file, found.line))
    }

    #[test]
    fn directives_of_cxx() {
        let find = |text: &str| at(in_cxx(text.as_bytes(), Path::new("a.cpp")));
        assert_eq!(
            find("# 1 \"x.h\"\n\n  # pragma\tacc loop\n"),
            Some(("x.h".into(), 2))
        );
        assert_eq!(find("#pragma acc\n"), Some(("a.cpp".into(), 1)));
        for none in [
            "#pragma accelerate\n",
            "#pragma omp parallel\n",
            "// #pragma acc loop\n",
        ] {
            assert_eq!(find(none), None, "{none}");
        }
    }

    #[test]
    fn directives_of_fortran() {
        let find = |text: &str| at(in_fortran(text.as_bytes(), Path::new("a.f90"), &[]));
        for one in [
            "\n!$acc loop\n",
            "\n  !$ACC&copy(a)\n",
            "\nc$acc loop\n",
            "\n*$Acc end data",
            "\n use openacc\n",
            "\n  USE, intrinsic :: OpenACC, only: acc_init\n",
            "\n  include 'openacc_lib.h'\n",
        ] {
            assert_eq!(find(one), Some(("a.f90".into(), 2)), "{one}");
        }
        for none in [
            "!$accx loop\n",
            "!$omp parallel\n",
            "print *, '!$acc'\n",
            "use openacc_mine\n",
            "include 'missing.inc'\n",
            "é = 1\n",
        ] {
            assert_eq!(find(none), None, "{none}");
        }
    }
}
