//! What the file-test harnesses of accrue share.
//!
//! A test is a C file with its expectation beside it; adding a test means adding a file.
//!
//! | harness  | inputs            | what must hold |
//! | ---      | ---               | --- |
//! | `run`    | `run/**/*.c`      | the program built by `accrue cc` prints and returns, on each device, what the same program built by plain `cc` without directives does, and its regions really were launched |
//! | `ptxas`  | `run/**/*.c`      | NVIDIA's assembler takes the program's PTX, for each generation of GPUs |
//! | `opencl-c` | `run/**/*.c`    | clang takes the program's texts of OpenCL C, as version 1.2 and 3.0 of the language |
//! | `pragmas` | `run/**/*.c`     | the program with the directives that `accrue ir --emit=pragmas` makes of the IR is imported as the same IR |
//! | `errors` | `errors/*.c`      | `accrue cc` rejects the file: exit status 1, no output file, the message of `errors/*.stderr` |
//! | `explain` | `explain/*.c`    | `accrue explain` prints the report of `explain/*.report`, and the program's launches have the shapes that it names |
//! | `fatal`  | `fatal/*.c`       | the program is stopped by the runtime: exit status 1, or that of its header, and the message of `fatal/*.stderr` |
//! | `sim`    | `sim/**/*.c`      | the simulator finds the mistake of the program in the line marked `found here`, or none; its counters are as claimed |
//! | `fuzz`   | `fuzz/fuzz.py`    | random nests of loops give what they give without directives |
//!
//! `ACCRUE_BLESS=1 cargo test -p accrue-tests` writes the expectation files instead of comparing with them (read the
//! diff before committing it). A name filter works as with any test: `cargo test -p accrue-tests --test run -- reduction/`.
//! `ACCRUE_TEST_MODES="shared nvidia"` chooses the devices of `run`; the default is everything but a real GPU.
//! `ACCRUE_TESTS=all` runs the whole matrix in place of the fixed share of it: [`Share`].

mod clang;
mod compiler;
pub mod counters;
mod expectation;
mod header;
mod mode;
mod process;
mod share;
mod sources;

pub use clang::at_least as clang_at_least;
pub use compiler::Compiler;
pub use expectation::{blessing, check_file, difference};
pub use header::Header;
pub use mode::Mode;
pub use process::{Finished, Scratch, run};
pub use share::Share;
pub use sources::{Source, collect};

use libtest_mimic::{Arguments, Conclusion, Trial};
use std::process::ExitCode;

/// The `main` of a harness: collects the programs under `tests/KIND`, makes tests of them and runs those asked for.
pub fn main(kind: &str, trials: impl FnOnce(Vec<Source>) -> Vec<Trial>) -> ExitCode {
    match run_trials(kind, trials) {
        Ok(conclusion) => conclusion.exit_code(),
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn run_trials(
    kind: &str,
    trials: impl FnOnce(Vec<Source>) -> Vec<Trial>,
) -> Result<Conclusion, String> {
    let arguments = Arguments::from_args();
    if !arguments.list {
        // One message instead of one for each test.
        Compiler::find()?;
    }
    Ok(libtest_mimic::run(
        &arguments,
        trials(sources::collect(kind)?),
    ))
}
