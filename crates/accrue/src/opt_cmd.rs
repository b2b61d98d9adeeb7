//! `accrue opt [--pass=a,b] [--target=gpu] FILE`: runs passes over IR text, so that each can be tried and tested by itself.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use accrue_diag::Diagnostic;
use accrue_ir::text::{self, ParseError};
use accrue_opt::{Pass, State, Target, reductions::verifier as protocol};
use accrue_pipeline::{PASSES, run_pass};
use pliron::builtin::ops::ModuleOp;
use pliron::context::Context;
use pliron::op::Op;
use pliron::operation::Operation;

use crate::process::{Failure, print_result};

/// Prints the module in `file` (`-`: standard input) after the named passes, in the order of the names.
pub fn main(file: &Path, names: &[String], target: &str) -> Result<(), Failure> {
    let target = Target::named(target).ok_or_else(|| {
        let known = Target::ALL.map(|target| target.name).join(" and ");
        format!("there is no target `{target}`; the targets are {known}")
    })?;
    let passes = names
        .iter()
        .map(|name| find_pass(name))
        .collect::<Result<Vec<&Pass>, String>>()?;
    let mut ctx = Context::new();
    let module = parse_module(&mut ctx, &read(file)?).map_err(|error| match error.position {
        Some(_) => format!("{}:{error}", file.display()),
        None => format!("{}: {error}", file.display()),
    })?;
    let mut state = State {
        target,
        ..State::default()
    };
    for pass in passes {
        run_pass(&mut ctx, module, pass, &mut state)
            .map_err(|diagnostics| report(file, &diagnostics))?;
    }
    print_result(&format!("{}\n", text::print(&ctx, module.get_operation())))
}

/// The pass of that name.
pub fn find_pass(name: &str) -> Result<&'static Pass, String> {
    PASSES.iter().find(|pass| pass.name == name).ok_or_else(|| {
        let known: Vec<&str> = PASSES.iter().map(|pass| pass.name).collect();
        format!(
            "there is no pass `{name}`; the passes are {}",
            known.join(", ")
        )
    })
}

fn read(file: &Path) -> Result<String, String> {
    let mut text = String::new();
    let result = if file == Path::new("-") {
        io::stdin().read_to_string(&mut text).map(drop)
    } else {
        fs::read_to_string(file).map(|contents| text = contents)
    };
    result.map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(text)
}

fn parse_module(ctx: &mut Context, text: &str) -> Result<ModuleOp, ParseError> {
    let operation = text::parse(ctx, text)?;
    let module = Operation::get_op::<ModuleOp>(operation, ctx).ok_or_else(|| ParseError {
        position: Some((1, 1)),
        message: "expected a `builtin.module`".to_string(),
    })?;
    // Every pass leaves the rules of reductions kept, so that what one printed keeps them.
    match protocol::check(ctx, module, "reading") {
        None => Ok(module),
        Some(message) => Err(ParseError {
            position: None,
            message,
        }),
    }
}

fn report(file: &Path, diagnostics: &[Diagnostic]) -> Failure {
    let line = |diagnostic: &Diagnostic| {
        let (line, column) = diagnostic
            .position()
            .map_or((0, 0), |position| (position.line, position.column));
        format!("{}:{line}:{column}: {}", file.display(), diagnostic.message)
    };
    let lines: Vec<String> = diagnostics.iter().map(line).collect();
    Failure::Message(lines.join("\n"))
}
