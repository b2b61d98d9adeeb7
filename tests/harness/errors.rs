//! Error tests: every file of `errors/` must be rejected with the message beside it.
//!
//! `accrue cc -fopenacc -c foo.c` runs in the directory of the file, so messages carry the bare name. It must end with
//! status 1, leave no object file, and print exactly `foo.stderr`, but for the version of clang.

use accrue_tests::{Compiler, Scratch, Source, check_file};
use libtest_mimic::{Failed, Trial};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    accrue_tests::main("errors", trials)
}

fn trials(sources: Vec<Source>) -> Vec<Trial> {
    sources
        .into_iter()
        .map(|source| {
            Trial::test(source.name.clone(), move || {
                test(&source).map_err(Failed::from)
            })
        })
        .collect()
}

fn test(source: &Source) -> Result<(), String> {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")))?;
    let object = scratch.path().join("rejected.o");
    let mut args = vec!["-c".to_owned()];
    args.extend(source.header.cflags.iter().cloned());
    args.extend([
        source.file_name(),
        "-o".to_owned(),
        object.to_string_lossy().into_owned(),
    ]);
    let said = Compiler::find()?.accrue(source.directory(), &args, scratch.path())?;
    if said.status != 1 {
        return Err(format!(
            "exit status {} instead of 1\n{}{}",
            said.status, said.stdout, said.stderr
        ));
    }
    if object.exists() {
        return Err(format!("an object file was left\n{}", said.stderr));
    }
    if said.stderr.trim().is_empty() {
        return Err("rejected without a message".to_owned());
    }
    check_file(&source.beside("stderr"), &without_version(&said.stderr))
}

/// The text with `clang version VERSION` for any version.
fn without_version(text: &str) -> String {
    const NAME: &str = "clang version ";
    let mut parts = text.split(NAME);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        text + NAME + "VERSION" + rest
    })
}
