//! One translation unit: from preprocessed C to host text and companion.
//!
//! ```text
//! preprocessed text ──▶ directives? ── none ──▶ Unit::Plain      the user's compiler alone compiles the source
//!                           │
//!                           └── some ──▶ Unit::Offload            host text:  the user's text, regions behind launches
//!                                                                 companion:  kernels, site tables, registration
//! ```
//!
//! The steps: [`fn@scan`] finds the directives, [`program::read`] reads the types and bodies of functions and makes IR of those that
//! have directives, once for CPU cores and once for GPUs, and [`kernels::make`] makes kernels of that. [`Input::compile`] is all of them.
//! Where regions call other units' routines, the link makes the kernels ([`crate::device_link`]), and there is no companion yet.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use accrue_diag::{Diagnostic, SourceFiles, has_errors};
use accrue_directives::Language;
use accrue_front_c::import::Imported;
use accrue_front_c::text::function_addresses::FunctionAddress;
use accrue_front_c::text::host::{self, Additions, Assertion};
use accrue_front_c::text::scan;
use accrue_front_c::text::sentinel::Languages;
use accrue_front_c::text::shadows::Renamed;
use accrue_opt::Target as Device;
use accrue_pipeline::linked::foreign;
use pliron::context::Context;

use crate::companion;
use crate::device_link::record::Invoked;
use crate::device_link::unit::{Exported, HalfMade, RegionsOf, exported, half_make};
use crate::explain;
use crate::gpu::{Code, Machine, Settings};
use crate::kernels::{self, Kernels, Modules};
use crate::process::Runner;
use crate::program;
use crate::ptxas::{self, MachineCode};
use crate::scratch;
use crate::warnings::Policy;

/// What is to be compiled, and how.
pub struct UnitRequest<'a> {
    /// The source as the user named it, for messages.
    pub source: &'a Path,
    /// Its preprocessed text, with line markers.
    pub text: Vec<u8>,
    /// The languages whose directives are compiled.
    pub languages: Languages,
    /// Where the host text goes.
    pub host_text: PathBuf,
    /// Where the companion goes.
    pub companion: PathBuf,
    /// The user's dialect and code generation options (`-std=`, `-m`, `-f`, `--target`), for reading the text as the
    /// user's compiler would.
    pub options: &'a [OsString],
    /// Kernels have the places of their statements in the user's files.
    pub places: bool,
    /// How code for GPUs is made; `None` for no code.
    pub gpu: Option<Settings>,
    /// For NVIDIA's assembler, which leaves files beside the companion.
    pub runner: Runner<'a>,
    /// `-Minfo`: what became of regions and loops is wanted.
    pub explain: bool,
    /// Which warnings are shown.
    pub warnings: Policy,
    /// The command line, for the link.
    pub invoked: Invoked,
}

/// What became of the unit.
pub enum Unit {
    /// There is no directive in it.
    Plain,
    /// Texts, to be compiled and joined.
    Offload(Offloaded),
}

/// What becomes of a unit with directives, or with words that the user's compiler may not know.
pub struct Offloaded {
    /// Preprocessed C for the user's compiler.
    pub host_text: PathBuf,
    /// C of the kernels and tables, self-contained; `None` if the link makes it, or there are none.
    pub companion: Option<PathBuf>,
    /// What the object carries for the link.
    pub record: Option<Vec<u8>>,
    /// Rendered warnings and, if it is wanted, the report; may be empty.
    pub messages: String,
}

/// Rendered error messages, ready to be printed.
#[derive(Debug)]
pub struct Errors(pub String);

/// Compiles the directives of one unit.
pub fn compile_unit(request: UnitRequest) -> Result<Unit, Errors> {
    let files = SourceFiles::default();
    generate(request, &files).map_err(|messages| Errors(render(&messages, &files)))
}

/// The messages as the user sees them.
pub fn render(messages: &[Diagnostic], files: &SourceFiles) -> String {
    accrue_diag::render(messages, files, io::stderr().is_terminal())
}

fn generate(request: UnitRequest, files: &SourceFiles) -> Result<Unit, Vec<Diagnostic>> {
    let name = request.source.to_string_lossy();
    let scanned = scan(&name, request.text, request.languages, files)?;
    if scanned.directives.is_empty() && !scanned.is_for_host {
        return Ok(Unit::Plain);
    }
    if scanned.directives.is_empty() {
        write(&request.host_text, &scanned.text)?;
        return Ok(Unit::Offload(Offloaded {
            host_text: request.host_text,
            companion: None,
            record: None,
            messages: String::new(),
        }));
    }
    let input = Input {
        name: &name,
        unit: &scanned,
        options: request.options,
        places: request.places,
        gpu: request.gpu.as_ref(),
    };
    if scanned.reverse_offload().is_some() {
        input.is_for_host_alone()?;
        let host = host::host_text(&scanned, &[], &Additions::default());
        write(&request.host_text, &host)?;
        return Ok(Unit::Offload(Offloaded {
            host_text: request.host_text,
            companion: None,
            record: None,
            messages: render(&request.warnings.unnamed(scanned.warnings), files),
        }));
    }
    let mut compiled = input.compile()?;
    let found = compiled.made.warnings.iter().cloned();
    let (named, nameless): (Vec<_>, Vec<_>) = found.partition(|it| it.option.is_some());
    let named = request.warnings.named(named);
    if has_errors(&named) {
        return Err(named);
    }
    if let (Some(settings), None) = (&request.gpu, &compiled.half) {
        let folder = request.companion.with_extension("");
        let code = &mut compiled.made.code;
        code.machine = machine_code(settings, code, &folder, request.runner)?;
    }
    let report = match request.explain {
        true => explain::during_compilation(&input, &compiled),
        false => String::new(),
    };
    let Compiled {
        made,
        half,
        assertions,
        renamed,
        routines,
        addresses,
    } = compiled;
    let is_complete = half.is_none();
    let prefix = companion::prefix(request.source, &scanned, is_complete);
    let additions = Additions {
        assertions: &assertions,
        stretches: Some(&made.stretches),
        renamed: &renamed,
        exposed: routines.exposed(),
        addresses: Some(&addresses),
    };
    let host = companion::host_text(&prefix, &scanned, &made.sites, &additions)?;
    write(&request.host_text, &host)?;
    let descriptions = companion::descriptions(&scanned, &made.sites);
    if is_complete {
        let text = companion::companion(&prefix, &name, &descriptions, &made);
        write(&request.companion, text.as_bytes())?;
    }
    let record = routines.record(half.map(|half| RegionsOf {
        half,
        sites: &made.sites,
        prefix,
        descriptions,
        invoked: request.invoked,
    }));
    let unnamed = [scanned.warnings, nameless, made.code.warnings].concat();
    let warnings = [request.warnings.unnamed(unnamed), named].concat();
    Ok(Unit::Offload(Offloaded {
        host_text: request.host_text,
        companion: is_complete.then_some(request.companion),
        record: record.map(|record| record.encoded()),
        messages: render(&warnings, files) + &report,
    }))
}

