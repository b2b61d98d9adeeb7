//! The command lines of the steps: which of the user's options each one gets.
//!
//! | step                | options                                                                    |
//! |---------------------|----------------------------------------------------------------------------|
//! | preprocess          | all but link options and `-o`; our header's directory and `_OPENACC` first  |
//! | straight            | all but link options: a source without directives                          |
//! | host text           | all but link, preprocessor and dependency options                           |
//! | companion           | code generation only: no warnings, no dependencies, its own dialect with    |
//! |                     | the user's arithmetic                                                      |
//! | join (`cc -r`)      | code generation only                                                       |

use std::ffi::{OsStr, OsString};
use std::io::{ErrorKind, IsTerminal};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use accrue_front_c::text::preprocess::{self, Family};
use accrue_front_c::text::sentinel::Languages;

use super::OPENACC_VERSION;
use super::arguments::{Invocation, Item};
use super::dependencies;
use super::options::{self, Role};
use super::preprocessor_words;
use super::source::{Input, Language};
use super::trace::Trace;
use crate::device_link::record::Invoked;
use crate::gpu::Settings;
use crate::host::{self, HostCompiler};
use crate::process::{Failure, Step};
use crate::warnings::Policy;

/// Makes the command lines of one invocation.
pub struct Commands<'a> {
    pub(super) invocation: &'a Invocation,
    pub(super) host: &'a HostCompiler,
    /// The options that the compiler is named with, as in `ACCRUE_CC="gcc -fshort-enums"`.
    pub(super) named: Option<Invocation>,
    pub(super) include: &'a Path,
    /// Compiling steps are to say what they read.
    pub trace: Option<&'a Trace>,
}

/// The form in which code leaves the user's compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Object,
    Assembly,
}

impl Form {
    pub(super) fn option(self) -> &'static str {
        match self {
            Form::Object => "-c",
            Form::Assembly => "-S",
        }
    }

    pub fn extension(self) -> &'static str {
        match self {
            Form::Object => "o",
            Form::Assembly => "s",
        }
    }
}

/// The user's command line without the options that are ours, for commands that compile nothing of ours.
pub fn without_openacc(host: &HostCompiler, invocation: &Invocation) -> Step {
    let mut step = host.words().to_vec();
    for item in &invocation.items {
        match item {
            Item::Input(input) => step.push(input.path.clone().into()),
            Item::Option { words, .. } => step.extend_from_slice(words),
        }
    }
    step
}

/// The compiler, for one of several steps: each gets options that are meant for others, and clang would complain.
pub fn begin(host: &HostCompiler) -> Step {
    let mut step = host.words().to_vec();
    if host.family() == Family::Clang {
        step.push("-Qunused-arguments".into());
    }
    step
}

