//! `accrue cc`: a drop-in for `cc`.
//!
//! ```text
//! accrue cc -O2 foo.c -o foo             cc -O2 foo.c -o foo            (the process becomes cc)
//! accrue cc -fopenacc -O2 foo.c -o foo   cc -E foo.c -> foo.i
//!                                        directives of foo.i -> foo.host.i, foo.acc.i
//!                                        cc -O2 -c foo.host.i  and  cc -O2 -c foo.acc.i, at the same time
//!                                        cc -r -> foo.o
//!                                        cc -O2 foo.o -o foo -L… -laccrue
//! accrue c++ -fopenacc main.cpp foo.o    c++ -E main.cpp: without directives, c++ -c main.cpp; links as above
//! ```

mod arguments;
mod assembly;
mod auxiliary;
mod carried;
mod commands;
mod compile;
mod definitions;
mod dependencies;
mod device_link;
#[cfg(test)]
mod document;
mod foreign;
mod gpu_options;
mod joining;
mod link;
mod openacc;
mod options;
mod other_languages;
mod preprocessor_words;
mod program;
mod refusal;
pub mod response;
mod source;
mod trace;

pub use program::Program;

use std::cell::{Cell, RefCell};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use accrue_front_c::text::sentinel::Languages;

use crate::cleanup;
use crate::gpu::Settings;
use crate::home::Home;
use crate::host::{self, HostCompiler};
use crate::process::{self, Echo, Failure, Runner};
use crate::scratch::{Scratch, TemporaryFile};
use arguments::{Invocation, OpenAcc};
use commands::Commands;
use options::Stage;
use source::{Input, Language};
use trace::Trace;

/// The version that `_OPENACC` promises: OpenACC 3.4.
pub const OPENACC_VERSION: u32 = 202506;

/// Everything the steps of one command line share.
pub(super) struct Session {
    invocation: Invocation,
    host: HostCompiler,
    home: Home,
    runner: Runner<'static>,
    /// The steps are to say what they read.
    trace: Option<Trace>,
}

/// Runs `accrue cc`, `accrue c++` or `accrue fc` with the words after it.
pub fn main(role: &host::Role, words: &[OsString]) -> Result<(), Failure> {
    let (host, given) = choose_compiler(role, words)?;
    let expanded = response::expand(&given)?;
    let words = translate(role, &host, expanded.clone());
    let mut invocation = Invocation::read(role, &words)?;
    let silent = Runner::new(Echo::Silent);
    if invocation.has_openmp() && may_offload(role, &invocation) {
        if invocation.openacc == OpenAcc::Unmentioned {
            invocation.openacc = OpenAcc::Off;
        }
        invocation.drop_offloading();
        print_gpu_note(&words, &invocation);
        return Session::new(invocation, host).run();
    }
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
            print_gpu_note(&words, &invocation);
            Session::new(invocation, host).run()
        }
    }
}

/// Whether regions of OpenMP may be compiled or linked: something is made of C, or of objects.
fn may_offload(role: &host::Role, invocation: &Invocation) -> bool {
    let c = |input: &Input| match input.language {
        Language::C | Language::PreprocessedC => true,
        Language::LinkerInput => invocation.stage == Stage::Link,
        Language::Header | Language::Cxx | Language::Fortran | Language::Other => false,
    };
    let acts = !invocation.query && invocation.inputs().any(c);
    acts && (role.command == host::C.command || invocation.stage == Stage::Link)
}