/// A unit whose directives are known.
pub struct Input<'a> {
    /// The source as the user named it.
    pub name: &'a str,
    pub unit: &'a scan::Unit,
    /// Options for reading the text as the user's compiler would.
    pub options: &'a [OsString],
    /// Kernels have the places of their statements in the user's files.
    pub places: bool,
    /// How code for GPUs is made; `None` for no code.
    pub gpu: Option<&'a Settings>,
}

/// What the directives have become.
pub struct Compiled {
    pub made: Kernels,
    /// The regions call other units' routines: the link makes the kernels, of this.
    pub half: Option<HalfMade>,
    /// What they take for granted of the host's compiler.
    pub assertions: Vec<Assertion>,
    /// Names that mean something else in the host's text than the user's declarations.
    pub renamed: Vec<Renamed>,
    /// What other units may call.
    pub routines: Exported,
    /// The functions whose addresses regions need.
    pub addresses: BTreeSet<FunctionAddress>,
}

impl Input<'_> {
    /// A file whose regions call the host back has nothing but OpenMP's.
    fn is_for_host_alone(&self) -> Result<(), Vec<Diagnostic>> {
        let mut directives = self.unit.directives.iter();
        let Some(other) = directives.find(|it| it.directive.acc().is_some()) else {
            return Ok(());
        };
        let message = "`requires reverse_offload` and directives of OpenACC in one file are not supported yet";
        let message = Diagnostic::error(message).help("put them into files of their own");
        let span = other.directive.kind_span();
        Err(vec![other.source.locate(message.openmp("8.2"), span)])
    }

    pub fn compile(&self) -> Result<Compiled, Vec<Diagnostic>> {
        if let Some(required) = self.unit.reverse_offload() {
            let message = "no region of this file is made for a device: what calls the host back runs on the host";
            let message = Diagnostic::error(message).openmp("8.2");
            let span = required.directive.kind_span();
            return Err(vec![required.source.locate(message, span)]);
        }
        let program = program::read(self.unit, self.name, self.options)?;
        let mut ctx = Context::new();
        let Imported {
            module,
            assertions,
            renamed,
            routines,
            addresses,
        } = program.import(&mut ctx, Device::CPU)?;
        let addresses = RefCell::new(addresses);
        let (made, half) = match foreign(&ctx, module).is_empty() {
            true => {
                let of = |ctx: &mut Context, device| {
                    let imported = program.import(ctx, device)?;
                    addresses.borrow_mut().extend(imported.addresses);
                    Ok(imported.module)
                };
                let modules = Modules {
                    of: &of,
                    after: None,
                };
                let made =
                    kernels::make(&mut ctx, module, &modules, self.name, self.places, self.gpu)?;
                (made, None)
            }
            false => {
                let (made, half) = half_make(&mut ctx, module, &program, self.gpu)?;
                (made, Some(half))
            }
        };
        Ok(Compiled {
            made,
            half,
            assertions,
            renamed,
            routines: exported(&program, &routines, self.gpu),
            addresses: addresses.into_inner(),
        })
    }
}

/// The machine code that the user asks for, made in a new `folder`.
pub fn machine_code(
    settings: &Settings,
    code: &Code,
    folder: &Path,
    runner: Runner,
) -> Result<Vec<MachineCode>, Vec<Diagnostic>> {
    if settings.machine == Machine::None {
        return Ok(vec![]);
    }
    scratch::make_folder(folder)
        .and_then(|()| ptxas::assemble(&settings.machine, &code.variants, folder, runner))
        .map_err(|message| vec![Diagnostic::error(message)])
}

fn write(path: &Path, text: &[u8]) -> Result<(), Vec<Diagnostic>> {
    std::fs::write(path, text).map_err(|error| {
        vec![Diagnostic::error(format!(
            "cannot write {}: {error}",
            path.display()
        ))]
    })
}

/// Finds and checks the directives of a preprocessed text.
pub fn scan(
    name: &str,
    text: Vec<u8>,
    languages: Languages,
    files: &SourceFiles,
) -> Result<scan::Unit, Vec<Diagnostic>> {
    scan::scan(text, Language::C, languages, name, files)
}
