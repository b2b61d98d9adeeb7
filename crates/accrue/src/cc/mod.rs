//! `accrue cc`: a drop-in for `cc`.
//!
//! ```text
//! accrue cc -O2 foo.c -o foo             cc -O2 foo.c -o foo            (the process becomes cc)
//! accrue cc -fopenacc -O2 foo.c -o foo   cc -E foo.c -> foo.i
//!                                        directives of foo.i -> foo.host.i, foo.acc.c
//!                                        cc -O2 -c foo.host.i  and  cc -O2 -c foo.acc.c, at the same time
//!                                        cc -r -> foo.o
//!                                        cc -O2 foo.o -o foo -L… -laccrue
//! accrue c++ -fopenacc main.cpp foo.o    c++ -E main.cpp: without directives, c++ -c main.cpp; links as above
//! ```

mod arguments;
mod assembly;
mod commands;
mod compile;
mod dependencies;
#[cfg(test)]
mod document;
mod foreign;
mod gpu_options;
mod link;
mod openacc;
mod options;
mod other_languages;
mod response;
mod source;

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::cleanup;
use crate::gpu::Settings;
use crate::home::Home;
use crate::host::{self, HostCompiler};
use crate::process::{self, Echo, Failure, Runner};
use crate::scratch::Scratch;
use arguments::{Invocation, OpenAcc};
use commands::Commands;
use options::Stage;
use source::{Input, Language};

/// The version that `_OPENACC` promises: OpenACC 2.6.
pub const OPENACC_VERSION: u32 = 201711;

/// Everything the steps of one command line share.
struct Session {
    invocation: Invocation,
    host: HostCompiler,
    home: Home,
    runner: Runner<'static>,
}

/// Runs `accrue cc`, `accrue c++` or `accrue fc` with the words after it.
pub fn main(role: &host::Role, words: &[OsString]) -> Result<(), Failure> {
    let (host, given) = choose_compiler(role, words)?;
    let expanded = response::expand(&given)?;
    let words = translate(role, &host, expanded.clone());
    let invocation = Invocation::read(role, &words)?;
    let silent = Runner::new(Echo::Silent);
    match invocation.openacc {
        // A long command line stays in its `@file`.
        OpenAcc::Unmentioned if words == expanded => {
            silent.become_step(&[host.words(), &given].concat())
        }
        OpenAcc::Unmentioned => silent.become_step(&[host.words(), &words].concat()),
        OpenAcc::Off => silent.become_step(&commands::without_openacc(&host, &invocation)),
        OpenAcc::On if invocation.query || invocation.inputs().next().is_none() => {
            silent.become_step(&commands::without_openacc(&host, &invocation))
        }
        OpenAcc::On => {
            if !words.iter().any(|word| word == "-w") {
                print_note(invocation.gpu.note());
            }
            Session::new(invocation, host).run()
        }
    }
}

/// The user's compiler and the words that are left for it.
fn choose_compiler(
    role: &host::Role,
    words: &[OsString],
) -> Result<(HostCompiler, Vec<OsString>), String> {
    let option = words
        .iter()
        .filter_map(|word| compiler_option(role, word))
        .next_back();
    let host = HostCompiler::find(role, option)?;
    Ok((
        host,
        words
            .iter()
            .filter(|word| compiler_option(role, word).is_none())
            .cloned()
            .collect(),
    ))
}

fn compiler_option<'a>(role: &host::Role, word: &'a OsStr) -> Option<&'a OsStr> {
    word.as_bytes()
        .strip_prefix(role.option.as_bytes())
        .map(OsStr::from_bytes)
}

/// The words without options of other vendors' compilers; says what became of those.
fn translate(role: &host::Role, host: &HostCompiler, words: Vec<OsString>) -> Vec<OsString> {
    let translation = foreign::translate(words, role, || host.family());
    print_note(translation.note);
    translation.words
}

fn print_note(note: Option<String>) {
    if let Some(note) = note {
        process::print_messages(format!("accrue: note: {note}\n").as_bytes());
    }
}

/// The words of a command line for `accrue cc`, as the host compiler understands them.
fn read_words(words: &[OsString]) -> Result<(HostCompiler, Vec<OsString>), Failure> {
    let (host, words) = choose_compiler(&host::C, words)?;
    let words = translate(&host::C, &host, response::expand(&words)?);
    Ok((host, words))
}

