//! Reads a `cc` command line into an [`Invocation`]: every word in its place, with what it means to the driver.
//!
//! Order is kept because it matters to compilers (`-I`, `-l`, `-O2 -O0`, `-x c a -x none b`). Options that are not in
//! the table are kept where they are and belong to the user's compiler.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use accrue_front_c::text::sentinel::Languages;

use super::gpu_options::GpuOptions;
use super::openacc::{self, Spelling};
use super::options::{self, Depend, Role, Stage, Takes};
use super::source::{Input, Language};
use crate::host;

/// One command line, understood.
#[derive(Debug)]
pub struct Invocation {
    /// Everything but the driver's own options, in the user's order.
    pub items: Vec<Item>,
    /// Where the compilation stops.
    pub stage: Stage,
    /// `-o`, the last one.
    pub output: Option<OsString>,
    /// What the OpenACC options add up to.
    pub openacc: OpenAcc,
    /// What they say about GPUs.
    pub gpu: GpuOptions,
    /// `-Minfo`, `-Minfo=accel`
    pub explain: bool,
    /// `-v`
    pub verbose: bool,
    /// `-###`
    pub print_only: bool,
    /// `--keep`
    pub keep: bool,
    /// A question such as `--version`: nothing is compiled.
    pub query: bool,
    /// All of it, as it was written.
    pub words: Vec<OsString>,
}

/// What the OpenACC options of a command line add up to; the last of on and off wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenAcc {
    /// No option switches it on or off: the driver is the user's compiler.
    Unmentioned,
    /// Switched off by name: the same, without the options that only OpenACC compilers know.
    Off,
    On,
}

/// One option with its argument, or one input.
#[derive(Debug)]
pub enum Item {
    Input(Input),
    Option { words: Vec<OsString>, role: Role },
}

impl Invocation {
    /// Reads the words after `accrue cc` or another of the `compiler`s, `@file` already expanded.
    pub fn read(compiler: &host::Role, words: &[OsString]) -> Result<Invocation, String> {
        let mut invocation = Invocation {
            items: Vec::new(),
            stage: Stage::Link,
            output: None,
            openacc: OpenAcc::Unmentioned,
            gpu: GpuOptions::default(),
            explain: false,
            verbose: false,
            print_only: false,
            keep: false,
            query: false,
            words: words.to_vec(),
        };
        let mut explicit = None;
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            if word == "-" || !word.as_bytes().starts_with(b"-") {
                invocation
                    .items
                    .push(Item::Input(Input::new(compiler, word, explicit.as_deref())));
                continue;
            }
            if word == "--keep" {
                invocation.keep = true;
                continue;
            }
            let spelling = openacc::spelling(word);
            if let (Some(_), Some(word)) = (&spelling, word.to_str()) {
                invocation.gpu.read(word)?;
            }
            match spelling {
                Some(Spelling::On) => invocation.openacc = OpenAcc::On,
                Some(Spelling::Off) => invocation.openacc = OpenAcc::Off,
                Some(Spelling::Explain) => invocation.explain = true,
                Some(Spelling::Detail) => {}
                Some(Spelling::Invalid(message)) => return Err(message),
                None => {
                    let item = read_option(word, &mut rest)?;
                    invocation.note(&item, &mut explicit);
                    invocation.items.push(Item::Option {
                        words: item.words,
                        role: item.role,
                    });
                }
            }
        }
        Ok(invocation)
    }

    /// Takes over what an option says about the whole command.
    fn note(&mut self, option: &ReadOption, explicit: &mut Option<OsString>) {
        match option.role {
            // The earliest stage wins, as in gcc: `-E -c` preprocesses.
            Role::Stage(stage) => self.stage = earlier(self.stage, stage),
            Role::Depend(Depend::Instead) => self.stage = Stage::Preprocess,
            Role::Output => self.output = Some(option.argument.clone()),
            Role::Language => {
                *explicit = (option.argument != "none").then(|| option.argument.clone())
            }
            Role::Verbose => self.verbose = true,
            Role::PrintOnly => self.print_only = true,
            Role::Query => self.query = true,
            Role::Preprocess
            | Role::PreprocessForm
            | Role::Depend(_)
            | Role::Dialect
            | Role::Warning
            | Role::OwnWarning
            | Role::CodeGen
            | Role::Arithmetic(_)
            | Role::Reading(_)
            | Role::AuxiliaryOutput
            | Role::HostOnly
            | Role::Modules
            | Role::Refused(..)
            | Role::Link
            | Role::LinkWithoutLibraries
            | Role::LinkRelocatable
            | Role::Other => {}
        }
    }

    /// The languages whose directives are compiled. Commands that look at code take OpenACC for granted.
    pub fn languages(&self) -> Languages {
        Languages {
            acc: self.openacc != OpenAcc::Off,
            omp: self.has_openmp(),
        }
    }

    /// Leaves out what says for which devices the host's compiler should make code of OpenMP's regions: they are ours.
    pub fn drop_offloading(&mut self) {
        self.items.retain(|item| match item {
            Item::Option { words, .. } => words.first().is_none_or(|word| {
                let word = word.as_bytes();
                !word.starts_with(b"-fopenmp-targets=") && !word.starts_with(b"--offload-arch=")
            }),
            Item::Input(_) => true,
        });
    }

    /// Whether the host's compiler is asked for OpenMP; the last option wins.
    pub fn has_openmp(&self) -> bool {
        let mut on = false;
        for item in &self.items {
            if let Item::Option { words, .. } = item
                && let Some(word) = words.first()
            {
                match word.as_bytes() {
                    b"-fno-openmp" => on = false,
                    b"-fopenmp" => on = true,
                    word if word.starts_with(b"-fopenmp=") => on = true,
                    _ => {}
                }
            }
        }
        on
    }

    pub fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.items.iter().filter_map(|item| match item {
            Item::Input(input) => Some(input),
            Item::Option { .. } => None,
        })
    }

    /// The inputs that are compiled rather than handed to the linker.
    pub fn sources(&self) -> impl Iterator<Item = &Input> {
        self.inputs()
            .filter(|input| input.language != Language::LinkerInput)
    }

    /// The words of all options for which `wanted` says yes, in order.
    pub fn options(&self, wanted: impl Fn(Role) -> bool) -> Vec<OsString> {
        let mut all = Vec::new();
        for item in &self.items {
            if let Item::Option { words, role } = item
                && wanted(*role)
            {
                all.extend_from_slice(words);
            }
        }
        all
    }

    pub fn has(&self, wanted: impl Fn(Role) -> bool) -> bool {
        self.items
            .iter()
            .any(|item| matches!(item, Item::Option { role, .. } if wanted(*role)))
    }
}

