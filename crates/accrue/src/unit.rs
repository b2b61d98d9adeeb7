//! One translation unit: from preprocessed C to host text and companion.
//!
//! ```text
//! preprocessed text ──▶ directives? ── none ──▶ Unit::Plain      the user's compiler alone compiles the source
//!                           │
//!                           └── some ──▶ Unit::Offload            host text:  the user's text, regions behind launches
//!                                                                 companion:  kernels, site tables, registration
//! ```

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use accrue_directives::Language;
use accrue_front_c::text::message::{self, Message};
use accrue_front_c::text::position::SourceFiles;
use accrue_front_c::text::scan;

/// What is to be compiled, and how.
pub struct UnitRequest<'a> {
    /// The source as the user named it, for messages.
    pub source: &'a Path,
    /// Its preprocessed text, with line markers.
    pub text: Vec<u8>,
    /// Where the host text goes.
    pub host_text: PathBuf,
    /// Where the companion goes.
    pub companion: PathBuf,
    /// The user's dialect and code generation options (`-std=`, `-m`, `-f`, `--target`), for reading the text as the
    /// user's compiler would.
    pub options: &'a [OsString],
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
pub fn compile_unit(request: UnitRequest) -> Result<Unit, Errors> {
    let files = SourceFiles::default();
    generate(request, &files).map_err(|messages| {
        Errors(message::render(
            &messages,
            &files,
            io::stderr().is_terminal(),
        ))
    })
}

fn generate(request: UnitRequest, files: &SourceFiles) -> Result<Unit, Vec<Message>> {
    let unit = scan::scan(
        request.text,
        Language::C,
        &request.source.to_string_lossy(),
        files,
    )?;
    if unit.directives.is_empty() {
        return Ok(Unit::Plain);
    }
    Err(vec![Message::error("directives are not compiled yet")])
}
