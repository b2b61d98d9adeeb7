//! The host text as compilers see it: each `tests/host/NAME.c` is rewritten, compiled without a warning by gcc and clang
//! in every language standard it names, and run with a run-time library that only shows its arguments.
//! With regions left to the host the output is that of the program without directives. `NAME.expected` has
//! the outputs and the calls; `ACCRUE_BLESS=1 cargo test -p accrue-front-c` writes it anew.

mod common;
mod host_calls;

use accrue_diag::{SourceFiles, render};
use accrue_front_c::text::host::{Additions, host_text};
use accrue_front_c::text::host_call::HostCall;
use common::{Result, compare, inputs, unit};
use host_calls::host_calls;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const WARNINGS: [&str; 7] = [
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Wconversion",
    "-Wshadow",
    "-Wdeclaration-after-statement",
    "-Werror",
];

fn checked(command: &mut Command) -> Result<Output> {
    let output = command.output()?;
    if !output.status.success() {
        return Err(format!(
            "{command:?} failed:\n{}",
            String::from_utf8_lossy(&output.stderr)
        )
        .into());
    }
    Ok(output)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder that is removed in the end.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // Left-overs in the temporary folder do no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn sites(calls: &[Option<HostCall>]) -> String {
    let mut text = "struct __accrue_site { const char *name; int words; int open; };\n".to_string();
    for call in calls.iter().flatten() {
        let _ = writeln!(
            text,
            "struct __accrue_site {0} = {{\"{0}\", {1}, 0}};",
            call.site,
            call.words.len()
        );
    }
    text
}

/// Rewrites, compiles, runs; returns the outputs and the calls.
fn results(
    source: &Path,
    compiler: &str,
    standard: &str,
    optimise: &str,
    folder: &Path,
) -> Result<String> {
    let files = SourceFiles::default();
    let standard = format!("-std={standard}");
    let unit = unit(compiler, source, &[&standard], &files)?
        .map_err(|messages| render(&messages, &files, false))?;
    let calls = host_calls(&unit).map_err(|messages| render(&messages, &files, false))?;
    let (host, sites_file, program) = (
        folder.join("host.i"),
        folder.join("sites.c"),
        folder.join("program"),
    );
    std::fs::write(&host, host_text(&unit, &calls, &Additions::default()))?;
    std::fs::write(&sites_file, sites(&calls))?;
    let object = folder.join("host.o");
    checked(
        Command::new(compiler)
            .args([&standard, optimise, "-g", "-c"])
            .args(WARNINGS)
            .arg(&host)
            .arg("-o")
            .arg(&object),
    )?;
    let stubs = "tests/host/runtime/stubs.c";
    checked(
        Command::new(compiler)
            .arg(&object)
            .arg(&sites_file)
            .arg(stubs)
            .arg("-o")
            .arg(&program),
    )?;
    let on_host = checked(&mut Command::new(&program))?;
    let launched = checked(Command::new(&program).env("LAUNCH", "1"))?;
    let plain = folder.join("plain");
    checked(
        Command::new(compiler)
            .args([&standard, "-w"])
            .arg(source)
            .arg("-o")
            .arg(&plain),
    )?;
    assert_eq!(
        text(&on_host.stdout),
        text(&checked(&mut Command::new(&plain))?.stdout),
        "{}",
        source.display()
    );
    let (calls, launched) = (text(&on_host.stderr), text(&launched.stdout));
    Ok(format!(
        "=== output\n{}=== calls\n{calls}=== output without the regions\n{launched}",
        text(&on_host.stdout)
    ))
}

#[test]
fn host_texts_compile_without_warnings_and_run() -> Result<()> {
    let scratch = Scratch(std::env::temp_dir().join(format!("accrue-host-{}", std::process::id())));
    std::fs::create_dir_all(&scratch.0)?;
    let mut differing = Vec::new();
    for source in inputs("tests/host")? {
        let input = std::fs::read_to_string(&source)?;
        let standards = input
            .lines()
            .find_map(|line| line.strip_prefix("// standards: "))
            .unwrap_or("gnu17");
        for compiler in ["gcc", "clang"] {
            for standard in standards.split_whitespace() {
                for optimise in ["-O0", "-O2"] {
                    let actual = results(&source, compiler, standard, optimise, &scratch.0)?;
                    differing.extend(compare(&source, &actual)?);
                }
            }
        }
    }
    assert!(
        differing.is_empty(),
        "not as expected:\n{}",
        differing.join("\n")
    );
    Ok(())
}