impl<'a> Commands<'a> {
    pub fn new(
        invocation: &'a Invocation,
        host: &'a HostCompiler,
        include: &'a Path,
    ) -> Commands<'a> {
        let named = host.words().get(1..).unwrap_or_default();
        Commands {
            invocation,
            host,
            named: Invocation::read(&host::C, named).ok(),
            include,
            trace: None,
        }
    }

    /// `-E`, `-M`: the user's command itself, with OpenACC's macro and header.
    pub fn preprocess_only(&self) -> Step {
        let user = without_openacc(self.host, self.invocation);
        let own = self.host.words().len();
        [&user[..own], &self.openacc_words(), &user[own..]].concat()
    }

    /// The preprocessed text of a source, and its dependencies if they are wanted.
    pub fn preprocess(&self, input: &Input, output: &Path) -> Step {
        self.preprocess_with(input, output, dependencies::words(self.invocation, input))
    }

    /// The same with the definitions of macros, and nothing beside it.
    pub fn definitions(&self, input: &Input, output: &Path) -> Step {
        self.preprocess_with(input, output, vec!["-dD".into()])
    }

    fn preprocess_with(&self, input: &Input, output: &Path, more: Vec<OsString>) -> Step {
        let mut options: Vec<OsString> = self.colour().into_iter().collect();
        options.extend(self.options_for_preprocessing());
        options.extend(more);
        if let Some(name) = &input.explicit {
            options.extend(["-x".into(), name.clone()]);
        }
        let request = self.preprocessing(&input.path, &options);
        [
            self.host.words(),
            &request.arguments(),
            &["-o".into(), output.into()],
        ]
        .concat()
    }

    /// The file that the preprocessing step has written; a program that is no compiler may have written none.
    pub fn read_preprocessed(&self, written: &Path) -> Result<Vec<u8>, Failure> {
        std::fs::read(written).map_err(|error| {
            let compiler = self.host.described();
            let message = match error.kind() {
                ErrorKind::NotFound => {
                    format!("{compiler} has preprocessed nothing: is it a C compiler?")
                }
                _ => format!("{}: {error}", written.display()),
            };
            message.into()
        })
    }

    /// What the preprocessing step has written, with macros in directives expanded.
    pub fn preprocessed_text(&self, input: &Input, written: Vec<u8>) -> Vec<u8> {
        self.preprocessing(&input.path, &[]).text(written)
    }

    fn preprocessing<'b>(
        &'b self,
        source: &'b Path,
        options: &'b [OsString],
    ) -> preprocess::Request<'b> {
        preprocess::Request {
            family: self.host.family(),
            options,
            source,
            include: self.invocation.languages().acc.then_some(self.include),
            version: self.invocation.languages().acc.then_some(OPENACC_VERSION),
        }
    }

    /// A source without directives: compiled as the user's compiler would, in one step.
    pub fn straight(
        &self,
        input: &Input,
        form: Option<Form>,
        output: &Path,
        names: &[OsString],
    ) -> Step {
        let preprocessed = input.is_preprocessed();
        let mut step = self.begin(match preprocessed {
            true => self.macro_and_header(),
            false => Vec::new(),
        });
        step.extend(self.invocation.options(Role::concerns_compiling));
        // The preprocessing step has written the dependencies.
        if !preprocessed {
            step.extend(dependencies::words(self.invocation, input));
        }
        step.extend_from_slice(names);
        step.extend(self.trace_words(form, output));
        step.extend(stage_words(form, output));
        step.extend(input.words());
        step
    }

    /// A header to be kept in the compiler's own form, under the name that the compiler gives it.
    pub fn header(&self, input: &Input) -> Step {
        let mut step = self.begin(self.macro_and_header());
        let others = self
            .invocation
            .inputs()
            .any(|input| input.language != Language::Header);
        let only_checked = others && self.invocation.output.is_some();
        step.extend(self.invocation.options(|role| {
            matches!(role, Role::Depend(_) | Role::Stage(_))
                || role == Role::Output && !only_checked
                || role.concerns_compiling()
        }));
        // As gcc does when the output is a program.
        if only_checked {
            step.push("-fsyntax-only".into());
        }
        step.extend(input.words());
        step
    }

    /// The rewritten host text of a source; `names` are those of files beside the output.
    pub fn host_text(
        &self,
        text: &Path,
        form: Option<Form>,
        output: &Path,
        names: &[OsString],
    ) -> Step {
        let wanted = |role: Role| {
            role.concerns_compiling()
                && !matches!(
                    role,
                    Role::Preprocess | Role::PreprocessForm | Role::Modules
                )
        };
        let mut step = self.begin(self.invocation.options(wanted));
        if self.languages().omp && self.host.family() == Family::Gcc {
            // Regions that are left to the host are the host's.
            step.push("-foffload=disable".into());
        }
        step.extend_from_slice(names);
        step.extend(self.trace_words(form, output));
        step.extend(stage_words(form, output));
        step.extend(["-x".into(), "cpp-output".into(), text.into()]);
        step
    }

    /// The generated companion: the user's code generation, none of the user's diagnostics.
    pub fn companion(&self, text: &Path, form: Form, output: &Path) -> Step {
        let mut step = self.begin(self.arithmetic_of_dialect());
        step.extend(self.code_generation());
        step.extend(["-std=gnu11", "-w", "-fopenmp-simd"].map(OsString::from));
        if form == Form::Assembly {
            // Debug information numbers its files, and the host's assembly has numbered its own.
            step.push("-g0".into());
        }
        step.extend(stage_words(Some(form), output));
        step.extend(["-x".into(), "cpp-output".into(), text.into()]);
        step
    }

    /// How this was asked for, for the link.
    pub fn invoked(&self) -> Invoked {
        let lossy = |word: &OsString| word.to_string_lossy().into_owned();
        let compiler: Vec<String> = self.host.words().iter().map(lossy).collect();
        Invoked {
            compiler: compiler.join(" "),
            words: self.invocation.words.iter().map(lossy).collect(),
        }
    }

    /// The only link option that says which linker to use.
    pub(super) fn linker_choice(&self) -> Vec<OsString> {
        let words = self.invocation.options(|role| role == Role::Link);
        words
            .into_iter()
            .filter(|word| word.as_encoded_bytes().starts_with(b"-fuse-ld="))
            .collect()
    }

    /// Where the compiler looks for files that a Fortran source includes.
    pub fn include_folders(&self) -> Vec<PathBuf> {
        let words = self.invocation.options(|role| role == Role::Preprocess);
        let mut folders = Vec::new();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_encoded_bytes().strip_prefix(b"-I") {
                Some(b"") => folders.extend(words.next().map(PathBuf::from)),
                Some(joined) => folders.push(PathBuf::from(OsStr::from_bytes(joined))),
                None => {}
            }
        }
        folders
    }

    /// The languages whose directives are compiled.
    pub fn family(&self) -> Family {
        self.host.family()
    }

    pub fn languages(&self) -> Languages {
        self.invocation.languages()
    }

    /// Options that the reader of the text needs to see it as the user's compiler does.
    pub fn reader_options(&self) -> Vec<OsString> {
        self.all_options(Role::concerns_reading)
    }

    /// How code for GPUs is made; `None` for no code.
    pub fn gpu(&self) -> Option<Settings> {
        let wanted = |role: Role| role == Role::Dialect || role.concerns_code();
        self.invocation.gpu.settings(&self.all_options(wanted))
    }

    /// Whether somebody will be told lines: a debugger, a sanitizer's report, or the reader of a report on optimisations.
    pub fn shows_places(&self) -> bool {
        let reports = ["-fsanitize", "-fopt-info", "-fsave-optimization-record"];
        let mut debug = false;
        let mut reported = false;
        for option in self.all_options(Role::concerns_compiling) {
            match option.as_bytes() {
                b"-g0" => debug = false,
                option if option.starts_with(b"-g") => debug = true,
                option => {
                    reported |= reports
                        .iter()
                        .any(|name| option.starts_with(name.as_bytes()));
                }
            }
        }
        debug || reported
    }

    /// The options that the compiler is named with, and the user's.
    pub(super) fn all_options(&self, wanted: impl Fn(Role) -> bool) -> Vec<OsString> {
        let named = self.named.as_ref().map(|named| named.options(&wanted));
        [named.unwrap_or_default(), self.invocation.options(&wanted)].concat()
    }

    /// gcc rounds every operation to its type when it is asked for ISO C, and does not contract multiplications and
    /// additions. The companion is GNU C and must be told.
    fn arithmetic_of_dialect(&self) -> Vec<OsString> {
        if self.host.family() != Family::Gcc || !self.is_iso() {
            return Vec::new();
        }
        ["-ffp-contract=off", "-fexcess-precision=standard"]
            .map(OsString::from)
            .into()
    }

    pub(super) fn is_iso(&self) -> bool {
        options::is_iso(&self.all_options(|role| role == Role::Dialect))
    }

    /// Whether a report on regions and loops is wanted.
    pub fn explain(&self) -> bool {
        self.invocation.explain
    }

    /// Which warnings are shown.
    pub fn warnings(&self) -> Policy {
        Policy::new(
            self.invocation
                .options(|role| matches!(role, Role::Warning | Role::OwnWarning)),
        )
    }

    /// Whether the preprocessed text and the object stay (`-save-temps`).
    pub fn keeps_intermediates(&self) -> bool {
        let words = self
            .invocation
            .options(|role| role == Role::AuxiliaryOutput);
        words.iter().any(|word| {
            let word = word.as_bytes();
            word.starts_with(b"-save-temps") || word.starts_with(b"--save-temps")
        })
    }

    /// Whether the host code writes files named after the user's output.
    pub fn has_auxiliary_outputs(&self) -> bool {
        let words = self
            .invocation
            .options(|role| role == Role::AuxiliaryOutput);
        // clang names the files of profiles by itself.
        let named_by_clang = |word: &OsString| {
            let word = word.as_encoded_bytes();
            self.host.family() == Family::Clang
                && (word.starts_with(b"-fprofile-generate") || word.starts_with(b"-fprofile-use"))
        };
        !words.iter().all(named_by_clang)
    }

    pub(super) fn begin(&self, words: Vec<OsString>) -> Step {
        [&begin(self.host), &words[..]].concat()
    }

    /// The user's assembly can read files; the companion's cannot.
    fn trace_words(&self, form: Option<Form>, output: &Path) -> Vec<OsString> {
        match (self.trace, form) {
            (Some(trace), Some(Form::Object)) => trace.assembler_words(output),
            (Some(_) | None, _) => Vec::new(),
        }
    }

    /// `_OPENACC` and our header, for text whose directives are wanted.
    fn openacc_words(&self) -> Vec<OsString> {
        let mut words = Vec::new();
        if self.invocation.languages().acc && self.host.family() == Family::Gcc {
            // gcc expands macros in OpenACC pragmas only when it takes the pragmas seriously.
            words.extend(["-fopenacc".into(), "-U_OPENACC".into()]);
        }
        words.extend(self.macro_and_header());
        words
    }

    fn macro_and_header(&self) -> Vec<OsString> {
        if !self.invocation.languages().acc {
            return Vec::new();
        }
        vec![
            format!("-D_OPENACC={OPENACC_VERSION}").into(),
            "-isystem".into(),
            self.include.into(),
        ]
    }

    /// The messages of the preprocessing step are collected; they keep the colours they would have had.
    fn colour(&self) -> Option<OsString> {
        let known = matches!(self.host.family(), Family::Gcc | Family::Clang);
        (known && std::io::stderr().is_terminal()).then(|| "-fdiagnostics-color=always".into())
    }

    fn options_for_preprocessing(&self) -> Vec<OsString> {
        let wanted = |role: Role| {
            role.concerns_compiling()
                && !matches!(
                    role,
                    Role::AuxiliaryOutput | Role::PreprocessForm | Role::Modules
                )
        };
        let mut words = preprocessor_words::without_forms(self.invocation.options(wanted));
        if self
            .named
            .as_ref()
            .is_some_and(|named| named.has(|role| role == Role::Modules))
        {
            words.extend(["-fno-modules", "-fno-implicit-module-maps"].map(OsString::from));
        }
        words
    }

    pub(super) fn code_generation(&self) -> Vec<OsString> {
        self.invocation.options(Role::concerns_code)
    }
}

/// Stage and output; no form means that the text is only checked.
pub(super) fn stage_words(form: Option<Form>, output: &Path) -> Vec<OsString> {
    match form {
        Some(form) => vec![form.option().into(), "-o".into(), output.into()],
        None => vec!["-fsyntax-only".into()],
    }
}
