//! How the preprocessor of the user's compiler is called, so that includes, macros and built-in definitions are exactly
//! his; the driver calls it.
//!
//! * `_OPENACC` gets our value, and our `openacc.h` comes before the compiler's own.
//! * Macros inside directives are to be expanded (OpenACC 3.4 section 2.1). gcc does so with `-fopenacc`. clang does not:
//!   it is asked to leave the definitions in its output (`-dD`), and [`macros`](super::macros) expands them.

use super::macros;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, Stdio};

/// Which compiler it is, as far as its options matter here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// gcc
    Gcc,
    /// clang and the compilers built on it
    Clang,
    /// Another one with `-E`, `-D`, `-U`, `-isystem` and `-dD`.
    Other,
}

/// Why a compiler cannot be asked what it is.
#[derive(Debug, thiserror::Error)]
pub enum PreprocessError {
    /// There is no such compiler.
    #[error(
        "the compiler `{0}` was not found; install one with `apt install gcc`, or name yours with ACCRUE_CC"
    )]
    NotFound(String),
    /// It could not be started for another reason.
    #[error("cannot run the compiler `{0}`: {1}")]
    NotRun(String, std::io::Error),
}

/// A source file to be preprocessed.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// Which one it is; see [`Family::of`].
    pub family: Family,
    /// The user's options in their order, dependency options (`-MD`, `-MF`, `-MT` …) included; neither the source nor
    /// `-o`, `-c`, `-E`, `-S` and the like, nor the options that turn OpenACC on.
    pub options: &'a [OsString],
    /// The source file.
    pub source: &'a Path,
    /// The folder of our `openacc.h`.
    pub include: Option<&'a Path>,
    /// The value of `_OPENACC`; `None` where OpenACC is not wanted.
    pub version: Option<u32>,
}

impl Family {
    /// Asks a compiler what it is.
    ///
    /// # Errors
    /// If it cannot be run.
    pub fn of(compiler: &[OsString]) -> Result<Family, PreprocessError> {
        let output = run(compiler, |command| {
            command
                .args(["-dM", "-E", "-x", "c", "-"])
                .stdin(Stdio::null());
        })?;
        let macros = String::from_utf8_lossy(&output.stdout).into_owned();
        let defines = |name: &str| macros.contains(&format!("#define {name} "));
        Ok(match () {
            () if defines("__clang__") => Family::Clang,
            () if defines("__NVCOMPILER") || defines("__INTEL_COMPILER") => Family::Other,
            () if defines("__GNUC__") => Family::Gcc,
            () => Family::Other,
        })
    }
}

impl Request<'_> {
    /// The words after the compiler: they write the text to standard output, or to a file when `-o` follows them.
    pub fn arguments(&self) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = vec!["-E".into()];
        if let Some(version) = self.version {
            arguments.push("-U_OPENACC".into());
            arguments.push(format!("-D_OPENACC={version}").into());
        }
        if let Some(include) = self.include {
            arguments.extend(["-isystem".into(), include.into()]);
        }
        arguments.extend_from_slice(self.options);
        match self.family {
            // The user's own `-fopenmp` expands those of OpenMP.
            Family::Gcc if self.version.is_none() => {}
            Family::Gcc => {
                arguments.push("-fopenacc".into());
                // gcc's -fopenacc implies -pthread; the user's text must not notice.
                if !self.options.iter().any(|option| sets_reentrant(option)) {
                    arguments.push("-U_REENTRANT".into());
                }
            }
            Family::Clang | Family::Other => arguments.push("-dD".into()),
        }
        arguments.push(self.source.into());
        arguments
    }

    /// The preprocessed text from what the compiler wrote.
    pub fn text(&self, written: Vec<u8>) -> Vec<u8> {
        match self.family {
            Family::Gcc => written,
            Family::Clang | Family::Other => macros::expand_directives(&written),
        }
    }
}

/// Whether `_REENTRANT` is the user's own wish.
fn sets_reentrant(option: &OsStr) -> bool {
    let text = option.to_string_lossy();
    matches!(text.as_ref(), "-pthread" | "-fopenmp") || text.starts_with("-D_REENTRANT")
}

fn run(
    compiler: &[OsString],
    set_up: impl FnOnce(&mut Command),
) -> Result<std::process::Output, PreprocessError> {
    let program = compiler
        .first()
        .map(OsString::as_os_str)
        .unwrap_or_default();
    let mut command = Command::new(program);
    command
        .args(compiler.get(1..).unwrap_or_default())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    set_up(&mut command);
    command.output().map_err(|error| {
        let program = program.to_string_lossy().into_owned();
        match error.kind() {
            std::io::ErrorKind::NotFound => PreprocessError::NotFound(program),
            _ => PreprocessError::NotRun(program, error),
        }
    })
}
