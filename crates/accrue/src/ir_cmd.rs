//! `accrue ir FILE [--after=PASS] [cc options]`: prints the IR of a source, as imported or after a pass.

use std::ffi::OsString;

use accrue_front_c::text::message::Message;
use accrue_front_c::text::position::SourceFiles;
use accrue_lower::{Options, lower};
use pliron::context::Context;
use pliron::op::Op;
use pliron::printable::Printable;

use crate::cc;
use crate::opt_cmd::find_pass;
use crate::process::{Failure, print_messages, print_result};
use crate::unit;

/// The name of the point before the first pass.
const IMPORT: &str = "import";

/// `words` are a source and options of `accrue cc`, with `--after=` anywhere among them.
pub fn main(words: &[OsString]) -> Result<(), Failure> {
    let (after, compiler_words): (Vec<OsString>, Vec<OsString>) = words
        .iter()
        .cloned()
        .partition(|word| word.as_encoded_bytes().starts_with(b"--after="));
    let after = after
        .last()
        .map(|word| word.to_string_lossy()["--after=".len()..].to_string());
    let after = after.unwrap_or_else(|| IMPORT.to_string());
    if after != IMPORT {
        find_pass(&after)?;
    }

    let source = cc::preprocess(&compiler_words)?;
    let files = SourceFiles::default();
    let mut ctx = Context::new();
    let print = |messages: Vec<Message>| {
        print_messages(unit::render(&messages, &files).as_bytes());
        Failure::Step(1)
    };
    let scanned = unit::scan(&source.name, source.text, &files).map_err(print)?;
    let module =
        unit::import(&mut ctx, &scanned, &source.name, &source.reader_options).map_err(print)?;
    if after != IMPORT {
        let options = Options {
            stop_after: Some(after),
        };
        lower(&mut ctx, module, &options)
            .map_err(|diagnostics| print(unit::messages(&source.name, &diagnostics)))?;
    }
    print_result(&format!("{}\n", module.get_operation().disp(&ctx)))
}
