//! Runs clang on the carrier text and hands its JSON to a reader while it is written.
//!
//! Any clang from 14 on does: `clang -fsyntax-only -Xclang -ast-dump=json -x c -`, the text on standard input. Text that
//! gcc has preprocessed needs a few names that clang lacks. What clang complains about is brought back to the user's
//! files: an undeclared variable in a clause is an error at that clause.

use super::carriers::Carriers;
use super::scan::Unit;
use accrue_diag::{Diagnostic, has_errors};
use accrue_directives::Language;
use std::ffi::{OsStr, OsString};
use std::io::{ErrorKind, Read, Write};
use std::path::PathBuf;
use std::process::{ChildStdout, Command, Stdio};

/// The clangs whose dumps are known to be read correctly, newest first.
const KNOWN_VERSIONS: std::ops::RangeInclusive<u32> = 14..=22;

/// What clang is told besides the user's own options: no warnings (the user's compiler gives them), all errors, and
/// their places in the text itself rather than in the files of the linemarkers.
const OPTIONS: [&str; 15] = [
    "-fsyntax-only",
    "-w",
    // Old C that gcc accepts with a warning, and clang from 16 on only so.
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
    "-Wno-error=return-type",
    // gcc has no limit.
    "-fbracket-depth=2000",
    "-ferror-limit=0",
    "-fno-color-diagnostics",
    "-Xclang",
    "-fno-diagnostics-use-presumed-location",
    "-Xclang",
    "-ast-dump=json",
];

/// What makes clang read gcc's text: names that clang lacks, and no `register`, since carriers take addresses. The `va_arg_pack` functions occur in glibc's checked `printf`; the body of
/// that wrapper is never used.
const GCC_NAMES: [&str; 7] = [
    "-Dregister=",
    "-D_Float32=float",
    "-D_Float64=double",
    "-D_Float32x=double",
    "-D_Float64x=long double",
    "-D__builtin_va_arg_pack()=0",
    "-D__builtin_va_arg_pack_len()=0",
];

/// gcc's `_Float128`: an own type of clang on x86, `long double` elsewhere.
const FLOAT128: &str = if cfg!(any(target_arch = "x86_64", target_arch = "x86")) {
    "-D_Float128=__float128"
} else {
    "-D_Float128=long double"
};

/// Finds clang: `ACCRUE_CLANG`, `clang`, then `clang-22` down to `clang-14`.
///
/// # Errors
/// What is missing and how to get it.
pub fn find() -> Result<PathBuf, Diagnostic> {
    find_in(std::env::var_os("ACCRUE_CLANG"), std::env::var_os("PATH"))
}

fn find_in(chosen: Option<OsString>, path: Option<OsString>) -> Result<PathBuf, Diagnostic> {
    let on_path = |name: &OsStr| {
        let directories = std::env::split_paths(path.as_deref().unwrap_or_default());
        directories
            .map(|directory| directory.join(name))
            .find(|file| file.is_file())
    };
    if let Some(chosen) = chosen.filter(|chosen| !chosen.is_empty()) {
        let file = PathBuf::from(&chosen);
        let found = if file.components().count() > 1 {
            file.is_file().then_some(file)
        } else {
            on_path(&chosen)
        };
        return found.ok_or_else(|| {
            Diagnostic::error(format!(
                "the clang named by ACCRUE_CLANG, `{}`, does not exist",
                chosen.display()
            ))
            .help("name a clang of version 14 or later, or unset ACCRUE_CLANG")
        });
    }
    let versioned = KNOWN_VERSIONS
        .rev()
        .map(|version| format!("clang-{version}"));
    let mut names = std::iter::once("clang".to_string()).chain(versioned);
    names.find_map(|name| on_path(OsStr::new(&name))).ok_or_else(|| {
        Diagnostic::error("clang is not installed")
            .note("accrue reads C and C++ with clang; your own compiler stays the one that compiles the program")
            .help("install it with `apt install clang` (Debian, Ubuntu) or `dnf install clang` (Fedora), or set ACCRUE_CLANG")
    })
}

/// The user's dialect and reading options in clang's spelling.
pub fn language_options(user: &[OsString]) -> Vec<OsString> {
    let mut options = Vec::with_capacity(user.len());
    let mut words = user.iter();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        let standard = match text.strip_prefix("--std=").or(text.strip_prefix("-std=")) {
            None if text == "--std" => words.next().map(|next| next.to_string_lossy()),
            joined => joined.map(Into::into),
        };
        match (standard, &*text) {
            (Some(standard), _) => {
                options.push(format!("-std={}", clang_standard(&standard)).into());
            }
            // What the preprocessor did.
            (None, "-traditional" | "-traditional-cpp" | "-trigraphs") => {}
            // Members of unnamed structures, which both have.
            (None, "-fplan9-extensions") => options.push("-fms-extensions".into()),
            (None, _) => options.push(word.clone()),
        }
    }
    options
}

/// A language standard by a name that clang 14 knows too.
fn clang_standard(name: &str) -> &str {
    match name {
        "c23" | "iso9899:2024" | "c2y" => "c2x",
        "gnu23" | "gnu2y" => "gnu2x",
        "c++23" | "c++26" | "c++2c" => "c++2b",
        "gnu++23" | "gnu++26" | "gnu++2c" => "gnu++2b",
        other => other,
    }
}

