//! Runs every script in `cases/` as one test: what a build system or a user at a shell sees of `accrue`. Then come
//! damaged directives (`mutations.rs`).
//!
//! A script runs under `sh -eu` in an empty directory of its own, with `accrue`, `accrue-cc`, `accrue-c++` and
//! `accrue-fc` first in PATH and the functions of `functions.sh` defined. It fails when a command in it fails. A line
//! `# needs: program …` names programs without which it is reported as ignored.

mod mutations;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs, io};

use libtest_mimic::{Arguments, Failed, Trial};

/// Series of damaged directives, and how many each has.
const MUTATION_SERIES: u64 = 4;
const MUTATIONS: u32 = 50;

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/driver");
    let scratch = env::temp_dir().join(format!("accrue-driver-tests-{}", std::process::id()));
    let trials = match prepare(&folder, &scratch) {
        Ok(trials) => trials,
        Err(error) => {
            eprintln!("{}: {error}", folder.display());
            return ExitCode::FAILURE;
        }
    };
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials);
    if let Err(error) = fs::remove_dir_all(&scratch) {
        eprintln!("{}: {error}", scratch.display());
    }
    conclusion.exit_code()
}

fn prepare(folder: &Path, scratch: &Path) -> io::Result<Vec<Trial>> {
    let programs = scratch.join("bin");
    fs::create_dir_all(&programs)?;
    for name in ["accrue", "accrue-cc", "accrue-c++", "accrue-fc"] {
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_accrue"), programs.join(name))?;
    }
    let mut scripts: Vec<PathBuf> = fs::read_dir(folder.join("cases"))?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<_>>()?;
    scripts.retain(|script| {
        script
            .extension()
            .is_some_and(|extension| extension == "sh")
    });
    scripts.sort();
    let mut trials: Vec<Trial> = scripts
        .iter()
        .map(|script| trial(script, folder, scratch, &programs))
        .collect::<io::Result<_>>()?;
    trials.extend((0..MUTATION_SERIES).map(|seed| {
        let directory = scratch.join(format!("mutations-{seed}"));
        let accrue = programs.join("accrue");
        let run = move || mutations::check(&accrue, &directory, seed, MUTATIONS);
        Trial::test(format!("damaged-directives-{seed}"), run)
    }));
    Ok(trials)
}

fn trial(script: &Path, folder: &Path, scratch: &Path, programs: &Path) -> io::Result<Trial> {
    let name = script
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let text = fs::read_to_string(script)?;
    let needs = text
        .lines()
        .filter_map(|line| line.strip_prefix("# needs:"));
    let missing = needs
        .flat_map(str::split_whitespace)
        .any(|program| !is_installed(program));
    let run = {
        let (script, folder) = (script.to_owned(), folder.to_owned());
        let (directory, programs) = (scratch.join(&name), programs.to_owned());
        move || run_script(&script, &folder, &directory, &programs)
    };
    Ok(Trial::test(name, run).with_ignored_flag(missing))
}

fn run_script(
    script: &Path,
    folder: &Path,
    directory: &Path,
    programs: &Path,
) -> Result<(), Failed> {
    let temporary = directory.join("tmp");
    fs::create_dir_all(&temporary)?;
    fs::create_dir_all(directory.join("work"))?;
    let path = env::var_os("PATH").unwrap_or_default();
    let path =
        env::join_paths(std::iter::once(programs.to_owned()).chain(env::split_paths(&path)))?;
    let output = Command::new("sh")
        .arg("-eu")
        .arg("-c")
        .arg(". \"$1/functions.sh\"; . \"$2\"")
        .args([Path::new("sh"), folder, script])
        .current_dir(directory.join("work"))
        .env("PATH", path)
        .env("TMPDIR", &temporary)
        .env("XDG_CACHE_HOME", directory.join("cache"))
        .env("LC_ALL", "C")
        .env_remove("ACCRUE_CC")
        .env_remove("CC")
        .output()?;
    if output.status.success() {
        return Ok(());
    }
    let text = [&output.stdout[..], &output.stderr].concat();
    Err(format!("{}\n{}", output.status, String::from_utf8_lossy(&text)).into())
}

fn is_installed(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
