//! One translation unit: from preprocessed C to host text and companion.
//!
//! ```text
//! preprocessed text ──▶ directives? ── none ──▶ Unit::Plain      the user's compiler alone compiles the source
//!                           │
//!                           └── some ──▶ Unit::Offload            host text:  the user's text, regions behind launches
//!                                                                 companion:  kernels, site tables, registration
//! ```

use std::path::{Path, PathBuf};

use crate::host::HostCompiler;

/// What is to be compiled, and how.
pub struct UnitRequest<'a> {
    /// The source as the user named it, for messages.
    pub source: &'a Path,
    /// Its preprocessed text, with line markers.
    pub preprocessed: &'a Path,
    /// Directory for everything this step writes.
    pub scratch: &'a Path,
    /// The user's dialect and code generation options (`-std=`, `-m`, `-f`, `--target`), for reading the text as the
    /// user's compiler would.
    pub options: &'a [std::ffi::OsString],
    /// The user's compiler.
    pub host: &'a HostCompiler,
}

/// What became of the unit.
pub enum Unit {
    /// There is no directive in it.
    Plain,
    /// Two texts, to be compiled and joined.
    Offload {
        /// Preprocessed C for the user's compiler.
        host_text: PathBuf,
        /// C of the kernels and tables, self-contained.
        companion: PathBuf,
        /// Rendered warnings; may be empty.
        warnings: String,
    },
}

/// Rendered error messages, ready to be printed.
#[derive(Debug)]
pub struct Errors(pub String);

/// Compiles the directives of one unit.
pub fn compile_unit(request: &UnitRequest) -> Result<Unit, Errors> {
    let text = std::fs::read(request.preprocessed).map_err(|error| {
        Errors(format!(
            "accrue: error: {}: {error}\n",
            request.preprocessed.display()
        ))
    })?;
    if !has_directives(&text) {
        return Ok(Unit::Plain);
    }
    Err(Errors(format!(
        "accrue: error: {}: directives are not compiled yet\n",
        request.source.display()
    )))
}

/// Whether preprocessed text holds an OpenACC directive. Pragmas begin a line there, also those from `_Pragma`.
fn has_directives(text: &[u8]) -> bool {
    text.split(|byte| *byte == b'\n').any(|line| {
        let words = line
            .trim_ascii_start()
            .strip_prefix(b"#")
            .map(<[u8]>::trim_ascii_start);
        let after = words.and_then(|words| words.strip_prefix(b"pragma"));
        let sentinel = after.filter(|rest| rest.first().is_some_and(u8::is_ascii_whitespace));
        let rest = sentinel.and_then(|rest| rest.trim_ascii_start().strip_prefix(b"acc"));
        rest.is_some_and(|rest| {
            rest.first()
                .is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
        })
    })
}

#[cfg(test)]
mod tests {
    use super::has_directives;

    #[test]
    fn directives_are_found_in_preprocessed_text() {
        for text in [
            "#pragma acc parallel",
            "int x;\n  # pragma  acc\tloop\n",
            "#pragma acc",
        ] {
            assert!(has_directives(text.as_bytes()), "{text}");
        }
        for text in [
            "#pragma omp parallel",
            "#pragma accurate",
            "int acc;",
            "\"#pragma acc\"",
            "#pragmaacc x",
        ] {
            assert!(!has_directives(text.as_bytes()), "{text}");
        }
    }
}
