//! The test that what passes find out stands in the IR: each pass, run by itself on the text that the pass before it has printed,
//! gives what the whole pipeline gives. For every program of `tests/run` (`ACCRUE_TESTS=all`; without that for a fixed share),
//! for CPU cores and for GPUs:
//!
//! ```text
//! the pipeline:   import ──pass 1──▶ IR ──pass 2──▶ IR ──pass 3──▶ IR …
//!                    │print           │print           │print
//!                    ▼                ▼                ▼
//!                  text             text             text
//!                    └─read, pass 1─▶═└─read, pass 2─▶═                  each time with an IR and a state of its own
//! ```
//! Compared are texts, remarks, warnings, errors, and the sites.
//!
//! One program: `ACCRUE_STEPWISE=reduction/ cargo test -p accrue --bin accrue stepwise`, with a part of its name.

use std::ffi::OsString;
use std::mem::take;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use accrue_diag::{Diagnostic, SourceFiles};
use accrue_front_c::ast::STACK_BYTES;
use accrue_hostcall::Site;
use accrue_ir::text;
use accrue_opt::{Pass, Remark, State, Target};
use accrue_pipeline::{PASSES, run_pass};
use accrue_tests::{Share, Source};
use pliron::builtin::ops::ModuleOp;
use pliron::context::Context;
use pliron::op::Op;
use pliron::operation::Operation;

use crate::{cc, program, unit};

#[test]
fn every_pass_gives_on_text_what_the_pipeline_gives() {
    let share = Share::selected().unwrap();
    let part = std::env::var("ACCRUE_STEPWISE").ok();
    let wanted = |source: &Source| match &part {
        Some(part) => source.name.contains(part),
        None => share.has_steps_of(&source.name),
    };
    let mut programs = accrue_tests::collect("run").unwrap();
    // Options of sets concern the back ends, and what needs another clang would need it in the environment.
    programs.dedup_by(|a, b| a.path == b.path);
    programs.retain(|source| wanted(source) && source.header.needs_clang.is_none());
    assert!(!programs.is_empty());
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(source) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(why) = check(source) {
                failures
                    .lock()
                    .unwrap()
                    .push(format!("{}: {why}", source.name));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
            thread.spawn_scoped(scope, work).unwrap();
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    let shown = failures.len().min(20);
    let all = programs.len();
    assert!(
        failures.is_empty(),
        "{} of {all} programs:\n{}",
        failures.len(),
        failures[..shown].join("\n")
    );
}

/// What a pass leaves and says.
#[derive(PartialEq)]
struct Result {
    text: String,
    sites: Vec<Site>,
    remarks: Vec<Remark>,
    warnings: Vec<Diagnostic>,
    errors: Vec<Diagnostic>,
}

fn check(source: &Source) -> std::result::Result<(), String> {
    let mut words = vec![OsString::from(&source.path)];
    words.extend(source.header.cflags.iter().map(OsString::from));
    let text = cc::preprocess(&words).map_err(|_| "it cannot be preprocessed".to_string())?;
    let files = SourceFiles::default();
    let failed = |messages: Vec<Diagnostic>| unit::render(&messages, &files);
    let scanned = unit::scan(&text.name, text.text, text.languages, &files).map_err(failed)?;
    let program = program::read(&scanned, &text.name, &text.reader_options).map_err(failed)?;
    for target in Target::ALL {
        let mut ctx = Context::new();
        let module = program.import(&mut ctx, target).map_err(failed)?.module;
        let mut before = text::print(&ctx, module.get_operation());
        let mut state = state_for(target);
        for pass in PASSES {
            let whole = run(&mut ctx, module, pass, &mut state);
            let mut own = Context::new();
            let alone = match read(&mut own, &before) {
                Ok(module) => run(&mut own, module, pass, &mut state_for(target)),
                Err(why) => return Err(format!("{}, before {}: {why}", target.name, pass.name)),
            };
            if let Some(difference) = difference(&whole, &alone) {
                return Err(format!("{}, {}: {difference}", target.name, pass.name));
            }
            if !whole.errors.is_empty() {
                break;
            }
            before = whole.text;
        }
    }
    Ok(())
}

fn read(ctx: &mut Context, text: &str) -> std::result::Result<ModuleOp, String> {
    let operation = text::parse(ctx, text).map_err(|error| error.to_string())?;
    Operation::get_op::<ModuleOp>(operation, ctx).ok_or_else(|| "it is no module".to_string())
}

fn state_for(target: Target) -> State {
    State {
        target,
        ..State::default()
    }
}

/// Runs one pass and takes from the state what it says.
fn run(ctx: &mut Context, module: ModuleOp, pass: &Pass, state: &mut State) -> Result {
    let errors = run_pass(ctx, module, pass, state).err();
    Result {
        text: text::print(ctx, module.get_operation()),
        sites: take(&mut state.sites),
        remarks: take(&mut state.remarks),
        warnings: take(&mut state.warnings),
        errors: errors.unwrap_or_default(),
    }
}

/// The first thing in which the results differ.
fn difference(whole: &Result, alone: &Result) -> Option<String> {
    if whole == alone {
        return None;
    }
    let lines = whole.text.lines().zip(alone.text.lines());
    let texts = lines.enumerate().find(|(_, (whole, alone))| whole != alone);
    let lists = [
        (format!("{:?}", whole.errors), format!("{:?}", alone.errors)),
        (format!("{:?}", whole.sites), format!("{:?}", alone.sites)),
        (
            format!("{:?}", whole.remarks),
            format!("{:?}", alone.remarks),
        ),
        (
            format!("{:?}", whole.warnings),
            format!("{:?}", alone.warnings),
        ),
    ];
    let (place, whole, alone) = match texts {
        Some((line, (whole, alone))) => (format!("line {}", line + 1), whole, alone),
        None => match lists.iter().find(|(whole, alone)| whole != alone) {
            Some((whole, alone)) => ("messages or sites".to_string(), &**whole, &**alone),
            None => ("the end of the text".to_string(), "", ""),
        },
    };
    Some(format!(
        "{place}:\n  pipeline  {whole}\n  by itself {alone}"
    ))
}