/// Runs clang on the carrier text and lets `read` take in its output while clang runs. `gives_up` says whether the reader did
/// not want all of it, so that clang could not write.
///
/// # Errors
/// What clang found wrong with the user's program, or why it could not run.
pub fn read_ast<T>(
    clang: &std::path::Path,
    user_options: &[OsString],
    unit: &Unit,
    carriers: &Carriers,
    read: impl FnOnce(ChildStdout) -> T,
    gives_up: impl FnOnce(&T) -> bool,
) -> Result<T, Rejection> {
    let failed = |error: std::io::Error| {
        Rejection::from(Diagnostic::error(format!(
            "cannot run {}: {error}",
            clang.display()
        )))
    };
    let (language, names): (_, &[&str]) = match unit.language {
        Language::C | Language::Fortran => ("c", &GCC_NAMES),
        Language::Cxx => ("c++", &GCC_NAMES[5..]),
    };
    let mut command = Command::new(clang);
    command
        .args(language_options(user_options))
        .args(OPTIONS)
        .args(names)
        .arg(FLOAT128)
        .args(["-x", language, "-"]);
    command
        // A clang that is ended by a signal would leave a file for its own debugging.
        .env("LLVM_DISABLE_SYMBOLIZATION", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let complaints = std::thread::spawn(move || {
        let mut text = Vec::new();
        // What was read before an error is still worth showing.
        let _ = stderr.map(|mut stderr| stderr.read_to_end(&mut text));
        String::from_utf8_lossy(&text).into_owned()
    });
    if let Some(mut stdin) = stdin {
        // clang reads all of its input before it writes anything, so this cannot block for ever.
        match stdin.write_all(&carriers.text) {
            // A clang that gave up early says why on its standard error.
            Err(error) if error.kind() != ErrorKind::BrokenPipe => return Err(failed(error)),
            Ok(()) | Err(_) => {}
        }
    }
    let result = stdout.map(read);
    let status = child.wait().map_err(failed)?;
    let complaints = complaints.join().unwrap_or_default();
    let messages = messages(&complaints, unit, carriers);
    if has_errors(&messages.in_user_text) {
        return Err(Rejection {
            messages: messages.in_user_text,
            offsets: messages.offsets,
        });
    }
    let ran = status.success()
        || !messages.in_headers.is_empty()
        || result.as_ref().is_some_and(gives_up);
    carriers.note_rejected(messages.in_headers);
    result.filter(|_| ran).ok_or_else(|| {
        let message = Diagnostic::error(format!("{} failed ({status})", clang.display()));
        Rejection::from(message.note(complaints.trim().to_string()))
    })
}

/// Why clang's tree cannot be used.
#[derive(Debug)]
pub struct Rejection {
    /// What clang found wrong, in the user's words.
    pub messages: Vec<Diagnostic>,
    /// For each message the place in the preprocessed text if it is about host code; `None` if it is about a directive, or
    /// about no place at all.
    pub offsets: Vec<Option<usize>>,
}

impl From<Diagnostic> for Rejection {
    fn from(message: Diagnostic) -> Self {
        Rejection {
            messages: vec![message],
            offsets: vec![None],
        }
    }
}

impl From<Rejection> for Vec<Diagnostic> {
    fn from(rejection: Rejection) -> Self {
        rejection.messages
    }
}

/// The name and version of a clang, as it says itself: `clang version 14.0.6`.
pub fn version(clang: &std::path::Path) -> String {
    let output = Command::new(clang).arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let text = text.unwrap_or_default();
    let line = text.lines().next().unwrap_or_default();
    let start = line.find("clang").unwrap_or(0);
    let words: Vec<&str> = line[start..].split_whitespace().take(3).collect();
    words.join(" ")
}

/// What clang said.
struct Complaints {
    in_user_text: Vec<Diagnostic>,
    /// As in [`Rejection`].
    offsets: Vec<Option<usize>>,
    /// Offsets in the carrier text of errors in system headers. Those are gcc's headers, of which clang cannot read
    /// everything; the user's program is not at fault.
    in_headers: Vec<usize>,
}

/// clang's standard error as messages about the user's files.
fn messages(complaints: &str, unit: &Unit, carriers: &Carriers) -> Complaints {
    let line_ends = carriers
        .text
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .map(|(at, _)| at + 1);
    let line_starts: Vec<usize> = std::iter::once(0).chain(line_ends).collect();
    let mut in_user_text: Vec<Diagnostic> = Vec::new();
    let mut offsets = Vec::new();
    let mut in_headers = Vec::new();
    // Whether notes belong to the last message in the list.
    let mut keep_notes = false;
    for complaint in complaints.lines().filter_map(parse_complaint) {
        let start = line_starts
            .get(complaint.line.saturating_sub(1))
            .copied()
            .unwrap_or(0);
        let offset = start + complaint.column.saturating_sub(1);
        let preprocessed = carriers.to_preprocessed(offset);
        let in_header = unit.lines.in_system_header(preprocessed);
        match complaint.severity {
            "error" | "fatal error" => {
                keep_notes = !in_header;
                if in_header {
                    in_headers.push(offset);
                } else {
                    in_user_text.push(user_message(complaint.text, offset, unit, carriers));
                    let is_host = unit.directive_at(preprocessed).is_none();
                    offsets.push(is_host.then_some(preprocessed));
                }
            }
            "note" if keep_notes && !carriers.is_generated(offset) => {
                if let Some(message) = in_user_text.last_mut() {
                    let range =
                        preprocessed..token_end(&carriers.text, offset) - offset + preprocessed;
                    message
                        .details
                        .related
                        .push((unit.place(range), complaint.text.to_string()));
                }
            }
            _ => {}
        }
    }
    if drop_consequences(&mut in_user_text) {
        offsets = vec![None; in_user_text.len()];
    }
    Complaints {
        in_user_text,
        offsets,
        in_headers,
    }
}

/// What a misplaced directive starts (see [`MISPLACED`]) is told once for each directive, without what follows from it. Whether
/// there is one.
fn drop_consequences(messages: &mut Vec<Diagnostic>) -> bool {
    let misplaced = messages
        .iter()
        .any(|message| message.message.ends_with(MISPLACED));
    if misplaced {
        messages.retain(|message| message.message.ends_with(MISPLACED));
        messages.dedup_by(|next, first| next.place == first.place);
    }
    misplaced
}

/// How the message about a directive ends that clang did not expect where it is.
const MISPLACED: &str = "directive cannot stand here";

/// An error of clang in the user's words: it must not speak of carriers.
fn user_message(text: &str, offset: usize, unit: &Unit, carriers: &Carriers) -> Diagnostic {
    let preprocessed = carriers.to_preprocessed(offset);
    let range = preprocessed..preprocessed + (token_end(&carriers.text, offset) - offset);
    let Some(directive) = unit.directive_at(preprocessed) else {
        let declared = unit
            .directives
            .iter()
            .find(|directive| directive.next_token == Some(preprocessed));
        return match declared.filter(|_| text.starts_with("expected expression")) {
            Some(directive) => {
                let name = directive.text_of(directive.directive.kind_span());
                unit.locate(
                    Diagnostic::error(format!(
                        "the `{name}` directive must be followed by a statement"
                    )),
                    range,
                )
                .label("this is a declaration")
            }
            None => unit.locate(Diagnostic::error(text), range),
        };
    };
    if carriers.is_generated(offset) {
        let range = preprocessed..token_end(&unit.text, preprocessed);
        if text.starts_with("cannot take the address of an rvalue")
            || text.starts_with("cannot take the address of a")
        {
            return unit
                .locate(Diagnostic::error("this is not a variable"), range)
                .section("1.6");
        }
        if text.starts_with("address of bit-field") {
            return unit.locate(
                Diagnostic::error("a bit-field cannot be named in a clause"),
                range,
            );
        }
        if preprocessed == directive.source.span.start {
            let name = directive.text_of(directive.directive.kind_span());
            let message = Diagnostic::error(format!("the `{name}` {MISPLACED}"));
            return directive
                .source
                .locate(message, directive.directive.kind_span());
        }
        return unit.locate(Diagnostic::error(text), range);
    }
    unit.locate(Diagnostic::error(text), range)
}

/// The end of the word or number at an offset; one byte for anything else.
fn token_end(text: &[u8], offset: usize) -> usize {
    let rest = text.get(offset..).unwrap_or_default();
    offset
        + rest
            .iter()
            .take_while(|&&byte| super::lexer::is_word(byte))
            .count()
            .max(1)
}

struct Complaint<'a> {
    line: usize,
    column: usize,
    severity: &'a str,
    text: &'a str,
}

