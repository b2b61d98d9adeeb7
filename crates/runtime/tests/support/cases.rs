//! Cases that run in a child process, whose standard error and exit status are compared with what a table expects.

use std::path::Path;
use std::process::Command;

/// One program run.
#[derive(Clone, Copy)]
pub struct Case {
    pub name: &'static str,
    pub environment: &'static [(&'static str, &'static str)],
    pub body: fn(),
    /// Exit status.
    pub status: i32,
    /// Texts on standard error, in this order. With none, nothing of ours may be there.
    pub expected: &'static [&'static str],
}

const CASE: &str = "ACCRUE_TEST_CASE";

/// In the child: executes the case that the environment names. To be called in a test with the name `child`.
pub fn child(cases: &[Case]) {
    let Ok(name) = std::env::var(CASE) else {
        return;
    };
    let case = cases
        .iter()
        .find(|case| case.name == name)
        .expect("unknown case");
    (case.body)();
    std::process::exit(0);
}

/// Runs all cases, each in a child process that finds shared libraries in `libraries` first.
pub fn run(cases: &[Case], libraries: Option<&Path>) {
    run_some(cases, libraries, |_| true);
}

/// Like [`run`], those cases that are wanted.
pub fn run_some(cases: &[Case], libraries: Option<&Path>, wanted: impl Fn(&Case) -> bool) {
    if std::env::var_os(CASE).is_some() {
        return;
    }
    let program = std::env::current_exe().expect("no path of the test program");
    let mut failures = String::new();
    for case in cases.iter().filter(|case| wanted(case)) {
        let mut command = Command::new(&program);
        command
            .args(["child", "--exact", "--nocapture", "--test-threads=1"])
            .env(CASE, case.name)
            .envs(case.environment.iter().copied());
        if let Some(libraries) = libraries {
            command.env("LD_LIBRARY_PATH", libraries);
        }
        let output = command.output().expect("cannot start the child");
        let text = String::from_utf8_lossy(&output.stderr);
        let mut rest = &text[..];
        let missing = case
            .expected
            .iter()
            .find(|expected| match rest.find(**expected) {
                Some(at) => {
                    rest = &rest[at + expected.len()..];
                    false
                }
                None => true,
            });
        let quiet = !case.expected.is_empty() || !text.contains("accrue:");
        if output.status.code() != Some(case.status) || missing.is_some() || !quiet {
            failures += &format!(
                "\n== {}: status {:?}, expected {}; missing: {missing:?}\n{text}",
                case.name, output.status, case.status
            );
        }
    }
    assert!(failures.is_empty(), "{failures}");
}