struct ReadOption {
    words: Vec<OsString>,
    argument: OsString,
    role: Role,
}

fn read_option<'a>(
    word: &OsString,
    rest: &mut impl Iterator<Item = &'a OsString>,
) -> Result<ReadOption, String> {
    let Some(rule) = options::find(word.as_bytes()) else {
        return Ok(ReadOption {
            words: vec![word.clone()],
            argument: OsString::new(),
            role: Role::Other,
        });
    };
    let joined = OsStr::from_bytes(&word.as_bytes()[rule.name.len()..]).to_owned();
    let next_word = match rule.takes {
        Takes::Nothing | Takes::Joined => false,
        Takes::Separate => true,
        Takes::JoinedOrSeparate => joined.is_empty(),
    };
    if !next_word {
        return Ok(ReadOption {
            words: vec![word.clone()],
            argument: joined,
            role: rule.role,
        });
    }
    let argument = rest
        .next()
        .ok_or_else(|| format!("missing argument to `{}`", rule.name))?;
    Ok(ReadOption {
        words: vec![word.clone(), argument.clone()],
        argument: argument.clone(),
        role: rule.role,
    })
}

fn earlier(a: Stage, b: Stage) -> Stage {
    let rank = |stage| match stage {
        Stage::Preprocess => 0,
        Stage::Check => 1,
        Stage::Assembly => 2,
        Stage::Object => 3,
        Stage::Link => 4,
    };
    if rank(b) < rank(a) { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Invocation {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        Invocation::read(&host::C, &words).unwrap()
    }

    #[test]
    fn separate_arguments_are_no_inputs_and_no_openacc_options() {
        let invocation = read("-o -acc -I dir -Xlinker -fopenacc -include a.h b.c -MF b.d -l m");
        assert_eq!(invocation.openacc, OpenAcc::Unmentioned);
        assert_eq!(invocation.output.as_deref(), Some(OsStr::new("-acc")));
        let inputs: Vec<_> = invocation
            .inputs()
            .map(|input| input.path.to_str().unwrap())
            .collect();
        assert_eq!(inputs, ["b.c"]);
    }

    #[test]
    fn last_openacc_option_wins() {
        assert_eq!(read("-fopenacc -fno-openacc").openacc, OpenAcc::Off);
        assert_eq!(read("-fno-openacc -acc=gpu").openacc, OpenAcc::On);
        assert_eq!(
            read("-gpu=cc80 -foffload=disable").openacc,
            OpenAcc::Unmentioned
        );
    }

    #[test]
    fn language_option_holds_until_none() {
        let invocation = read("-x c a -x none b -xassembler c.txt");
        let languages: Vec<_> = invocation.inputs().map(|input| input.language).collect();
        assert_eq!(
            languages,
            [Language::C, Language::LinkerInput, Language::Other]
        );
    }

    #[test]
    fn earliest_stage_wins() {
        assert_eq!(read("-c -S a.c").stage, Stage::Assembly);
        assert_eq!(read("-E -c a.c").stage, Stage::Preprocess);
        assert_eq!(read("-MM a.c").stage, Stage::Preprocess);
        assert_eq!(read("-MMD -c a.c").stage, Stage::Object);
    }

    #[test]
    fn options_are_selected_in_order() {
        let invocation = read("-O2 -Wl,-x -I a -fPIC -O3");
        assert_eq!(
            invocation.options(|role| role == Role::CodeGen),
            ["-O2", "-fPIC", "-O3"]
        );
    }

    #[test]
    fn missing_argument_is_reported() {
        assert!(Invocation::read(&host::C, &["a.c".into(), "-o".into()]).is_err());
    }
}