/// `<stdin>:12:7: error: text`
fn parse_complaint(line: &str) -> Option<Complaint<'_>> {
    let rest = line.strip_prefix("<stdin>:")?;
    let (number, rest) = rest.split_once(':')?;
    let (column, rest) = rest.split_once(": ")?;
    let (severity, text) = rest.split_once(": ")?;
    Some(Complaint {
        line: number.parse().ok()?,
        column: column.parse().ok()?,
        severity,
        text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_clang_is_said_with_the_remedy() {
        let message = find_in(None, Some("/nonexistent".into()))
            .err()
            .map(|message| message.details.help.unwrap_or_default());
        assert!(message.is_some_and(|help| help.contains("apt install clang")));
        let message = find_in(Some("no-such-clang".into()), Some("/nonexistent".into())).err();
        assert!(message.is_some_and(|message| message.message.contains("no-such-clang")));
    }

    #[test]
    fn the_users_dialect_in_clangs_words() {
        let of = |words: &str| {
            let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
            language_options(&words).join(OsStr::new(" "))
        };
        assert_eq!(of("-std=gnu23 -fshort-enums"), "-std=gnu2x -fshort-enums");
        assert_eq!(of("--std c99 -trigraphs --std=c11"), "-std=c99 -std=c11");
        assert_eq!(of("-fplan9-extensions"), "-fms-extensions");
    }
}
