//! Fuzz tests: random nests of loops, with reductions, along arrays and with long bodies, against the same nests without
//! directives, in every mode.
//!
//! `tests/fuzz/fuzz.py` makes, compiles and runs them; here is only a small number of nests, the same ones each time (how many:
//! [`Share`]); a fifth of them behind OpenCL, where the driver builds each kernel. A failure names the nest: `tests/fuzz/fuzz.py print --kind nests --seed 1 --only 17` prints it alone.

use accrue_tests::{Compiler, Mode, Scratch, Share, run};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

/// What `fuzz.py` makes, and how many nests one program is made of, of which a fifth runs behind OpenCL. Bodies are long.
const KINDS: [(&str, u32); 3] = [("nests", 50), ("streams", 50), ("bodies", 10)];

const LIMIT: Duration = Duration::from_secs(600);

fn main() -> ExitCode {
    let (modes, share) =
        match Mode::selected().and_then(|(modes, _)| Ok((modes, Share::selected()?))) {
            Ok(selected) => selected,
            Err(why) => {
                eprintln!("{why}");
                return ExitCode::FAILURE;
            }
        };
    let there = modes.into_iter().filter(|mode| mode.is_there());
    let (opencl, others): (Vec<Mode>, Vec<Mode>) = there.partition(|mode| mode.is_opencl());
    let mut trials = vec![];
    for (kind, nests) in KINDS {
        for program in 0..share.programs_of_nests() {
            let first = program * nests;
            for (modes, count) in [(&others, nests), (&opencl, nests / 5)] {
                let names: Vec<_> = modes.iter().map(|mode| mode.name()).collect();
                if names.is_empty() {
                    continue;
                }
                let modes = names.join(",");
                let name = format!("{kind}, seed 1, {first} to {}: {modes}", first + count - 1);
                trials.push(Trial::test(name, move || {
                    test(kind, first, count, &modes).map_err(Failed::from)
                }));
            }
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn test(kind: &str, first: u32, count: u32, modes: &str) -> Result<(), String> {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")))?;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/fuzz.py");
    let mut command = Command::new("python3");
    command
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .arg(script)
        .args([
            "run", "--kind", kind, "--seed", "1", "--jobs", "1", "--modes", modes,
        ])
        .args(["--first", &first.to_string()])
        .args(["--count", &count.to_string()])
        .arg("--keep")
        .arg(scratch.path())
        .arg("--accrue")
        .arg(Compiler::find()?.path());
    let said = run(&mut command, scratch.path(), LIMIT)?;
    match said.status {
        0 => Ok(()),
        status => Err(format!("status {status}\n{}{}", said.stdout, said.stderr)),
    }
}