/// A source that has been preprocessed, for commands that look at its IR.
pub struct PreprocessedSource {
    /// As the user named it.
    pub name: String,
    pub text: Vec<u8>,
    /// Options for reading the text as the user's compiler would.
    pub reader_options: Vec<OsString>,
    /// How code for GPUs is made; `None` for no code.
    pub gpu: Option<Settings>,
}

/// Preprocesses the only source among words of `accrue cc`.
pub fn preprocess(words: &[OsString]) -> Result<PreprocessedSource, Failure> {
    let (host, words) = read_words(words)?;
    let session = Session::new(Invocation::read(&host::C, &words)?, host);
    session.check()?;
    let mut sources = session
        .invocation
        .sources()
        .filter(|input| input.language == Language::C);
    let (Some(input), None) = (sources.next(), sources.next()) else {
        return Err("expected one C source".to_string().into());
    };
    let commands = Commands::new(&session.invocation, &session.host, session.home.include()?);
    cleanup::install().map_err(|error| format!("signal handlers: {error}"))?;
    let scratch = Scratch::new(session.invocation.keep).map_err(|error| error.to_string())?;
    let written = scratch.file("text.i");
    let messages = session
        .runner
        .run_quietly(&commands.preprocess(input, &written))?;
    process::print_messages(&messages);
    let text =
        std::fs::read(&written).map_err(|error| format!("{}: {error}", input.path.display()))?;
    Ok(PreprocessedSource {
        name: input.path.to_string_lossy().into_owned(),
        text: commands.preprocessed_text(input, text),
        reader_options: commands.reader_options(),
        gpu: commands.gpu(),
    })
}

/// A command line that makes a program, for commands that run it.
pub struct Program {
    words: Vec<OsString>,
    session: Session,
}

impl Program {
    /// Reads words of `accrue cc`, with an OpenACC option among them.
    pub fn new(words: &[OsString]) -> Result<Program, Failure> {
        let (host, words) = read_words(words)?;
        let invocation = Invocation::read(&host::C, &words)?;
        if invocation.inputs().next().is_none() {
            return Err("no input files".to_string().into());
        }
        let compiles_only =
            invocation.stage != Stage::Link || invocation.query || invocation.print_only;
        if compiles_only || invocation.output.is_some() || invocation.inputs().any(Input::is_stdin)
        {
            let message = "the program is built from files, named and run: leave out `-o`, `-c`, `-S`, `-E`, `-###`, `-`";
            return Err(message.to_string().into());
        }
        Ok(Program {
            words,
            session: Session::new(invocation, host),
        })
    }

    /// A name for the program: the first source's.
    pub fn name(&self) -> PathBuf {
        let first = self.session.invocation.inputs().next();
        first
            .and_then(|input| input.path.file_stem())
            .map_or_else(|| "program".into(), PathBuf::from)
    }

    /// Everything that decides what the program will be: the words, the texts of the sources, the objects, the compiler.
    pub fn fingerprint(&self) -> Result<Vec<Vec<u8>>, Failure> {
        let session = &self.session;
        session.check()?;
        let commands = Commands::new(&session.invocation, &session.host, session.home.include()?);
        cleanup::install().map_err(|error| format!("signal handlers: {error}"))?;
        let scratch = Scratch::new(false).map_err(|error| error.to_string())?;
        let mut parts: Vec<Vec<u8>> = self
            .words
            .iter()
            .map(|word| word.as_bytes().to_vec())
            .collect();
        parts.push(session.host.version().as_bytes().to_vec());
        parts.extend(
            std::env::current_dir()
                .ok()
                .map(|folder| folder.into_os_string().into_encoded_bytes()),
        );
        for input in session.invocation.inputs() {
            let file = match input.is_preprocessed() {
                true => {
                    let text = scratch.file("text.i");
                    session
                        .runner
                        .run_quietly(&commands.preprocess(input, &text))?;
                    text
                }
                false => input.path.clone(),
            };
            parts.push(
                std::fs::read(&file)
                    .map_err(|error| format!("{}: {error}", input.path.display()))?,
            );
        }
        Ok(parts)
    }

