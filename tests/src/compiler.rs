//! The compiler under test, and the oracle compiler.

use crate::clang;
use crate::header::Header;
use crate::process::{Finished, run};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Finds and calls the compilers.
#[derive(Debug, Clone)]
pub struct Compiler {
    accrue: PathBuf,
    /// The clang that reads the source, if it is not the usual one.
    clang: Option<String>,
}

/// A compilation that takes longer has hung.
const COMPILE_LIMIT: Duration = Duration::from_secs(60);

impl Compiler {
    /// The `accrue` of the environment variable `ACCRUE`, else the one cargo built beside this test executable.
    pub fn find() -> Result<Compiler, String> {
        let accrue = match std::env::var_os("ACCRUE") {
            Some(path) => PathBuf::from(path),
            None => beside_test_executable()?,
        };
        if accrue.is_file() {
            let clang = None;
            Ok(Compiler { accrue, clang })
        } else {
            Err(format!(
                "the compiler under test is missing: {} does not exist. Build it with `cargo build` first, or name one with ACCRUE=/path/to/accrue.",
                accrue.display()
            ))
        }
    }

    /// The same, with a clang that can read the program of this header.
    pub fn find_for(header: &Header) -> Result<Compiler, String> {
        let compiler = Compiler::find()?;
        let Some(least) = header.needs_clang else {
            return Ok(compiler);
        };
        let clang = clang::at_least(least).ok_or(format!("there is no clang {least} or later"))?;
        Ok(Compiler {
            clang: Some(clang),
            ..compiler
        })
    }

    /// The compiler under test.
    pub fn path(&self) -> &Path {
        &self.accrue
    }

    /// `accrue cc -fopenacc ARGS`, started in `directory`.
    pub fn accrue(
        &self,
        directory: &Path,
        args: &[String],
        scratch: &Path,
    ) -> Result<Finished, String> {
        let mut command = self.command();
        command
            .arg("cc")
            .arg("-fopenacc")
            .args(args)
            .current_dir(directory);
        run(&mut command, scratch, COMPILE_LIMIT)
    }

    /// `accrue cc -fopenacc ARGS` with this assembler for PTX, started in `directory`.
    pub fn assembled_with(
        &self,
        assembler: &Path,
        directory: &Path,
        args: &[String],
        scratch: &Path,
    ) -> Result<Finished, String> {
        let mut command = self.command();
        command
            .env("ACCRUE_PTXAS", assembler)
            .args(["cc", "-fopenacc"])
            .args(args)
            .current_dir(directory);
        run(&mut command, scratch, COMPILE_LIMIT)
    }

    /// The PTX of the program `file`, started in `directory`: one text per generation of GPUs, if they differ.
    pub fn ptx(
        &self,
        directory: &Path,
        args: &[String],
        scratch: &Path,
    ) -> Result<Finished, String> {
        let mut command = self.command();
        command
            .args(["ir", "--emit=ptx", "-gpu=ccall"])
            .args(args)
            .current_dir(directory);
        run(&mut command, scratch, COMPILE_LIMIT)
    }

    /// `accrue ir ARGS`, started in `directory`: the IR as imported, or with `--emit=pragmas` the source with directives made anew of it.
    pub fn ir(
        &self,
        directory: &Path,
        args: &[String],
        scratch: &Path,
    ) -> Result<Finished, String> {
        let mut command = self.command();
        command
            .args(["ir", "-fopenacc"])
            .args(args)
            .current_dir(directory);
        run(&mut command, scratch, COMPILE_LIMIT)
    }

    /// The OpenCL C of the program `file`, started in `directory`: `opencl`, or `opencl-cores`.
    pub fn opencl_c(
        &self,
        form: &str,
        directory: &Path,
        args: &[String],
        scratch: &Path,
    ) -> Result<Finished, String> {
        let mut command = self.command();
        command
            .arg("ir")
            .arg(format!("--emit={form}"))
            .args(args)
            .current_dir(directory);
        run(&mut command, scratch, COMPILE_LIMIT)
    }

    /// What `accrue explain` says of the program, started in `directory`.
    pub fn explain(
        &self,
        directory: &Path,
        args: &[String],
        scratch: &Path,
    ) -> Result<Finished, String> {
        let mut command = self.command();
        command.arg("explain").args(args).current_dir(directory);
        run(&mut command, scratch, COMPILE_LIMIT)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.accrue);
        if let Some(clang) = &self.clang {
            command.env("ACCRUE_CLANG", clang);
        }
        command
    }

    /// `cc ARGS` without any directive flag: the oracle.
    pub fn plain(
        &self,
        directory: &Path,
        args: &[String],
        scratch: &Path,
    ) -> Result<Finished, String> {
        let mut command = Command::new("cc");
        command.args(args).current_dir(directory);
        run(&mut command, scratch, COMPILE_LIMIT)
    }
}

/// `target/debug/deps/run-0123` → `target/debug/accrue`.
fn beside_test_executable() -> Result<PathBuf, String> {
    let test =
        std::env::current_exe().map_err(|e| format!("no path of the test executable: {e}"))?;
    let profile_directory = test
        .parent()
        .and_then(Path::parent)
        .ok_or("the test executable has no target directory")?;
    Ok(profile_directory.join("accrue"))
}
