//! What the data tests share.

use accrue_diag::{Diagnostic, SourceFiles};
use accrue_directives::{ClauseArgs, ClauseKind, Language};
use accrue_front_c::text::host::HostCall;
use accrue_front_c::text::host_call::{Object, SiteVariable, Step, ValueClass};
use accrue_front_c::text::preprocess::{Family, Request};
use accrue_front_c::text::scan::{ScannedDirective, Unit, scan};
use std::collections::HashMap;
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

/// What an input says about its variables: `// shape NAME: Array Pointer` and `// value NAME: Float64`.
#[derive(Default)]
pub struct Types {
    shapes: HashMap<String, Vec<Step>>,
    values: HashMap<String, ValueClass>,
}

impl Types {
    /// Reads the lines of an input.
    pub fn of(source: &str) -> Types {
        let mut types = Types::default();
        for line in source.lines() {
            if let Some((name, steps)) = line
                .strip_prefix("// shape ")
                .and_then(|line| line.split_once(':'))
            {
                let step = |word: &str| {
                    if word == "Array" {
                        Step::Array
                    } else {
                        Step::Pointer
                    }
                };
                types.shapes.insert(
                    name.to_string(),
                    steps.split_whitespace().map(step).collect(),
                );
            }
            if let Some((name, class)) = line
                .strip_prefix("// value ")
                .and_then(|line| line.split_once(':'))
            {
                let class = match class.trim() {
                    "Float32" => ValueClass::Float32,
                    "Float64" => ValueClass::Float64,
                    "LongDouble" => ValueClass::LongDouble,
                    "Complex32" => ValueClass::Complex32,
                    "Complex64" => ValueClass::Complex64,
                    _ => ValueClass::Integer,
                };
                types.values.insert(name.to_string(), class);
            }
        }
        types
    }

    /// The host call of a directive, with the variables of its data clauses.
    pub fn host_call(
        &self,
        directive: &ScannedDirective,
    ) -> std::result::Result<Option<HostCall>, Diagnostic> {
        let mut variables = Vec::new();
        let is_loop_clause = |kind| matches!(kind, ClauseKind::Private | ClauseKind::Reduction);
        for clause in directive
            .directive
            .clauses
            .iter()
            .filter(|clause| !is_loop_clause(clause.kind))
        {
            let ClauseArgs::Vars(vars) = &clause.args else {
                continue;
            };
            for var in vars {
                let name = directive.text_of(var.base);
                if let Some(&class) = self.values.get(name) {
                    variables.push(SiteVariable::Value {
                        expression: name.to_string(),
                        class,
                    });
                    continue;
                }
                let steps = self.shapes.get(name).map(Vec::as_slice).unwrap_or_default();
                let mut object = Object::of_variable(directive, var, steps, None)?;
                object.pass_pointer = name.contains("->");
                variables.push(SiteVariable::Object(object));
            }
        }
        HostCall::from_directive(
            directive,
            &format!("site_{}", directive.ordinal),
            &variables,
        )
    }
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
