//! The acc dialect loses nothing: directives made anew of the IR are imported as the same IR.
//!
//! ```text
//! program.c ──preprocess──▶ x.c ──import──▶ IR ─────────────────────────────┐
//!     └──accrue ir --emit=pragmas──▶ x.c, other directives ──import──▶ IR ──┴─▶ equal, but for places in the text
//! ```
//! Programs of `run/` with directives of OpenACC (one of eight, in the fixed [`Share`] of the tests).

use accrue_tests::{Compiler, Scratch, Share, Source, difference};
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// Behind this line the IR's text has the places of operations.
const PLACES: &str = "outlined_attributes:";

/// Both texts have this name, which is in the IR.
const TEXT: &str = "x.c";

/// What the IR's text has in front of the number of the unit, which is of its text.
const UNIT: &str = "core_unit: builtin.string \"";

fn main() -> ExitCode {
    match Share::selected() {
        Ok(share) => accrue_tests::main("run", |sources| trials(sources, share)),
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn trials(mut sources: Vec<Source>, share: Share) -> Vec<Trial> {
    let is_openmp = |flag: &String| flag.starts_with("-fopenmp");
    sources.retain(|source| {
        !source.header.cflags.iter().any(is_openmp) && share.has_pragmas_of(&source.name)
    });
    sources
        .into_iter()
        .map(|source| {
            let missing = !source.can_be_compiled();
            let name = source.name.clone();
            let test = move || test(&source).map_err(Failed::from);
            Trial::test(name, test).with_ignored_flag(missing)
        })
        .collect()
}

fn test(source: &Source) -> Result<(), String> {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")))?;
    for file in std::iter::once(source.file_name()).chain(source.header.with.iter().cloned()) {
        if file.ends_with(".c") {
            test_file(source, &file, &scratch)?;
        }
    }
    Ok(())
}

fn test_file(source: &Source, file: &str, scratch: &Scratch) -> Result<(), String> {
    let compiler = Compiler::find_for(&source.header)?;
    let header = &source.header;
    let flags = || [&header.cflags[..], &header.options].concat();
    let with = |more: &[&str]| {
        let more = more.iter().map(|word| (*word).to_owned());
        flags().into_iter().chain(more).collect::<Vec<_>>()
    };
    let directory = source.directory();
    let texts = [
        compiler.accrue(directory, &with(&["-E", file]), scratch.path())?,
        compiler.ir(directory, &with(&["--emit=pragmas", file]), scratch.path())?,
    ];
    let mut imported = vec![];
    for said in &texts {
        if said.status != 0 {
            return Err(format!("status {}\n{}", said.status, said.stderr));
        }
        let path = scratch.path().join(TEXT);
        fs::write(&path, &said.stdout).map_err(|e| format!("{}: {e}", path.display()))?;
        // Macros are expanded.
        let words = with(&[TEXT])
            .into_iter()
            .filter(|word| !word.starts_with("-D"));
        let words: Vec<_> = words.collect();
        let ir = compiler.ir(scratch.path(), &words, scratch.path())?;
        if ir.status != 0 {
            return Err(format!("{}\nof\n{}", ir.stderr, said.stdout));
        }
        imported.push(without_places(&ir.stdout));
    }
    match difference(&imported[0], &imported[1]) {
        Some(difference) => Err(format!("the IR is another one:\n{difference}")),
        None => Ok(()),
    }
}

/// The IR without what depends on the very text: numbers of places, and of the unit.
fn without_places(ir: &str) -> String {
    let ir = ir.split(PLACES).next().unwrap_or_default();
    let unit = ir
        .split_once(UNIT)
        .and_then(|(_, rest)| rest.split('"').next());
    let ir = match unit {
        Some(unit) => ir.replace(unit, "UNIT"),
        None => ir.to_owned(),
    };
    let mut text = String::new();
    let mut pieces = ir.split('!');
    text.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        text.push('!');
        text.push_str(piece.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    text
}
