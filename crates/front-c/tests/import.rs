//! Data tests of the import: for each `tests/import/NAME.c` the IR, or the messages, stand in `NAME.expected`.
//! `ACCRUE_BLESS=1 cargo test -p accrue-front-c` writes them anew. Locations are left out of the IR, all but those of
//! messages; every module must verify.

mod common;

use accrue_diag::{Diagnostic, SourceFiles, render};
use accrue_front_c::ast::{self, Ast, ReadError, types::Target};
use accrue_front_c::import::{Source, Wanted, import};
use accrue_front_c::text::carriers::Carriers;
use accrue_front_c::text::clang;
use common::{Result, compare, inputs, unit};
use pliron::common_traits::Verify;
use pliron::context::Context;
use pliron::op::Op;
use pliron::printable::Printable;
use std::io::Read;
use std::path::Path;
use std::process::ChildStdout;

/// The IR of a source file, or its messages.
fn results(source: &Path) -> Result<String> {
    results_of(source, ast::read)
}

/// The same, with clang's dump as `read` reads it.
fn results_of(
    source: &Path,
    read: impl FnOnce(ChildStdout) -> std::result::Result<Ast, ReadError>,
) -> Result<String> {
    let files = SourceFiles::default();
    let outcome = (|| -> std::result::Result<String, Vec<Diagnostic>> {
        let failed = |error: &dyn std::fmt::Display| vec![Diagnostic::error(error.to_string())];
        let unit = unit("gcc", source, &[], &files).map_err(|error| failed(&error))??;
        let carriers = Carriers::new(&unit);
        let clang = clang::find().map_err(|message| vec![message])?;
        let ast = clang::read_ast(&clang, &[], &unit, &carriers, read, |_| false)?;
        let ast = ast.map_err(|error| failed(&error))?;
        let mut ctx = Context::new();
        let source = Source {
            unit: &unit,
            carriers: &carriers,
            ast: &ast,
            target: Target::X86_64,
            device: accrue_directives::omp::selectors::Device::Cores,
            name: "unit",
            unit_number: Some("0123456789abcdef"),
            wanted: Wanted::OfUnit,
        };
        let module = import(&mut ctx, source)?.module;
        let operation = module.get_operation();
        if let Err(error) = operation.deref(&ctx).verify(&ctx) {
            return Err(failed(&error.disp(&ctx)));
        }
        Ok(without_locations(
            &operation.deref(&ctx).disp(&ctx).to_string(),
        ))
    })();
    Ok(outcome.unwrap_or_else(|messages| render(&messages, &files, false)))
}

/// IR text without its table of locations and the references into it.
fn without_locations(text: &str) -> String {
    let text = text
        .split("outlined_attributes:")
        .next()
        .unwrap_or_default();
    let mut lines = String::new();
    for line in text.lines() {
        let (line, end) = match line.strip_suffix(';') {
            Some(line) => (line, ";"),
            None => (line, ""),
        };
        let line = match line.rsplit_once(" !") {
            Some((before, number)) if number.chars().all(|c| c.is_ascii_digit()) => before,
            _ => line,
        };
        if !line.trim().is_empty() {
            lines.push_str(line.trim_end());
            lines.push_str(end);
            lines.push('\n');
        }
    }
    lines
}

#[test]
fn ir_and_messages_are_as_expected() -> Result<()> {
    let mut differences = String::new();
    for source in inputs("tests/import")? {
        differences.extend(compare(&source, &results(&source)?)?);
    }
    assert!(differences.is_empty(), "not as expected:\n{differences}");
    Ok(())
}

/// What clang never writes is not taken for an object: `*total` with another operator. A statement of the host that is not
/// understood stays as it is.
#[test]
fn operators_that_give_no_object_name_none() -> Result<()> {
    let source = Path::new("tests/import/loop.c");
    let subscript = "\"opcode\": \"*\"";
    for operator in ["-", "+", "~", "!", "&", "++", "--"] {
        let other = format!("\"opcode\": \"{operator}\"");
        let found = results_of(source, |mut dump| {
            let mut text = String::new();
            dump.read_to_string(&mut text)?;
            ast::read(text.replace(subscript, &other).as_bytes())
        })?;
        assert!(
            found.contains("core.opaque \"BinaryOperator\""),
            "{operator}: {found}"
        );
    }
    Ok(())
}
