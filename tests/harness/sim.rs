//! Simulator tests: every program of `sim/` has a mistake that `ACC_DEVICE_TYPE=sim` must find, or says that it has none.
//!
//! ```text
//! // finds: race                  parts of the message
//! // finds: of 'a'
//! …
//!     a[i] = a[i - 1]; // found here
//! ```
//! The message must name a marked line, and so must the line about a race's other access, unless that is in a function of
//! the library. The program must end with status 1, or with that of `// status:`, and have printed nothing. With `// finds: nothing` it must do what plain
//! `cc` makes of it, without a word on stderr. `// counters:` claims something of the table that `ACCRUE_SIM_STATS=1` prints.
//!
//! Programs compiled with `-fsanitize=thread` are linked without: then the simulator sees the host's accesses.
//!
//! Every program runs with several orders of blocks and warps: none may hide a mistake or make one up.

use accrue_tests::{Compiler, Finished, Scratch, Source, counters, difference, run};
use libtest_mimic::{Failed, Trial};
use std::path::Path;
use std::process::{Command, ExitCode};

/// Values of `ACCRUE_SIM_SEED`; none: in parallel, as users run it.
const ORDERS: [Option<&str>; 4] = [Some("0"), Some("1"), Some("2"), None];

/// The option with which a program tells of its accesses, when it is linked without.
const TELLS: &str = "-fsanitize=thread";

/// What stands behind a line that the simulator must name.
const MARK: &str = "found here";

fn main() -> ExitCode {
    accrue_tests::main("sim", trials)
}

fn trials(sources: Vec<Source>) -> Vec<Trial> {
    let trial = |source: Source| {
        Trial::test(source.name.clone(), move || {
            test(&source).map_err(Failed::from)
        })
    };
    sources.into_iter().map(trial).collect()
}

fn test(source: &Source) -> Result<(), String> {
    let compiler = Compiler::find()?;
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")))?;
    let executable = scratch.path().join("sim.exe");
    for arguments in commands(source, &executable, &scratch) {
        let said = compiler.accrue(source.directory(), &arguments, scratch.path())?;
        if said.status != 0 || !said.stderr.is_empty() {
            return Err(format!(
                "accrue cc: status {}\n{}",
                said.status, said.stderr
            ));
        }
    }
    let expected = match source.header.finds.as_slice() {
        [] => return Err("the header does not say what the simulator finds".to_owned()),
        [one] if one == "nothing" => Expected::Nothing(oracle(&compiler, source, &scratch)?),
        parts => Expected::Message {
            parts,
            lines: marked_lines(source)?,
        },
    };
    for order in ORDERS {
        let ended = simulate(source, &executable, order, &scratch)?;
        expected.check(source, &ended).map_err(|why| {
            format!(
                "{why}\nACCRUE_SIM_SEED={}, status {}\nstdout:\n{}stderr:\n{}",
                order.unwrap_or("(not set)"),
                ended.status,
                ended.stdout,
                ended.stderr
            )
        })?;
    }
    Ok(())
}

/// What `accrue cc` is called with: once, or for programs that tell of the host's accesses once to compile and once to link.
fn commands(source: &Source, executable: &Path, scratch: &Scratch) -> Vec<Vec<String>> {
    if !source.header.cflags.iter().any(|flag| flag == TELLS) {
        return vec![arguments(source, executable)];
    }
    let object = scratch.path().join("sim.o");
    let mut compile = arguments(source, &object);
    compile.push("-c".to_owned());
    let [object, executable] =
        [&object, executable].map(|path| path.to_string_lossy().into_owned());
    let link = [&object, "-o", &executable, "-lm"].map(str::to_owned);
    vec![compile, link.to_vec()]
}

fn arguments(source: &Source, executable: &Path) -> Vec<String> {
    let mut arguments = vec!["-O2".to_owned()];
    arguments.extend(source.header.cflags.iter().cloned());
    arguments.push(source.file_name());
    arguments.push("-o".to_owned());
    arguments.push(executable.to_string_lossy().into_owned());
    arguments.push("-lm".to_owned());
    arguments
}

