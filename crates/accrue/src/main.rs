//! `accrue`: the OpenACC compiler around the user's own compiler, and the commands beside it.
//!
//! The name it is called by decides: `accrue-cc`, `accrue-c++` and `accrue-fc` are `accrue cc`, `accrue c++` and
//! `accrue fc`, for build systems that want one word.

mod cache;
mod cc;
mod cleanup;
mod cli;
mod companion;
mod device_link;
mod digest;
mod doctor;
mod explain;
mod gpu;
mod home;
mod host;
mod inputs;
mod ir_cmd;
mod kernels;
#[cfg(test)]
mod linearity;
mod opencl;
mod opt_cmd;
mod pragmas;
mod process;
mod program;
mod ptxas;
mod run_cmd;
mod scratch;
#[cfg(test)]
mod stepwise;
mod trusted;
mod unit;
mod warnings;

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

use accrue_front_c::ast::STACK_BYTES;
use process::Failure;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(internal_error));
    let words: Vec<OsString> = std::env::args_os().collect();
    // Trees of source and IR are walked by recursion; deep ones need more stack than a process starts with.
    let worker = std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || dispatch(&words));
    let result = worker.map(std::thread::JoinHandle::join);
    cleanup::await_end_by_signal();
    match result {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Ok(Err(Failure::Step(code)))) => ExitCode::from(code),
        Ok(Ok(Err(Failure::Message(message)))) => {
            report(&message);
            ExitCode::FAILURE
        }
        // The hook has reported it, and unwinding has removed what is temporary.
        Ok(Err(_)) => ExitCode::FAILURE,
        Err(error) => {
            report(&format!("cannot start a thread: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Says of a defect of accrue what a report of it needs, in place of Rust's own message. What the parser of IR text trips
/// over is a mistake in the text, and reported as one.
fn internal_error(panic: &std::panic::PanicHookInfo) {
    if accrue_ir::text::is_parsing() {
        return;
    }
    let place = panic
        .location()
        .map(|at| format!(" at {}:{}", at.file(), at.line()));
    let cause = panic.payload_as_str().unwrap_or("no message");
    report(&format!(
        "internal error{}: {cause}",
        place.unwrap_or_default()
    ));
    process::say(
        "this is a defect of accrue: please report it with the source file and the command line",
    );
}

/// Prints an error that has no place in a source file.
fn report(message: &str) {
    process::say(&format!("accrue: error: {message}"));
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
