//! Runs the steps of a compilation: shown with `-v`, only shown with `-###`, in parallel where two do not depend on
//! each other.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

use crate::{cleanup, scratch};

/// Why a command ended without its result.
#[derive(Debug)]
pub enum Failure {
    /// A step failed and has said why; its exit code becomes ours.
    Step(u8),
    /// Something the user must be told.
    Message(String),
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure::Message(message)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Step(code) => write!(out, "a step failed with exit status {code}"),
            Failure::Message(message) => out.write_str(message),
        }
    }
}

/// What is shown of the steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Echo {
    Silent,
    /// `-v`
    Show,
    /// `-###`: shown, not run.
    ShowOnly,
}

/// One command: the program and its arguments.
pub type Step = Vec<OsString>;

/// Runs steps and shows them.
#[derive(Clone, Copy, Debug)]
pub struct Runner<'a> {
    pub echo: Echo,
    /// A file to be read in the place of standard input: two steps cannot both read the real one.
    pub stdin: Option<&'a Path>,
}

impl<'a> Runner<'a> {
    pub fn new(echo: Echo) -> Runner<'a> {
        Runner { echo, stdin: None }
    }

    fn start(self, step: &Step, stderr: Stdio) -> Result<Child, Failure> {
        let stdin = match self.stdin {
            None => Stdio::inherit(),
            Some(file) => File::open(file)
                .map_err(|error| format!("{}: {error}", file.display()))?
                .into(),
        };
        let mut command = command(step);
        scratch::for_temporary_files_of(&mut command);
        command.stdin(stdin).stderr(stderr);
        cleanup::spawn(&mut command).map_err(|error| cannot_run(step, &error).into())
    }

    /// Runs a step; its output goes where ours goes.
    pub fn run(self, step: &Step) -> Result<(), Failure> {
        if self.show(step) {
            return Ok(());
        }
        finish(step, self.start(step, Stdio::inherit())?)
    }

    /// Runs two steps at the same time, the user's text and a generated one. What is said of the generated one is only of
    /// interest if nothing is wrong with the user's.
    pub fn run_both(self, users: &Step, generated: &Step) -> Result<(), Failure> {
        if self.show(users) | self.show(generated) {
            return Ok(());
        }
        let users_child = self.start(users, Stdio::inherit())?;
        let generated_result = self
            .start(generated, Stdio::piped())
            .and_then(|child| self.collect(generated, child));
        finish(users, users_child)?;
        let (done, messages) = generated_result?;
        print_messages(&messages);
        done
    }

    /// Waits for the end of a step; how it ended, and what it wrote to standard error.
    fn collect(
        self,
        step: &Step,
        mut child: Child,
    ) -> Result<(Result<(), Failure>, Vec<u8>), Failure> {
        let mut messages = Vec::new();
        if let Some(mut pipe) = child.stderr.take() {
            io::Read::read_to_end(&mut pipe, &mut messages)
                .map_err(|error| cannot_run(step, &error))?;
        }
        Ok((finish(step, child), messages))
    }

    /// Runs a step and returns what it wrote to standard error, for the caller to print or to drop.
    pub fn run_quietly(self, step: &Step) -> Result<Vec<u8>, Failure> {
        if self.show(step) {
            return Ok(Vec::new());
        }
        let child = self.start(step, Stdio::piped())?;
        match self.collect(step, child)? {
            (Ok(()), messages) => Ok(messages),
            (Err(failure), messages) => {
                print_messages(&messages);
                Err(failure)
            }
        }
    }

    /// Runs steps at the same time; of each whether it succeeded, and what it wrote to standard error.
    pub fn run_all(self, steps: &[Step]) -> Result<Vec<(bool, Vec<u8>)>, Failure> {
        let mut children = vec![];
        for step in steps {
            if self.show(step) {
                continue;
            }
            children.push((step, self.start(step, Stdio::piped())?));
        }
        let collect = |(step, child): (&Step, Child)| match self.collect(step, child)? {
            (Ok(()), messages) => Ok((true, messages)),
            (Err(Failure::Step(_)), messages) => Ok((false, messages)),
            (Err(Failure::Message(message)), _) => Err(Failure::Message(message)),
        };
        children.into_iter().map(collect).collect()
    }

    /// Becomes the step: returns only if that fails.
    pub fn become_step(self, step: &Step) -> Result<(), Failure> {
        if self.show(step) {
            return Ok(());
        }
        Err(cannot_run(step, &command(step).exec()).into())
    }

    /// Shows work that is done in this process, in the place of a step.
    pub fn note(self, text: &str) {
        if self.echo != Echo::Silent {
            say(&format!(" # {text}"));
        }
    }

    /// Shows a step as gcc does; true when it must not be run.
    fn show(self, step: &Step) -> bool {
        match self.echo {
            Echo::Silent => return false,
            Echo::Show => print_messages(
                &[&joined(step, |word| word.as_bytes().to_vec())[..], b"\n"].concat(),
            ),
            Echo::ShowOnly => print_messages(&[&joined(step, quoted)[..], b"\n"].concat()),
        }
        self.echo == Echo::ShowOnly
    }
}

