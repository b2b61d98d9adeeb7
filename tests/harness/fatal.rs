//! Fatal tests: every program of `fatal/` must be stopped by the runtime with the message beside it.
//!
//! The program runs with device memory of its own unless its header names other modes. It must end with status 1, or that of its header,
//! having printed nothing (each one ends with a line that must not be reached), and its message must be
//! `foo.stderr`, where `ADDR` stands for any address and `MEMORY` for the size of the device's memory.

use accrue_tests::{Compiler, Mode, Scratch, Source, check_file, run};
use libtest_mimic::{Failed, Trial};
use std::path::Path;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    accrue_tests::main("fatal", trials)
}

fn trials(sources: Vec<Source>) -> Vec<Trial> {
    let mut trials = Vec::new();
    for source in sources {
        let modes = match source.header.modes.as_slice() {
            [] => vec![Mode::Discrete],
            named => named.to_vec(),
        };
        for mode in modes {
            let source = source.clone();
            let name = format!("{}/{}", mode.name(), source.name);
            trials.push(Trial::test(name, move || {
                test(&source, mode).map_err(Failed::from)
            }));
        }
    }
    trials
}

fn test(source: &Source, mode: Mode) -> Result<(), String> {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")))?;
    let executable = scratch.path().join("fatal.exe");
    let mut args = source.header.cflags.clone();
    args.extend([
        source.file_name(),
        "-o".to_owned(),
        executable.to_string_lossy().into_owned(),
    ]);
    let said = Compiler::find()?.accrue(source.directory(), &args, scratch.path())?;
    if said.status != 0 {
        return Err(format!(
            "accrue cc: status {}\n{}",
            said.status, said.stderr
        ));
    }
    let mut command = Command::new(&executable);
    command.envs(source.header.env.iter().map(|(name, value)| (name, value)));
    mode.select(&mut command);
    let actual = run(&mut command, scratch.path(), source.header.timeout)?;
    if actual.status != source.header.status || !actual.stdout.is_empty() {
        return Err(format!(
            "not stopped by the runtime: status {}\nstdout:\n{}stderr:\n{}",
            actual.status, actual.stdout, actual.stderr
        ));
    }
    check_file(&source.beside("stderr"), &normalised(&actual.stderr))
}

/// Replaces what differs from run to run (`0x1f2e…`) and from machine to machine (`of 25276502016 bytes in use`).
fn normalised(message: &str) -> String {
    let message = replace_digits(message, "0x", 16, "ADDR");
    replace_digits(
        &message,
        "bytes requested, 0 of ",
        10,
        "bytes requested, 0 of MEMORY",
    )
}

/// Replaces every `prefix` with the digits behind it by `stand_in`.
fn replace_digits(text: &str, prefix: &str, radix: u32, stand_in: &str) -> String {
    let mut pieces = text.split(prefix);
    let mut result = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let rest = piece.trim_start_matches(|c: char| c.is_digit(radix));
        let had_digits = rest.len() < piece.len();
        result.push_str(if had_digits { stand_in } else { prefix });
        result.push_str(rest);
    }
    result
}
