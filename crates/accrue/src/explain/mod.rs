//! `accrue explain FILE [--json] [cc options]` and `-Minfo`: what became of every region, loop and variable, and why.
//!
//! ```text
//! passes ──remarks──────────┐
//! sites ──variables─────────┼──▶ Report ──▶ text, JSON
//! back-ptx ──kernels────────┤
//! ptxas -v ──registers──────┘
//! ```
//! Nothing is found out a second time here: what a pass has decided it has remarked, with its reason, and this module
//! groups remarks by region and loop. The shape of launches follows the rules of the runtime library
//! ([`launch`]); a test compares the two.

mod data;
mod json;
mod launch;
mod occupancy;
mod report;
mod text;

use accrue_diag::SourceFiles;
use std::ffi::OsString;

use crate::cc;
use crate::gpu::Settings;
use crate::process::{Echo, Failure, Runner, print_messages, print_result};
use crate::ptxas;
use crate::scratch::Scratch;
use crate::unit::{self, Compiled, Input};

/// The GPU whose figures are shown when no option names one: H100 and H200.
const GPU: u32 = 90;

/// `words` are a source and options of `accrue cc`, with our own option anywhere among them.
pub fn main(words: &[OsString]) -> Result<(), Failure> {
    let (own, rest): (Vec<OsString>, Vec<OsString>) =
        words.iter().cloned().partition(|word| word == "--json");
    let source = cc::preprocess(&rest)?;
    let files = SourceFiles::default();
    let failed = |messages: Vec<_>| {
        print_messages(unit::render(&messages, &files).as_bytes());
        Failure::Step(1)
    };
    let scanned =
        unit::scan(&source.name, source.text, source.languages, &files).map_err(failed)?;
    let input = Input {
        name: &source.name,
        unit: &scanned,
        options: &source.reader_options,
        places: false,
        gpu: source.gpu.as_ref(),
    };
    let mut compiled = input.compile().map_err(failed)?;
    let missing = match &source.gpu {
        Some(settings) => measure(settings, &mut compiled)?,
        None => None,
    };
    let mut report = report::report(&input, &compiled);
    report.notes.extend(missing);
    print_result(&match own.is_empty() {
        true => text::text(&report),
        false => json::json(&report),
    })
}

/// The report on a unit that is being compiled, for `-Minfo`.
pub fn during_compilation(input: &Input, compiled: &Compiled) -> String {
    text::text(&report::report(input, compiled))
}

/// Has the code assembled, for the figures of its kernels; says why there are none.
fn measure(settings: &Settings, compiled: &mut Compiled) -> Result<Option<String>, Failure> {
    if !settings.may_assemble || compiled.made.code.variants.is_empty() {
        return Ok(None);
    }
    let Some(program) = ptxas::find()? else {
        return Ok(Some(
            "registers and occupancy are shown where NVIDIA's ptxas is found (see `accrue doctor`)"
                .to_string(),
        ));
    };
    let gpus = match settings.named.as_slice() {
        [] => vec![GPU],
        named => named.to_vec(),
    };
    let scratch = Scratch::new(false).map_err(|error| error.to_string())?;
    let runner = Runner::new(Echo::Silent);
    let variants = &compiled.made.code.variants;
    match ptxas::assemble_for(&program, &gpus, variants, &scratch.file(""), runner) {
        Ok(machine) => {
            compiled.made.code.machine = machine;
            Ok(None)
        }
        Err(message) => Ok(Some(message)),
    }
}
