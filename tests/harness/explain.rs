//! Explain tests: `accrue explain` of every file of `explain/` must print the report beside it, and what the report says
//! of the shape of launches must be what the runtime library does.
//!
//! ```text
//! explain/levels.c ──accrue explain -gpu=noaot──▶ text, the same as explain/levels.report
//!                  ──accrue cc, run on sim──────▶ launch … kernel=accrue_k0_0 gangs=1 workers=8 vector=32
//!                                                 and the text says `GPU: workers: 8, …`, `GPU: vector: 32, …`
//! ```
//! Figures of the assembler depend on its version and are left out.

use accrue_tests::{Compiler, Scratch, Source, check_file, run};
use libtest_mimic::{Failed, Trial};
use std::path::Path;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    accrue_tests::main("explain", trials)
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
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")))?;
    let mut words = vec!["-gpu=noaot".to_owned(), source.file_name()];
    words.extend(source.header.cflags.iter().cloned());
    let said = Compiler::find()?.explain(source.directory(), &words, scratch.path())?;
    if said.status != 0 || !said.stderr.is_empty() {
        return Err(format!(
            "accrue explain: status {}\n{}",
            said.status, said.stderr
        ));
    }
    check_file(&source.beside("report"), &said.stdout)?;
    check_launches(source, &said.stdout, &scratch)
}

/// Runs the program on the simulator and compares each launch with what the report says.
fn check_launches(source: &Source, report: &str, scratch: &Scratch) -> Result<(), String> {
    if source.header.launches == 0 {
        return Ok(());
    }
    let program = scratch.path().join("program");
    let mut words = vec![
        source.file_name(),
        "-w".to_owned(),
        "-o".to_owned(),
        program.to_string_lossy().into_owned(),
    ];
    words.extend(source.header.cflags.iter().cloned());
    words.push("-lm".to_owned());
    let built = Compiler::find()?.accrue(source.directory(), &words, scratch.path())?;
    if built.status != 0 {
        return Err(format!(
            "accrue cc: status {}\n{}",
            built.status, built.stderr
        ));
    }
    let mut command = Command::new(&program);
    command
        .env("ACC_DEVICE_TYPE", "sim")
        .env("ACCRUE_NOTIFY", "1");
    let ran = run(&mut command, scratch.path(), source.header.timeout)?;
    if ran.status != 0 {
        return Err(format!(
            "the program: status {}\n{}",
            ran.status, ran.stderr
        ));
    }
    let launches: Vec<&str> = ran
        .stderr
        .lines()
        .filter(|line| line.contains("launch file="))
        .collect();
    if launches.len() < source.header.launches {
        return Err(format!(
            "{} launches instead of {}\n{}",
            launches.len(),
            source.header.launches,
            ran.stderr
        ));
    }
    let on_gpu = launches.iter().filter(|line| line.contains("device=sim"));
    on_gpu
        .map(|launch| check_launch(report, launch))
        .collect::<Result<Vec<()>, _>>()?;
    Ok(())
}

fn check_launch(report: &str, launch: &str) -> Result<(), String> {
    let value = |key: &str| {
        let word = launch.split_whitespace().find_map(|w| w.strip_prefix(key));
        word.ok_or_else(|| format!("no {key} in: {launch}"))
    };
    let kernel = value("kernel=")?;
    let about = report
        .split("\n  kernel ")
        .find(|part| part.starts_with(&format!("{kernel} ")))
        .ok_or_else(|| format!("the report does not mention {kernel}"))?;
    let about = about.split("\n\n").next().unwrap_or_default();
    if value("grid=").is_ok() {
        // Not the kernel that the report shows, but its version.
        let said = report.contains("a thread for each iteration");
        return said
            .then_some(())
            .ok_or_else(|| format!("the report does not mention the version that ran: {launch}"));
    }
    for size in ["gangs", "workers", "vector"] {
        let line = about
            .lines()
            .find_map(|line| line.trim().strip_prefix(&format!("GPU: {size}: ")))
            .ok_or_else(|| format!("the report says nothing of the {size} of {kernel}"))?;
        let Some((number, _)) = line.split_once(", ") else {
            continue;
        };
        let used = value(&format!("{size}="))?;
        if number.parse::<u32>().is_ok() && number != used {
            return Err(format!(
                "the report says {size} {number} of {kernel}, and the runtime library uses {used}"
            ));
        }
    }
    Ok(())
}
