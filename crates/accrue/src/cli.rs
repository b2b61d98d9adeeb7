//! The commands beside `cc`. (`cc`, `c++` and `fc` read their words themselves: every one of them may be the
//! compiler's.)

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::process::Failure;
use crate::{doctor, explain, ir_cmd, opt_cmd, run_cmd};

/// OpenACC compiler around your own C compiler.
#[derive(Parser)]
#[command(name = "accrue", version, after_help = AFTER_HELP, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Compiling (every option is the compiler's own; -fopenacc or -acc switches OpenACC on):
  accrue cc [OPTIONS] FILES   drop-in for cc; also by the name accrue-cc";

#[derive(Subcommand)]
enum Command {
    /// Compile a program and run it
    ///
    /// Like `accrue cc -fopenacc -O2 WORDS -lm`, but the program goes to a cache and is compiled only when its sources,
    /// its options or a compiler changed.
    Run {
        /// Files and options of `accrue cc`, then `--` and the program's arguments
        #[arg(
            trailing_var_arg = true,
            allow_hyphen_values = true,
            required = true,
            value_name = "WORDS"
        )]
        words: Vec<OsString>,
    },
    /// Say what became of every region, loop and variable of a C source, and why
    ///
    /// For each region: its data, implicit clauses included; the levels of its loops and who chose them; what runs on the
    /// host; the shape of launches on GPUs; registers and occupancy where ptxas is found. `accrue cc -Minfo` prints the
    /// same while it compiles.
    Explain {
        /// One C source and options of `accrue cc`; --json anywhere among them for a form for tools
        #[arg(
            trailing_var_arg = true,
            allow_hyphen_values = true,
            required = true,
            value_name = "WORDS"
        )]
        words: Vec<OsString>,
    },
    /// Print the IR of a C source
    ///
    /// As it is imported, or with --after=PASS after a pass, for CPU cores or with --target=gpu for GPUs; with --emit=ptx
    /// the code for GPUs, with --emit=opencl that for devices behind OpenCL, with --emit=pragmas the preprocessed source with
    /// directives made anew. Other options are those of `accrue cc`.
    Ir {
        /// One C source and options of `accrue cc`, our own options anywhere among them
        #[arg(
            trailing_var_arg = true,
            allow_hyphen_values = true,
            required = true,
            value_name = "WORDS"
        )]
        words: Vec<OsString>,
    },
    /// Run passes over IR text and print the result
    Opt {
        /// Names of passes, in the order in which they are to be run
        #[arg(long = "pass", value_delimiter = ',', value_name = "NAMES")]
        passes: Vec<String>,
        /// What the passes lower for: cpu or gpu
        #[arg(long, default_value = "cpu", value_name = "TARGET")]
        target: String,
        /// A file with a module in text form, `-` for standard input
        file: PathBuf,
    },
    /// Say what is found, what is missing, and how to repair it
    Doctor,
}

pub fn main(words: &[OsString]) -> Result<(), Failure> {
    match Arguments::try_parse_from(words) {
        Ok(arguments) => match arguments.command {
            Command::Run { words } => run_cmd::main(&words),
            Command::Explain { words } => explain::main(&words),
            Command::Ir { words } => ir_cmd::main(&words),
            Command::Opt {
                passes,
                target,
                file,
            } => opt_cmd::main(&file, &passes, &target),
            Command::Doctor => doctor::main(),
        },
        Err(error) => {
            // When the terminal is gone there is nobody left to tell.
            let _ = error.print();
            if error.use_stderr() {
                Err(Failure::Step(1))
            } else {
                Ok(())
            }
        }
    }
}
