//! Run tests: every program of `run/` against itself without directives.
//!
//! Each program is built twice, once by plain `cc -O1` (the oracle: directives mean nothing to it) and once by
//! `accrue cc -O2 -fopenacc`, which must not print anything. The second one runs in each mode: on the CPU with shared
//! memory and with memory of its own, on the simulator of NVIDIA GPUs, and behind OpenCL, with groups of many work items and with one, where there is a driver (or in a fixed [`Share`] of these modes). Output and exit status must be the oracle's. Because a compiler that ignores directives would pass that too, `ACCRUE_NOTIFY=1` must
//! show at least `// launches: N` launches (default 1).
//!
//! A program whose output only a run with directives can know (it asks the present table, counts gangs …) names a file
//! in `// expect-output:`; then there is no oracle.

use accrue_tests::{Compiler, Finished, Mode, Scratch, Share, Source, check_file, difference, run};
use libtest_mimic::{Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Arc, OnceLock};

fn main() -> ExitCode {
    let (modes, share) = match Mode::selected() {
        Ok(selected) => selected,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::FAILURE;
        }
    };
    accrue_tests::main("run", |sources| trials(sources, &modes, share))
}

fn trials(sources: Vec<Source>, modes: &[Mode], share: Share) -> Vec<Trial> {
    let programs: Vec<_> = sources.into_iter().map(Program::new).collect();
    // All programs in one mode, then in the next: two modes of one program at once would wait for one compilation.
    let mut trials = Vec::new();
    for mode in modes.iter().copied() {
        let there = mode.is_there();
        if !there {
            eprintln!("{}: ignored, since this machine has none", mode.name());
        }
        for program in programs.iter().filter(|p| p.runs_in(mode, share)) {
            let name = format!("{}/{}", mode.name(), program.source.name);
            let program = Arc::clone(program);
            let ignored = !program.source.can_be_compiled() || !there;
            let test = move || program.test(mode).map_err(Failed::from);
            trials.push(Trial::test(name, test).with_ignored_flag(ignored));
        }
    }
    trials
}

/// A program and what is built of it, at the first need.
struct Program {
    source: Source,
    built: OnceLock<Result<Built, String>>,
}

struct Built {
    scratch: Scratch,
    executable: PathBuf,
    /// What the program without directives does; none for a program with an expectation file.
    oracle: Option<Finished>,
}

impl Program {
    fn new(source: Source) -> Arc<Program> {
        Arc::new(Program {
            source,
            built: OnceLock::new(),
        })
    }

    fn runs_in(&self, mode: Mode, share: Share) -> bool {
        let modes = match self.source.header.modes.as_slice() {
            [] => &Mode::ALL,
            named => named,
        };
        modes.contains(&mode) && share.has(&self.source.name, mode, modes)
    }

    fn test(&self, mode: Mode) -> Result<(), String> {
        let built = self
            .built
            .get_or_init(|| build(&self.source))
            .as_ref()
            .map_err(Clone::clone)?;
        let header = &self.source.header;
        let mut command = start_command(&built.executable, &self.source);
        command.env("ACCRUE_NOTIFY", "1");
        mode.select(&mut command);
        let limit = header.timeout * mode.patience();
        let actual = run(&mut command, built.scratch.path(), limit)?;
        match (&built.oracle, &header.expect_output) {
            (Some(oracle), _) => compare(oracle, &actual)?,
            (None, Some(file)) => compare_with_file(&self.source.directory().join(file), &actual)?,
            (None, None) => return Err("neither an oracle nor an expectation file".to_owned()),
        }
        let launches = count_launches(&actual.stderr, mode);
        if launches < header.launches {
            return Err(format!(
                "only {launches} launches seen, {} needed: regions did not run on the device\nstderr:\n{}",
                header.launches, actual.stderr
            ));
        }
        Ok(())
    }
}

fn build(source: &Source) -> Result<Built, String> {
    let compiler = Compiler::find_for(&source.header)?;
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")))?;
    let executable = scratch.path().join("accrue.exe");
    let mut arguments = build_arguments(source, "-O2", &executable);
    arguments.extend(source.header.options.iter().cloned());
    if !runs_on_gpu(source) {
        arguments.push("-acc=multicore".to_owned());
    }
    let said = compiler.accrue(source.directory(), &arguments, scratch.path())?;
    if said.status != 0 || !said.stderr.is_empty() || !said.stdout.is_empty() {
        return Err(format!(
            "accrue cc: status {}\n{}{}",
            said.status, said.stdout, said.stderr
        ));
    }
    let oracle = match &source.header.expect_output {
        Some(_) => None,
        None => Some(run_oracle(&compiler, source, &scratch)?),
    };
    Ok(Built {
        scratch,
        executable,
        oracle,
    })
}

/// Whether GPUs are among the program's modes. Without them it is compiled for the CPU only, so that it need not be told
/// what cannot run on a GPU.
fn runs_on_gpu(source: &Source) -> bool {
    let modes = &source.header.modes;
    modes.is_empty() || modes.iter().any(|mode| mode.is_gpu())
}

fn run_oracle(compiler: &Compiler, source: &Source, scratch: &Scratch) -> Result<Finished, String> {
    let executable = scratch.path().join("plain.exe");
    let said = compiler.plain(
        source.directory(),
        &build_arguments(source, "-O1", &executable),
        scratch.path(),
    )?;
    if said.status != 0 {
        return Err(format!("cc: status {}\n{}", said.status, said.stderr));
    }
    run(
        &mut start_command(&executable, source),
        scratch.path(),
        source.header.timeout,
    )
}

fn build_arguments(source: &Source, optimise: &str, executable: &Path) -> Vec<String> {
    let mut arguments = vec![optimise.to_owned()];
    arguments.extend(source.header.cflags.iter().cloned());
    arguments.push(source.file_name());
    arguments.extend(source.header.with.iter().cloned());
    arguments.push("-o".to_owned());
    arguments.push(executable.to_string_lossy().into_owned());
    arguments.push("-lm".to_owned());
    arguments
}

fn start_command(executable: &Path, source: &Source) -> Command {
    let mut command = Command::new(executable);
    command.args(&source.header.args);
    command.envs(source.header.env.iter().map(|(name, value)| (name, value)));
    command
}

fn compare(oracle: &Finished, actual: &Finished) -> Result<(), String> {
    if let Some(shown) = difference(&oracle.stdout, &actual.stdout) {
        return Err(format!(
            "output differs from plain cc's: {shown}stderr:\n{}",
            actual.stderr
        ));
    }
    if oracle.status != actual.status {
        return Err(format!(
            "exit status {}, plain cc's has {}\nstderr:\n{}",
            actual.status, oracle.status, actual.stderr
        ));
    }
    Ok(())
}

fn compare_with_file(file: &Path, actual: &Finished) -> Result<(), String> {
    if actual.status != 0 {
        return Err(format!(
            "exit status {}\nstderr:\n{}",
            actual.status, actual.stderr
        ));
    }
    check_file(file, &actual.stdout)
}

/// Launch lines of the trace that `ACCRUE_NOTIFY=1` asks for, on a device of the mode. What OpenCL C cannot say runs on the host,
/// with a message: behind OpenCL such launches count as well.
fn count_launches(trace: &str, mode: Mode) -> usize {
    let device = format!(" device={}:", mode.device());
    let refused = mode.is_opencl() && trace.contains("and runs on the host");
    trace
        .lines()
        .filter(|line| line.starts_with("accrue: launch"))
        .filter(|line| line.contains(&device) || refused && line.contains(" device=cpu:"))
        .count()
}
