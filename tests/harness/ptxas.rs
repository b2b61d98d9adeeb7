//! Assembler tests: NVIDIA's `ptxas` must take the PTX of every program of `run/` that runs on GPUs.
//!
//! ```text
//! accrue ir --emit=ptx -gpu=ccall program.c    →    .version 7.0 .target sm_60 …      assembled for sm_60, 70, 80, 90, 100
//!                                                   .version 7.8 .target sm_90 …      assembled for sm_90, 100
//! ```
//! (or for an end of these ranges, in the fixed [`Share`] of the tests). The routines of a program in several files come together at its
//! link only, `accrue cc -gpu=sm_90 program.c other.c`, which has `ptxas` make machine code.
//!
//! A text that has been assembled is not assembled again: its name, a hash of text and assembler, is kept in the target
//! directory. `ptxas` is the one that `ACCRUE_PTXAS` names, the one that `make setup` has put into the target directory,
//! or the first in PATH; without one the tests are reported as ignored.

use accrue_tests::{Compiler, Scratch, Share, Source, run};
use libtest_mimic::{Failed, Trial};
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

/// The GPUs that are assembled for, and one text for a generation serves the later ones too.
const GENERATIONS: [u32; 5] = [60, 70, 80, 90, 100];

/// An assembly that takes longer has hung.
const LIMIT: Duration = Duration::from_secs(120);

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
    sources.retain(|source| {
        let modes = &source.header.modes;
        let for_gpus = modes.is_empty() || modes.iter().any(|mode| mode.is_gpu());
        for_gpus && share.assembles(&source.name)
    });
    let assembler = find_assembler();
    sources
        .into_iter()
        .map(|source| {
            let assembler = assembler.clone();
            let missing = assembler.is_none() || !source.can_be_compiled();
            let name = source.name.clone();
            let test = move || match &assembler {
                Some(assembler) => test(&source, assembler, share).map_err(Failed::from),
                None => Err("there is no ptxas".into()),
            };
            Trial::test(name, test).with_ignored_flag(missing)
        })
        .collect()
}

/// `ACCRUE_PTXAS`, `target/ptxas/ptxas`, or the first in PATH.
fn find_assembler() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("ACCRUE_PTXAS") {
        return Some(PathBuf::from(named));
    }
    let installed = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()?
        .join("ptxas/ptxas");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut candidates =
        std::iter::once(installed).chain(std::env::split_paths(&path).map(|p| p.join("ptxas")));
    candidates.find(|candidate| candidate.is_file())
}

fn test(source: &Source, assembler: &Path, share: Share) -> Result<(), String> {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")))?;
    if source.header.with.iter().any(|file| file.ends_with(".c")) {
        return link(source, assembler, share, &scratch);
    }
    let texts = ptx(source, &scratch)?;
    if texts.is_empty() && source.header.launches > 0 {
        return Err("there is no PTX".to_owned());
    }
    for text in &texts {
        let least = target(text).ok_or("the PTX has no line `.target sm_NN`")?;
        let possible: Vec<_> = GENERATIONS.into_iter().filter(|sm| *sm >= least).collect();
        for generation in share.generations(&source.name, &possible) {
            assemble(text, generation, assembler, &scratch)?;
        }
    }
    Ok(())
}

/// Links a program of several files, with machine code for each generation of GPUs.
fn link(source: &Source, assembler: &Path, share: Share, scratch: &Scratch) -> Result<(), String> {
    let compiler = Compiler::find_for(&source.header)?;
    for generation in share.generations(&source.name, &GENERATIONS) {
        let mut arguments = vec!["-O2".to_owned(), format!("-gpu=sm_{generation}")];
        arguments.extend(source.header.cflags.iter().cloned());
        arguments.extend(source.header.options.iter().cloned());
        arguments.push(source.file_name());
        arguments.extend(source.header.with.iter().cloned());
        arguments.extend(["-lm", "-o"].map(str::to_owned));
        arguments.push(scratch.path().join("program").display().to_string());
        let said =
            compiler.assembled_with(assembler, source.directory(), &arguments, scratch.path())?;
        if said.status != 0 || !said.stderr.is_empty() {
            let status = said.status;
            return Err(format!(
                "accrue cc -gpu=sm_{generation}: status {status}\n{}",
                said.stderr
            ));
        }
    }
    Ok(())
}

/// The PTX texts of a program in one file.
fn ptx(source: &Source, scratch: &Scratch) -> Result<Vec<String>, String> {
    let mut arguments = vec!["-O2".to_owned()];
    arguments.extend(source.header.cflags.iter().cloned());
    arguments.extend(source.header.options.iter().cloned());
    arguments.push(source.file_name());
    let said =
        Compiler::find_for(&source.header)?.ptx(source.directory(), &arguments, scratch.path())?;
    if said.status != 0 || !said.stderr.is_empty() {
        return Err(format!(
            "accrue ir: status {}\n{}",
            said.status, said.stderr
        ));
    }
    let mut texts: Vec<String> = vec![];
    for line in said.stdout.split_inclusive('\n') {
        if line.starts_with(".version") {
            texts.push(String::new());
        }
        if let Some(text) = texts.last_mut() {
            text.push_str(line);
        }
    }
    Ok(texts)
}

/// The number in `.target sm_60`.
fn target(text: &str) -> Option<u32> {
    let line = text.lines().find_map(|l| l.strip_prefix(".target sm_"))?;
    let digits = line.trim_end_matches(|c: char| !c.is_ascii_digit());
    digits.parse().ok()
}

fn assemble(
    text: &str,
    generation: u32,
    assembler: &Path,
    scratch: &Scratch,
) -> Result<(), String> {
    let done = done_mark(text, generation, assembler);
    if done.exists() {
        return Ok(());
    }
    let input = scratch.path().join("text.ptx");
    fs::write(&input, text).map_err(|e| format!("{}: {e}", input.display()))?;
    let mut command = Command::new(assembler);
    command
        .arg(format!("-arch=sm_{generation}"))
        // Without optimisation the same errors are found in a fraction of the time.
        .args(["-O0", "-o", "/dev/null"])
        .arg(&input);
    let said = run(&mut command, scratch.path(), LIMIT)?;
    if said.status != 0 {
        return Err(format!(
            "ptxas -arch=sm_{generation}: status {}\n{}{}",
            said.status, said.stdout, said.stderr
        ));
    }
    let folder = done.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&done, ""))
        .map_err(|e| format!("{}: {e}", done.display()))
}

/// The file whose existence says that the text has been assembled.
fn done_mark(text: &str, generation: u32, assembler: &Path) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    (text, generation, assembler).hash(&mut hasher);
    Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("assembled")
        .join(format!("{:016x}", hasher.finish()))
}
