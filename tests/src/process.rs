//! Running a program with a time limit, and scratch directories.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A program that ended by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// Exit status; 128 + n for a program ended by signal n, as shells show it.
    pub status: i32,
    /// Standard output; bytes that are not UTF-8 are replaced.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// Runs `command` to its end; a program over `limit` is killed and reported.
///
/// Output goes to files in `scratch`, not to pipes: a pipe kept open by a grandchild would outlive the kill.
pub fn run(command: &mut Command, scratch: &Path, limit: Duration) -> Result<Finished, String> {
    let (out_path, err_path) = output_files(scratch);
    let started = start(command, &out_path, &err_path)
        .map_err(|e| format!("cannot start {}: {e}", program_name(command)))?;
    let status = wait(started, limit).map_err(|e| format!("{}: {e}", program_name(command)))?;
    Ok(Finished {
        status,
        stdout: take_text(&out_path),
        stderr: take_text(&err_path),
    })
}

/// A directory of one test, removed when the test is over.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// A fresh directory under `parent`.
    pub fn new(parent: &Path) -> Result<Scratch, String> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("{}-{number}", std::process::id()));
        fs::create_dir_all(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(Scratch { path })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A leftover lies in cargo's own temporary directory and harms nobody.
        let _ = fs::remove_dir_all(&self.path);
    }
}

fn output_files(scratch: &Path) -> (PathBuf, PathBuf) {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    (
        scratch.join(format!("{number}.out")),
        scratch.join(format!("{number}.err")),
    )
}

fn start(
    command: &mut Command,
    out_path: &Path,
    err_path: &Path,
) -> io::Result<std::process::Child> {
    forget_settings(command);
    command
        .stdin(Stdio::null())
        .stdout(File::create(out_path)?)
        .stderr(File::create(err_path)?)
        .spawn()
}

/// The caller's own `ACC_*` and `ACCRUE_*` settings must not reach a test, except those that say which tools are tested.
/// Settings made for the command itself stay.
fn forget_settings(command: &mut Command) {
    let own: Vec<_> = command
        .get_envs()
        .map(|(name, _)| name.to_owned())
        .collect();
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        let is_setting = text.starts_with("ACC_") || text.starts_with("ACCRUE_");
        if is_setting && !TOOLS.contains(&&*text) && !own.contains(&name) {
            command.env_remove(&name);
        }
    }
}

const TOOLS: [&str; 2] = ["ACCRUE_CC", "ACCRUE_HOME"];

fn wait(mut child: std::process::Child, limit: Duration) -> Result<i32, String> {
    let begin = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(code(status)),
            Ok(None) if begin.elapsed() > limit => {
                // The child may have ended in between; both calls then have nothing left to do.
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("still running after {limit:?}, killed"));
            }
            Ok(None) => {
                thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(10));
            }
            Err(e) => return Err(e.to_string()),
        }
    }
}

fn code(status: std::process::ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => code,
        (None, Some(signal)) => 128 + signal,
        (None, None) => -1,
    }
}

fn take_text(path: &Path) -> String {
    let bytes = fs::read(path).unwrap_or_default();
    let _ = fs::remove_file(path);
    String::from_utf8_lossy(&bytes).into_owned()
}

fn program_name(command: &Command) -> String {
    Path::new(command.get_program())
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}