/// Prints a step's messages unchanged. When standard error is closed there is nobody left to tell.
pub fn print_messages(messages: &[u8]) {
    let _ = io::stderr().write_all(messages);
}

/// Prints a line of our own to standard error.
pub fn say(line: &str) {
    print_messages(format!("{line}\n").as_bytes());
}

/// Prints a command's result. A reader that has seen enough (`| head`) ends the command without a complaint.
pub fn print_result(text: &str) -> Result<(), Failure> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("standard output: {error}").into())
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

fn command(step: &Step) -> Command {
    let (program, arguments) = step
        .split_first()
        .map_or((OsStr::new(""), &[][..]), |(p, a)| (p.as_os_str(), a));
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

fn finish(step: &Step, mut child: Child) -> Result<(), Failure> {
    let process = child.id();
    let status = child.wait().map_err(|error| cannot_run(step, &error));
    cleanup::forget_child(process);
    outcome(step, status?)
}

fn outcome(step: &Step, status: ExitStatus) -> Result<(), Failure> {
    if status.success() {
        return Ok(());
    }
    match status.code() {
        Some(code) => Err(Failure::Step(u8::try_from(code).unwrap_or(1))),
        None => {
            let signal = status.signal().unwrap_or(0);
            cleanup::await_own_end(signal);
            Err(format!("`{}` was ended by signal {signal}", program_name(step)).into())
        }
    }
}

fn cannot_run(step: &Step, error: &io::Error) -> String {
    format!("cannot run `{}`: {error}", program_name(step))
}

fn program_name(step: &Step) -> String {
    step.first()
        .map(|word| word.to_string_lossy().into_owned())
        .unwrap_or_default()
}

fn joined(step: &Step, form: impl Fn(&OsStr) -> Vec<u8>) -> Vec<u8> {
    step.iter()
        .flat_map(|word| [b" ".to_vec(), form(word)].concat())
        .collect()
}

/// gcc's quoting for `-###`: words of plain characters as they are, others in double quotes.
fn quoted(word: &OsStr) -> Vec<u8> {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_/-.".contains(byte);
    let bytes = word.as_bytes();
    if !bytes.is_empty() && bytes.iter().all(plain) {
        return bytes.to_vec();
    }
    let mut text = vec![b'"'];
    for byte in bytes {
        if b"\\\"$".contains(byte) {
            text.push(b'\\');
        }
        text.push(*byte);
    }
    text.push(b'"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoting_is_gccs() {
        let step: Step = ["cc", "-c", "a b.c", "-DX=\"$y\"", ""]
            .map(OsString::from)
            .into();
        assert_eq!(
            joined(&step, quoted),
            b" cc -c \"a b.c\" \"-DX=\\\"\\$y\\\"\" \"\""
        );
    }

    #[test]
    fn exit_codes_are_kept() {
        let runner = Runner::new(Echo::Silent);
        let step: Step = ["sh", "-c", "exit 3"].map(OsString::from).into();
        assert!(matches!(runner.run(&step), Err(Failure::Step(3))));
        let missing: Step = vec!["/nonexistent/program".into()];
        assert!(matches!(runner.run(&missing), Err(Failure::Message(_))));
    }
}