    /// Makes the program.
    pub fn build(self, program: &Path) -> Result<(), Failure> {
        let words = [&self.words[..], &["-o".into(), program.into()]].concat();
        let invocation = Invocation::read(&host::C, &words)?;
        Session {
            invocation,
            ..self.session
        }
        .run()
    }
}

impl Session {
    fn new(invocation: Invocation, host: HostCompiler) -> Session {
        let echo = match (invocation.print_only, invocation.verbose) {
            (true, _) => Echo::ShowOnly,
            (false, true) => Echo::Show,
            (false, false) => Echo::Silent,
        };
        Session {
            invocation,
            host,
            home: Home::find(),
            runner: Runner::new(echo),
        }
    }

    fn run(self) -> Result<(), Failure> {
        self.check()?;
        let commands = Commands::new(&self.invocation, &self.host, self.home.include()?);
        if self.invocation.stage == Stage::Preprocess {
            return self.runner.become_step(&commands.preprocess_only());
        }
        cleanup::install().map_err(|error| format!("signal handlers: {error}"))?;
        let scratch = match self.runner.echo {
            Echo::ShowOnly => Scratch::imaginary(),
            Echo::Silent | Echo::Show => {
                Scratch::new(self.invocation.keep).map_err(|error| error.to_string())?
            }
        };
        match self.invocation.stage {
            Stage::Link => self.compile_and_link(&commands, &scratch),
            Stage::Preprocess | Stage::Check | Stage::Assembly | Stage::Object => self
                .compile_each(&commands, &scratch, |input| self.output_of(input))
                .map(drop),
        }
    }

    /// What gcc refuses.
    fn check(&self) -> Result<(), Failure> {
        let sources = self.invocation.sources().count();
        if self.invocation.output.is_some() && self.invocation.stage != Stage::Link && sources > 1 {
            return Err(
                "cannot specify `-o` with `-c`, `-S` or `-E` with multiple files"
                    .to_string()
                    .into(),
            );
        }
        if let Some(output) = &self.invocation.output
            && self
                .invocation
                .inputs()
                .any(|input| is_same_file(&input.path, Path::new(output)))
        {
            let name = output.to_string_lossy();
            return Err(format!("input file `{name}` is the same as the output file").into());
        }
        Ok(())
    }

    /// Where `-c` or `-S` puts the result of an input.
    fn output_of(&self, input: &Input) -> PathBuf {
        let extension = if self.invocation.stage == Stage::Assembly {
            "s"
        } else {
            "o"
        };
        self.invocation
            .output
            .as_ref()
            .map_or_else(|| input.default_output(extension), PathBuf::from)
    }

    /// Compiles every source to the file that `output` names. As with gcc, the sources after a bad one are compiled
    /// too, and the worst exit code counts.
    fn compile_each(
        &self,
        commands: &Commands,
        scratch: &Scratch,
        output: impl Fn(&Input) -> PathBuf,
    ) -> Result<Vec<PathBuf>, Failure> {
        let mut outputs = Vec::new();
        let mut worst = None;
        for (number, input) in self.invocation.sources().enumerate() {
            let output = output(input);
            let unit = compile::SourceUnit {
                input,
                number,
                output: &output,
                scratch,
                commands,
                runner: self.runner,
            };
            match unit.compile(self.invocation.stage) {
                Ok(()) => outputs.push(output),
                Err(Failure::Message(message)) => {
                    crate::report(&message);
                    worst = worst.max(Some(1));
                }
                Err(Failure::Step(code)) => worst = worst.max(Some(code)),
            }
        }
        match worst {
            None => Ok(outputs),
            Some(code) => Err(Failure::Step(code)),
        }
    }

    fn compile_and_link(&self, commands: &Commands, scratch: &Scratch) -> Result<(), Failure> {
        let numbers = std::cell::Cell::new(0);
        let object = |input: &Input| {
            numbers.set(numbers.get() + 1);
            scratch.file(format!(
                "{}-{}",
                numbers.get(),
                input.default_output("o").display()
            ))
        };
        let objects = self.compile_each(commands, scratch, object)?;
        self.runner.run(&link::command(
            &self.invocation,
            &self.host,
            &self.home,
            &objects,
        )?)
    }
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    let is_device = b.metadata().is_ok_and(|data| !data.is_file());
    !is_device && matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