fn print_gpu_note(words: &[OsString], invocation: &Invocation) {
    if !words.iter().any(|word| word == "-w") {
        print_note(invocation.gpu.note());
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
pub(super) fn read_words(words: &[OsString]) -> Result<(HostCompiler, Vec<OsString>), Failure> {
    let (host, words) = choose_compiler(&host::C, words)?;
    let words = translate(&host::C, &host, response::expand(&words)?);
    Ok((host, words))
}

/// A source that has been preprocessed, for commands that look at its IR.
pub struct PreprocessedSource {
    /// As the user named it.
    pub name: String,
    pub text: Vec<u8>,
    /// The languages whose directives are compiled.
    pub languages: Languages,
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
    let text = commands.read_preprocessed(&written)?;
    let defined = scratch.file("definitions.i");
    let text = definitions::expanded(&commands, session.runner, input, text, &defined)?;
    Ok(PreprocessedSource {
        name: input.path.to_string_lossy().into_owned(),
        text: commands.preprocessed_text(input, text),
        languages: commands.languages(),
        reader_options: commands.reader_options(),
        gpu: commands.gpu(),
    })
}

impl Session {
    pub(super) fn new(invocation: Invocation, host: HostCompiler) -> Session {
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
            trace: None,
        }
    }

    pub(super) fn run(&self) -> Result<(), Failure> {
        self.check()?;
        let mut commands = Commands::new(&self.invocation, &self.host, self.home.include()?);
        commands.trace = self.trace.as_ref();
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
            Stage::Preprocess | Stage::Check | Stage::Assembly | Stage::Object => {
                self.check_unused_inputs()?;
                self.compile_each(&commands, &scratch, |input| Ok(self.output_of(input)))
                    .map(drop)
            }
        }
    }

    /// What would be linked, if anything were.
    fn check_unused_inputs(&self) -> Result<(), Failure> {
        let unused = self
            .invocation
            .inputs()
            .filter(|input| input.language == Language::LinkerInput);
        for input in unused {
            let name = input.path.display();
            if input.is_stdin() {
                return Err("-E or -x is needed to read from standard input"
                    .to_string()
                    .into());
            }
            if let Err(error) = input.path.metadata() {
                return Err(format!("{name}: {error}").into());
            }
            process::say(&format!(
                "accrue: warning: {name}: linker input file unused because linking not done"
            ));
        }
        Ok(())
    }

    /// What gcc refuses.
    pub(super) fn check(&self) -> Result<(), Failure> {
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
        let is_c = |input: &&Input| {
            matches!(
                input.language,
                Language::C | Language::PreprocessedC | Language::Header
            )
        };
        // With `-x c` even a compiler for C++ takes it for C.
        let taken_for_cxx = |input: &&Input| is_c(input) && input.explicit.is_none();
        if let Some(input) = self.invocation.sources().find(taken_for_cxx)
            && self.host.is_for_cxx()
        {
            return Err(format!(
                "{} is a compiler for C++, and {} is C; name a C compiler",
                self.host.described(),
                input.path.display()
            )
            .into());
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
        output: impl Fn(&Input) -> Result<PathBuf, Failure>,
    ) -> Result<Vec<PathBuf>, Failure> {
        let mut outputs = Vec::new();
        let mut worst = None;
        let names = self.names_of_auxiliary_files(commands);
        let mut names = names.iter().flatten();
        for (number, input) in self.invocation.sources().enumerate() {
            let names = match input.language {
                Language::C
                | Language::PreprocessedC
                | Language::Header
                | Language::Cxx
                | Language::Fortran => names.next(),
                Language::Other | Language::LinkerInput => None,
            };
            let unit = compile::SourceUnit {
                input,
                number,
                output: &output(input)?,
                names: names.map(Vec::as_slice),
                scratch,
                commands,
                runner: self.runner,
            };
            match unit.compile(self.invocation.stage) {
                Ok(()) => outputs.push(unit.output.to_owned()),
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

    /// What gives the files beside the outputs their names, for each source that is compiled. `None` if there are none, or if they are
    /// named after the objects.
    fn names_of_auxiliary_files(&self, commands: &Commands) -> Option<Vec<Vec<OsString>>> {
        if !commands.has_auxiliary_outputs() {
            return None;
        }
        // The output of `accrue run` is not the user's.
        auxiliary::names(&self.host, &self.invocation, self.trace.is_none())
    }

    fn compile_and_link(&self, commands: &Commands, scratch: &Scratch) -> Result<(), Failure> {
        let numbers = Cell::new(0);
        let beside = RefCell::new(Vec::new());
        let named_after_object =
            commands.has_auxiliary_outputs() && self.names_of_auxiliary_files(commands).is_none();
        let object = |input: &Input| {
            let name = input.default_output("o");
            if named_after_object {
                let file = TemporaryFile::new(&name)?;
                beside.borrow_mut().push(file);
                return Ok(name);
            }
            numbers.set(numbers.get() + 1);
            Ok(scratch.file(format!("{}-{}", numbers.get(), name.display())))
        };
        let objects = self.compile_each(commands, scratch, object)?;
        if self
            .invocation
            .inputs()
            .all(|input| input.language == Language::Header)
        {
            return Ok(());
        }
        let companions = device_link::companions(self, scratch, &objects)?;
        let step = link::command(
            &self.invocation,
            &self.host,
            &self.home,
            (&objects, &companions),
            self.trace.as_ref(),
        )?;
        let output = self.invocation.output.clone();
        let output = output.map_or_else(|| PathBuf::from("a.out"), PathBuf::from);
        if self.runner.echo == Echo::ShowOnly || output.metadata().is_ok_and(|data| !data.is_file())
        {
            return self.runner.run(&step);
        }
        // A linker that a signal ends leaves a part of it; one that fails does not.
        cleanup::add(&output);
        let result = self.runner.run(&step);
        cleanup::forget(&output);
        result
    }
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    let is_device = b.metadata().is_ok_and(|data| !data.is_file());
    !is_device && matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
