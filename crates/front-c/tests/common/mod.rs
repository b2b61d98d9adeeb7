//! What the data tests share.

use accrue_diag::{Diagnostic, SourceFiles};
use accrue_directives::Language;
use accrue_front_c::text::preprocess::{Family, Request};
use accrue_front_c::text::scan::{Unit, scan};
use accrue_front_c::text::sentinel::Languages;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Any failure; tests only show it.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The preprocessed text of a source file.
pub fn preprocessed(compiler: &str, source: &Path, options: &[&str]) -> Result<Vec<u8>> {
    let compiler = [OsString::from(compiler)];
    let options: Vec<OsString> = options.iter().map(OsString::from).collect();
    let family = Family::of(&compiler)?;
    let request = Request {
        family,
        options: &options,
        source,
        include: None,
        version: Some(202506),
    };
    let output = std::process::Command::new(&compiler[0])
        .args(request.arguments())
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(request.text(output.stdout))
}

/// A scanned source file, or what is wrong with it.
pub fn unit(
    compiler: &str,
    source: &Path,
    options: &[&str],
    files: &SourceFiles,
) -> Result<std::result::Result<Unit, Vec<Diagnostic>>> {
    Ok(scan(
        preprocessed(compiler, source, options)?,
        Language::C,
        Languages::ACC,
        &source.to_string_lossy(),
        files,
    ))
}

/// The C files of a folder.
pub fn inputs(folder: &str) -> Result<Vec<PathBuf>> {
    let entries: std::io::Result<Vec<_>> = std::fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect();
    let mut inputs = entries?;
    inputs.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    inputs.sort();
    assert!(!inputs.is_empty(), "no inputs in {folder}");
    Ok(inputs)
}

/// Compares with the file of expectations beside an input, or writes it when `ACCRUE_BLESS` is set. Returns what is to
/// be shown if they differ.
pub fn compare(source: &Path, actual: &str) -> Result<Option<String>> {
    let expected = source.with_extension("expected");
    if std::env::var_os("ACCRUE_BLESS").is_some() {
        std::fs::write(&expected, actual)?;
    }
    let same = std::fs::read_to_string(&expected).unwrap_or_default() == actual;
    Ok((!same).then(|| format!("{}:\n{actual}", source.display())))
}
