//! A program that is made to be run (`accrue run`): the words that make it, all that decides what it will be, and its making.

use super::arguments::Invocation;
use super::commands::Commands;
use super::options::{Role, Stage};
use super::source::{Input, Language};
use super::trace::{self, Trace};
use super::{Session, read_words};
use crate::cleanup;
use crate::host::{self};
use crate::inputs::{self, Inputs};
use crate::process::Failure;
use crate::scratch::Scratch;
use std::cell::Cell;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A command line that makes a program, for commands that run it.
pub struct Program {
    /// Those of `@file` included.
    words: Vec<OsString>,
    session: Session,
    /// A source has the assembler read other files.
    mentions_files: Cell<bool>,
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
        let makes_program = |input: &Input| input.language != Language::Header;
        if !invocation.inputs().any(makes_program) {
            return Err("a header alone makes no program".to_string().into());
        }
        if compiles_only || invocation.output.is_some() || invocation.inputs().any(Input::is_stdin)
        {
            let message = "the program is built from files, named and run: leave out `-o`, `-c`, `-S`, `-E`, `-###`, `-`";
            return Err(message.to_string().into());
        }
        let no_program = invocation
            .options(|role| matches!(role, Role::Link | Role::LinkRelocatable))
            .into_iter()
            .find(|word| ["-shared", "-r"].iter().any(|option| word == option));
        if let Some(option) = no_program {
            let option = option.to_string_lossy();
            return Err(format!(
                "`{option}` makes no program that could be run; leave it out, or use `accrue cc -fopenacc {option}`"
            )
            .into());
        }
        Ok(Program {
            words,
            session: Session::new(invocation, host),
            mentions_files: Cell::new(false),
        })
    }

    /// A name for the program: the first source's.
    pub fn name(&self) -> PathBuf {
        let first = self.session.invocation.inputs().next();
        first
            .and_then(|input| input.path.file_stem())
            .map_or_else(|| "program".into(), PathBuf::from)
    }

    /// Everything that decides what the program will be and is known before it is made: the words, the environment, the
    /// texts of the sources, the objects, the compilers.
    pub fn fingerprint(&self) -> Result<Vec<Vec<u8>>, Failure> {
        let session = &self.session;
        session.check()?;
        let commands = Commands::new(&session.invocation, &session.host, session.home.include()?);
        cleanup::install().map_err(|error| format!("signal handlers: {error}"))?;
        let scratch = Scratch::new(false).map_err(|error| error.to_string())?;
        let mut parts = trace::surroundings(&session.host);
        parts.extend(self.words.iter().map(|word| word.as_bytes().to_vec()));
        for input in session.invocation.inputs() {
            let file = match input.is_preprocessed() || input.is_assembly_with_cpp() {
                true => {
                    let text = scratch.file("text.i");
                    session
                        .runner
                        .run_quietly(&commands.preprocess(input, &text))?;
                    text
                }
                false => input.path.clone(),
            };
            let text = match file == input.path {
                true => std::fs::read(&file)
                    .map_err(|error| format!("{}: {error}", input.path.display()))?,
                false => commands.read_preprocessed(&file)?,
            };
            if input.language != Language::LinkerInput && trace::mentions_files(&text) {
                self.mentions_files.set(true);
            }
            parts.push(text);
        }
        Ok(parts)
    }

    /// Makes the program; what it was made of beside its sources, if that can be known.
    pub fn build(self, program: &Path) -> Result<Option<Inputs>, Failure> {
        let words = [&self.words[..], &["-o".into(), program.into()]].concat();
        let invocation = Invocation::read(&host::C, &words)?;
        let scratch = Scratch::new(false).map_err(|error| error.to_string())?;
        let begin = inputs::time_of(scratch.path())
            .map_err(|error| format!("{}: {error}", scratch.path().display()))?;
        let mentions_files = self.mentions_files.get();
        let trace = Trace::new(
            &self.session.host,
            &invocation,
            scratch.path(),
            mentions_files,
        );
        let session = Session {
            invocation,
            trace: Some(trace),
            ..self.session
        };
        session.run()?;
        Ok(session
            .trace
            .as_ref()
            .and_then(|trace| trace.inputs(&session.invocation, begin)))
    }
}