fn oracle(compiler: &Compiler, source: &Source, scratch: &Scratch) -> Result<Finished, String> {
    let executable = scratch.path().join("plain.exe");
    let said = compiler.plain(
        source.directory(),
        &arguments(source, &executable),
        scratch.path(),
    )?;
    if said.status != 0 {
        return Err(format!("cc: status {}\n{}", said.status, said.stderr));
    }
    run(
        &mut Command::new(&executable),
        scratch.path(),
        source.header.timeout,
    )
}

fn simulate(
    source: &Source,
    executable: &Path,
    order: Option<&str>,
    scratch: &Scratch,
) -> Result<Finished, String> {
    let mut command = Command::new(executable);
    command.envs(source.header.env.iter().map(|(name, value)| (name, value)));
    command.env("ACC_DEVICE_TYPE", "sim");
    command.envs(order.map(|seed| ("ACCRUE_SIM_SEED", seed)));
    if !source.header.counters.is_empty() {
        command.env("ACCRUE_SIM_STATS", "1");
    }
    run(&mut command, scratch.path(), source.header.timeout)
}

/// What a run must come to.
enum Expected<'a> {
    /// No mistake: the same as plain `cc`.
    Nothing(Finished),
    /// These parts in the message, and no other lines than these.
    Message {
        parts: &'a [String],
        lines: Vec<u32>,
    },
}

impl Expected<'_> {
    fn check(&self, source: &Source, ended: &Finished) -> Result<(), String> {
        match self {
            Expected::Nothing(oracle) => {
                if let Some(shown) = difference(&oracle.stdout, &ended.stdout) {
                    return Err(format!("output differs from plain cc's: {shown}"));
                }
                if ended.status != oracle.status {
                    return Err(format!("plain cc's program has status {}", oracle.status));
                }
                match source.header.counters.as_slice() {
                    [] if ended.stderr.is_empty() => Ok(()),
                    [] => Err("a report without a mistake".to_owned()),
                    claims => counters::check(claims, &ended.stderr),
                }
            }
            Expected::Message { parts, lines } => {
                if ended.status != source.header.status || !ended.stdout.is_empty() {
                    return Err("not stopped by the simulator".to_owned());
                }
                if let Some(part) = parts.iter().find(|part| !ended.stderr.contains(*part)) {
                    return Err(format!("the message lacks `{part}`"));
                }
                check_lines(source, lines, &ended.stderr)
            }
        }
    }
}

/// Numbers of the lines that are marked.
fn marked_lines(source: &Source) -> Result<Vec<u32>, String> {
    let text = std::fs::read_to_string(&source.path)
        .map_err(|e| format!("{}: {e}", source.path.display()))?;
    let numbered = (1..).zip(text.lines());
    let marked: Vec<u32> = numbered
        .filter(|(_, line)| line.ends_with(MARK))
        .map(|(number, _)| number)
        .collect();
    if marked.is_empty() {
        return Err(format!("no line ends with `{MARK}`"));
    }
    Ok(marked)
}

/// The lines named in front of the message and for the other side of a race must be marked.
fn check_lines(source: &Source, marked: &[u32], message: &str) -> Result<(), String> {
    let file = source.file_name();
    let named = message
        .lines()
        .filter(|line| line.starts_with("accrue: ") || line.starts_with("  not ordered with: "))
        .filter(|line| !line.contains(" of the GPU code, in function "))
        .map(|line| {
            let (_, behind) = line.split_once(&format!("{file}:"))?;
            behind
                .split(|c: char| !c.is_ascii_digit())
                .next()?
                .parse::<u32>()
                .ok()
        });
    for line in named {
        match line {
            Some(line) if marked.contains(&line) => {}
            Some(line) => return Err(format!("line {line} is not marked `{MARK}`")),
            None => return Err("a message without a line".to_owned()),
        }
    }
    Ok(())
}
