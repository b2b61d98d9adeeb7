//! The user's own compiler: which one it is and what is known about it.

use std::cell::OnceCell;
use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use accrue_front_c::text::preprocess::Family;

use crate::cc::response;
use crate::scratch;

/// A language's compiler role: how the user names the compiler for it.
#[derive(Debug)]
pub struct Role {
    /// The command after `accrue`.
    pub command: &'static str,
    /// Environment variable that names the compiler.
    pub variable: &'static str,
    /// Option that names the compiler.
    pub option: &'static str,
    /// The compiler when neither does.
    pub default: &'static str,
}

pub const C: Role = Role {
    command: "cc",
    variable: "ACCRUE_CC",
    option: "--accrue-cc=",
    default: "cc",
};
pub const CXX: Role = Role {
    command: "c++",
    variable: "ACCRUE_CXX",
    option: "--accrue-cxx=",
    default: "c++",
};
pub const FORTRAN: Role = Role {
    command: "fc",
    variable: "ACCRUE_FC",
    option: "--accrue-fc=",
    default: "gfortran",
};

/// The user's compiler.
#[derive(Debug)]
pub struct HostCompiler {
    /// The program and its first arguments (`ccache gcc`).
    words: Vec<OsString>,
    /// The file that is run.
    path: PathBuf,
    /// What has named it: an environment variable, an option.
    origin: &'static str,
    version: OnceCell<String>,
    linker: OnceCell<Option<PathBuf>>,
}

impl HostCompiler {
    /// The compiler that `option` (the value of `--accrue-cc=`), else the environment, else the default names.
    pub fn find(role: &Role, option: Option<&OsStr>) -> Result<HostCompiler, String> {
        let (named, origin) = match (option, env::var_os(role.variable)) {
            (Some(value), _) => (value.to_owned(), role.option),
            (None, Some(value)) if !value.is_empty() => (value, role.variable),
            (None, _) => (role.default.into(), "the default"),
        };
        let words = split_words(&named)?;
        let Some(program) = words.first() else {
            return Err(format!("{origin} names no compiler"));
        };
        let Some(path) = find_program(program) else {
            return Err(format!(
                "the compiler `{}` (from {origin}) was not found; install it (Debian, Ubuntu: apt-get install gcc) or name another one in {}{}",
                program.to_string_lossy(),
                role.variable,
                if words.len() > 1 {
                    ", with quotes around a name with spaces"
                } else {
                    ""
                }
            ));
        };
        if is_this_program(&path) {
            return Err(format!(
                "`{}` (from {origin}) is accrue itself; name the compiler it shall use in {}",
                program.to_string_lossy(),
                role.variable
            ));
        }
        Ok(HostCompiler {
            words,
            path,
            origin,
            version: OnceCell::new(),
            linker: OnceCell::new(),
        })
    }

    /// The words every command line begins with.
    pub fn words(&self) -> &[OsString] {
        &self.words
    }

    /// What the compiler says about itself with `--version`; empty when it says nothing.
    pub fn version(&self) -> &str {
        self.version
            .get_or_init(|| self.ask(&["--version".into()]).unwrap_or_default())
    }

    /// The compiler as an error message names it.
    pub fn described(&self) -> String {
        let name = self.words.first().map(|word| word.to_string_lossy());
        format!("`{}` (from {})", name.unwrap_or_default(), self.origin)
    }

    /// Whether it takes C for C++, as g++ and clang++ do. Their names say so, or that of what they are a link to, or what
    /// a wrapper says when it is asked for its version.
    pub fn is_for_cxx(&self) -> bool {
        let resolved = self.path.canonicalize().unwrap_or_default();
        let names = self.words.iter().map(Path::new).chain([resolved.as_path()]);
        let says = |text: &str| text.ends_with("++") || text.contains("++-");
        names
            .filter_map(Path::file_name)
            .any(|name| says(&name.to_string_lossy()))
            || self.version().split_whitespace().next().is_some_and(says)
    }

    /// The linker that the compiler uses, if it tells.
    pub fn linker(&self) -> Option<&Path> {
        let linker = self.linker.get_or_init(|| {
            let answer = self.ask(&["-print-prog-name=ld".into()])?;
            find_program(OsStr::new(answer.trim()))
        });
        linker.as_deref()
    }

    /// What it writes to standard output when it is called with these words.
    pub fn ask(&self, question: &[OsString]) -> Option<String> {
        let output = self.command(question)?.output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// What it writes to standard error when it is called with these words.
    pub fn ask_for_messages(&self, question: &[OsString]) -> Option<Vec<u8>> {
        let output = self.command(question)?.output().ok()?;
        Some(output.stderr)
    }

    fn command(&self, words: &[OsString]) -> Option<Command> {
        let (program, arguments) = self.words.split_first()?;
        let mut command = Command::new(program);
        command.args(arguments).args(words).stdin(Stdio::null());
        scratch::for_temporary_files_of(&mut command);
        Some(command)
    }

    /// Which options it understands beyond the common ones.
    pub fn family(&self) -> Family {
        let version = self.version();
        if version.contains("clang") {
            Family::Clang
        } else if version.contains("Free Software Foundation") || version.contains("GCC") {
            Family::Gcc
        } else {
            Family::Other
        }
    }
}

/// A compiler may be named with arguments, as in `CC="ccache gcc"`, and with quotes, as in a shell.
fn split_words(named: &OsStr) -> Result<Vec<OsString>, String> {
    if Path::new(named).is_file() {
        return Ok(vec![named.to_owned()]);
    }
    response::split_checked(named.as_bytes())
        .ok_or_else(|| format!("a quote is missing in `{}`", named.to_string_lossy()))
}

/// The file that running `program` would run.
pub fn find_program(program: &OsStr) -> Option<PathBuf> {
    let direct = Path::new(program);
    if direct.components().count() > 1 {
        return direct.is_file().then(|| direct.to_owned());
    }
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|candidate| is_executable(candidate))
}

fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// A user may have linked `cc` to `accrue-cc`: running it would run us for ever.
fn is_this_program(path: &Path) -> bool {
    let own = env::current_exe().and_then(|own| own.canonicalize());
    matches!((own, path.canonicalize()), (Ok(own), Ok(other)) if own == other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_with_arguments() {
        let split = |text: &str| split_words(OsStr::new(text));
        assert_eq!(
            split("ccache  gcc '-DX=a b'  \"y\"").unwrap(),
            ["ccache", "gcc", "-DX=a b", "y"]
        );
        assert!(split("'/opt/my gcc").is_err());
    }

    #[test]
    fn missing_compiler_is_explained() {
        let message =
            HostCompiler::find(&C, Some(OsStr::new("no-such-compiler-here"))).unwrap_err();
        assert!(
            message.contains("no-such-compiler-here") && message.contains("ACCRUE_CC"),
            "{message}"
        );
    }
}
