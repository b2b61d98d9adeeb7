//! What the data tests share.

use accrue_diag::{Diagnostic, SourceFiles};
use accrue_directives::Language;
use accrue_front_c::ast::{self, types::Target};
use accrue_front_c::import::{Source, import};
use accrue_front_c::text::carriers::Carriers;
use accrue_front_c::text::clang;
use accrue_front_c::text::host_call::{self, HostCall};
use accrue_front_c::text::preprocess::{Family, Request};
use accrue_front_c::text::scan::{Unit, scan};
use accrue_hostcall::Site;
use pliron::context::Context;
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
        version: 201711,
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
        &source.to_string_lossy(),
        files,
    ))
}

/// The calls of a unit's directives, as the whole compiler makes them.
pub fn host_calls(unit: &Unit) -> std::result::Result<Vec<Option<HostCall>>, Vec<Diagnostic>> {
    let carriers = Carriers::new(unit);
    let clang = clang::find().map_err(|message| vec![message])?;
    let read = clang::read_ast(&clang, &[], unit, &carriers, ast::read, |_| false)?;
    let ast = read.map_err(|error| vec![Diagnostic::error(error.to_string())])?;
    let mut ctx = Context::new();
    let source = Source {
        unit,
        carriers: &carriers,
        ast: &ast,
        target: Target::X86_64,
        name: "unit",
        unit_number: None,
    };
    let module = import(&mut ctx, source)?.module;
    let lowered = accrue_pipeline::lower(&mut ctx, module, &accrue_pipeline::Options::default())?;
    let symbol = |site: &Site| format!("site_{}", site.directive);
    let symbols: Vec<String> = lowered.sites.iter().map(symbol).collect();
    host_call::host_calls(unit, &lowered.sites, &symbols)
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
