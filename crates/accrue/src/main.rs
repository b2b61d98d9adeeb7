//! `accrue`: the OpenACC compiler around the user's own compiler, and the commands beside it.
//!
//! The name it is called by decides: `accrue-cc`, `accrue-c++` and `accrue-fc` are `accrue cc`, `accrue c++` and
//! `accrue fc`, for build systems that want one word.

mod cc;
mod cleanup;
mod cli;
mod companion;
mod doctor;
mod home;
mod host;
mod host_calls;
mod ir_cmd;
mod opt_cmd;
mod process;
mod run_cmd;
mod scratch;
mod unit;

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

use process::Failure;

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    match dispatch(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Step(code)) => ExitCode::from(code),
        Err(Failure::Message(message)) => {
            report(&message);
            ExitCode::FAILURE
        }
    }
}

/// Prints an error that has no place in a source file.
fn report(message: &str) {
    eprintln!("accrue: error: {message}");
}

fn dispatch(words: &[OsString]) -> Result<(), Failure> {
    let (program, rest) = words
        .split_first()
        .map_or((OsStr::new(""), words), |(p, r)| (p.as_os_str(), r));
    let called_as = Path::new(program).file_name().unwrap_or_default();
    for role in [&host::C, &host::CXX, &host::FORTRAN] {
        if called_as == OsStr::new(&format!("accrue-{}", role.command)) {
            return cc::main(role, rest);
        }
        if let Some((command, rest)) = rest.split_first()
            && command == role.command
        {
            return cc::main(role, rest);
        }
    }
    cli::main(words)
}
