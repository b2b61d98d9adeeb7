//! `accrue run file.c [cc options] [-- arguments]`: compiles to a cache and runs the program.
//!
//! The key of a cached program is everything that decides what the compiler would make of the command line and is known
//! before it runs: the preprocessed text of every source, the contents of every object, the words themselves, the
//! directory, the environment, the user's compiler and this program. What the assembler and the linker read is known only
//! afterwards, and is looked at again before the program is run again.

use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

use crate::cache::Cache;
use crate::cc::Program;
use crate::process::Failure;
use crate::{cleanup, digest};

/// Options in front of the user's, so that the user's win.
const DEFAULT_OPTIONS: &[&str] = &["-fopenacc", "-O2"];

/// Ends in the program; returns only on failure.
pub fn main(words: &[OsString]) -> Result<(), Failure> {
    let split = words.iter().position(|word| word == "--");
    let (compiler_words, arguments) = match split {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[][..]),
    };
    let defaults: Vec<OsString> = DEFAULT_OPTIONS.iter().map(OsString::from).collect();
    let program = Program::new(&[&defaults, compiler_words, &["-lm".into()]].concat())?;

    let cache = Cache::open(&key(&program)?)?;
    let executable = match cache.find(&program.name()) {
        Some(executable) => executable,
        None => build(program, &cache)?,
    };
    let error = Command::new(&executable).args(arguments).exec();
    Err(format!("cannot run {}: {error}", executable.display()).into())
}

fn build(program: Program, cache: &Cache) -> Result<PathBuf, Failure> {
    cache.clean();
    let name = program.name();
    let folder = cache.begin()?;
    let kept = program
        .build(&folder.join(&name))
        .and_then(|inputs| Ok(cache.keep(&folder, &name, inputs.as_ref())?));
    if kept.is_err() {
        cleanup::remove_now(&folder);
    }
    kept
}

fn key(program: &Program) -> Result<String, Failure> {
    let mut material = program.fingerprint()?;
    material.push(env!("CARGO_PKG_VERSION").into());
    material.extend(own_identity());
    Ok(digest::of_parts(material))
}

/// Tells builds of the same version apart.
fn own_identity() -> Option<Vec<u8>> {
    let own = env::current_exe().ok()?.metadata().ok()?;
    Some(format!("{} {:?}", own.len(), own.modified().ok()?).into_bytes())
}
