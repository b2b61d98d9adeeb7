//! One translation unit: from preprocessed C to host text and companion.
//!
//! ```text
//! preprocessed text ──▶ directives? ── none ──▶ Unit::Plain      the user's compiler alone compiles the source
//!                           │
//!                           └── some ──▶ Unit::Offload            host text:  the user's text, regions behind launches
//!                                                                 companion:  kernels, site tables, registration
//! ```
//!
//! The functions are the steps: [`fn@scan`] finds the directives, [`read`] reads the types and bodies of functions,
//! [`Program::import`] makes IR of the functions that have directives: once for CPU cores, once for GPUs.
//! [`Input::compile`] is all of them.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use accrue_abi::symbols::UNIT_DIGITS;
use accrue_back_cpu::CpuText;
use accrue_diag::{Diagnostic, SourceFiles, has_errors};
use accrue_directives::Language;
use accrue_directives::omp::selectors;
use accrue_front_c::ast::reader::{self, ReadError};
use accrue_front_c::ast::tree::Ast;
use accrue_front_c::ast::types::Target;
use accrue_front_c::import::{self, Imported, Source};
use accrue_front_c::text::carriers::{Carriers, Extent};
use accrue_front_c::text::clang::{self, Rejection};
use accrue_front_c::text::host::{Additions, Assertion};
use accrue_front_c::text::scan;
use accrue_front_c::text::sentinel::Languages;
use accrue_front_c::text::shadows::Renamed;
use accrue_front_c::text::unread::{self, Unread};
use accrue_hostcall::{Form, Site, Stretches};
use accrue_opt::{Remark, Switch, Target as Device};
use pliron::context::Context;

use crate::companion;
use crate::digest;
use crate::explain;
use crate::gpu::{self, Code, Machine, Settings};
use crate::opencl;
use crate::process::Runner;
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
}

/// What became of the unit.
pub enum Unit {
    /// There is no directive in it.
    Plain,
    /// Two texts, to be compiled and joined.
    Offload {
        /// Preprocessed C for the user's compiler.
        host_text: PathBuf,
        /// C of the kernels and tables, self-contained.
        companion: PathBuf,
        /// Rendered warnings and, if it is wanted, the report; may be empty.
        messages: String,
    },
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
    if scanned.directives.is_empty() {
        return Ok(Unit::Plain);
    }
    let input = Input {
        name: &name,
        unit: &scanned,
        options: request.options,
        places: request.places,
        gpu: request.gpu.as_ref(),
    };
    let mut compiled = input.compile()?;
    let named = request.warnings.named(compiled.warnings.clone());
    if has_errors(&named) {
        return Err(named);
    }
    if let Some(settings) = &request.gpu {
        let folder = request.companion.with_extension("");
        compiled.code.machine = machine_code(settings, &compiled.code, &folder, request.runner)?;
    }
    let report = match request.explain {
        true => explain::during_compilation(&input, &compiled),
        false => String::new(),
    };
    let Compiled {
        sites,
        kernels,
        code,
        opencl,
        assertions,
        stretches,
        renamed,
        ..
    } = compiled;
    let texts = companion::texts(
        request.source,
        &scanned,
        &sites,
        &kernels,
        (&code, &opencl),
        &Additions {
            assertions: &assertions,
            stretches: Some(&stretches),
            renamed: &renamed,
        },
    )?;
    let unnamed = [scanned.warnings, code.warnings].concat();
    let warnings = [request.warnings.unnamed(unnamed), named].concat();
    write(&request.host_text, &texts.host)?;
    write(&request.companion, texts.companion.as_bytes())?;
    Ok(Unit::Offload {
        host_text: request.host_text,
        companion: request.companion,
        messages: render(&warnings, files) + &report,
    })
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
    pub sites: Vec<Site>,
    /// What the lowering for CPU cores has to say.
    pub remarks: Vec<Remark>,
    /// What both lowerings warn of.
    pub warnings: Vec<Diagnostic>,
    pub kernels: CpuText,
    pub code: Code,
    pub opencl: opencl::Code,
    /// What they take for granted of the host's compiler.
    pub assertions: Vec<Assertion>,
    /// Where the host waits for synchronous constructs that it does not wait for one by one.
    pub stretches: Stretches,
    /// Names that mean something else in the host's text than the user's declarations.
    pub renamed: Vec<Renamed>,
}

impl Input<'_> {
    pub fn compile(&self) -> Result<Compiled, Vec<Diagnostic>> {
        let program = read(self.unit, self.name, self.options)?;
        let mut ctx = Context::new();
        let Imported {
            module,
            assertions,
            renamed,
        } = program.import(&mut ctx, Device::CPU)?;
        let mut lowered =
            accrue_pipeline::lower(&mut ctx, module, &accrue_pipeline::Options::default())?;
        let kernels = accrue_back_cpu::emit(&mut ctx, module, &lowered.sites, self.places)?;
        for kernel in lowered.sites.iter_mut().flat_map(|s| &mut s.kernels) {
            let form = kernels.forms.get(&kernel.function);
            kernel.forms.extend(form.cloned().map(Form::Cpu));
        }
        let put_off = self.gpu.is_some_and(|gpu| !gpu.off.is_off(Switch::Waits));
        let stretches = match put_off {
            true => std::mem::take(&mut lowered.stretches),
            false => Stretches::default(),
        };
        let code = match self.gpu {
            Some(settings) => {
                let import =
                    |ctx: &mut Context| program.import(ctx, Device::NVIDIA).map(|unit| unit.module);
                gpu::generate(import, self.name, settings, &mut lowered.sites)?
            }
            None => Code::default(),
        };
        let opencl = match self.gpu.filter(|settings| settings.opencl) {
            Some(settings) => {
                let import =
                    |ctx: &mut Context| program.import(ctx, Device::OPENCL).map(|unit| unit.module);
                opencl::generate(import, settings, &mut lowered.sites)?
            }
            None => opencl::Code::default(),
        };
        let mut warnings = lowered.warnings;
        for warning in &code.lowering_warnings {
            if !warnings.contains(warning) {
                warnings.push(warning.clone());
            }
        }
        Ok(Compiled {
            sites: lowered.sites,
            stretches,
            remarks: lowered.remarks,
            warnings,
            kernels,
            code,
            opencl,
            assertions,
            renamed,
        })
    }
}

/// The machine code that the user asks for, made in a new `folder`.
fn machine_code(
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

/// The number of a unit: it depends on the unit's name and text alone, so that a build can be repeated. Two objects made of the
/// same text could not be linked together anyway unless all they define is static.
pub fn number(name: &Path, text: &[u8]) -> String {
    let path = std::path::absolute(name).unwrap_or_else(|_| name.to_path_buf());
    let digest = digest::of_parts([path.as_os_str().as_bytes(), text]);
    digest.chars().take(UNIT_DIGITS).collect()
}

/// A unit whose types and functions are known.
pub struct Program<'a> {
    number: String,
    unit: &'a scan::Unit,
    name: &'a str,
    options: &'a [OsString],
    carriers: Carriers,
    ast: Ast,
    /// What clang said about code that was left out.
    unread: Vec<Diagnostic>,
    extent: Extent,
}

/// How often clang may run: each time it is given less of the host code.
const ATTEMPTS: usize = 12;

/// Has the unit read by clang: what directives reach, and if anything is wrong with that, all but the host code that clang
/// cannot read, for the messages that all of it gives.
pub fn read<'a>(
    unit: &'a scan::Unit,
    name: &'a str,
    options: &'a [OsString],
) -> Result<Program<'a>, Vec<Diagnostic>> {
    let clang = clang::find().map_err(|message| vec![message])?;
    let carriers = Carriers::without(unit, &[], Extent::Reached);
    match run(&clang, options, unit, &carriers) {
        Ok(Ok(ast)) => Ok(Program {
            number: number(Path::new(name), &unit.text),
            unit,
            name,
            options,
            carriers,
            ast,
            unread: Vec::new(),
            extent: Extent::Reached,
        }),
        Ok(Err(_)) | Err(_) => read_all(&clang, unit, name, options),
    }
}

fn run(
    clang: &Path,
    options: &[OsString],
    unit: &scan::Unit,
    carriers: &Carriers,
) -> Result<Result<Ast, ReadError>, Rejection> {
    let gives_up = |ast: &Result<Ast, ReadError>| ast.as_ref().is_err_and(ReadError::gives_up);
    clang::read_ast(clang, options, unit, carriers, reader::read, gives_up)
}

/// Has all of the unit read, without the host code that clang cannot read.
fn read_all<'a>(
    clang: &Path,
    unit: &'a scan::Unit,
    name: &'a str,
    options: &'a [OsString],
) -> Result<Program<'a>, Vec<Diagnostic>> {
    let mut unread: Vec<Unread> = Vec::new();
    for _ in 0..ATTEMPTS {
        let carriers = Carriers::without(unit, &unread, Extent::All);
        let rejection = match run(clang, options, unit, &carriers) {
            Ok(Ok(ast)) => {
                return Ok(Program {
                    number: number(Path::new(name), &unit.text),
                    unit,
                    name,
                    options,
                    carriers,
                    ast,
                    unread: said_by(clang, unread.into_iter().map(|it| it.message)),
                    extent: Extent::All,
                });
            }
            Ok(Err(error)) => cannot_read(&error, unit, &carriers),
            Err(rejection) => rejection,
        };
        let found = rejection.messages.iter().zip(&rejection.offsets);
        let before = unread.len();
        let mut complete = true;
        for (message, offset) in found {
            let known = |it: &Unread| offset.is_some_and(|offset| it.range.contains(&offset));
            if unread[before..].iter().any(known) {
                continue;
            }
            let more = offset.and_then(|at| unread::leave_out(unit, at, message, &unread));
            complete &= more.is_some();
            unread.extend(more);
        }
        if !complete || unread.len() == before {
            unread.truncate(before);
            let host = rejection.offsets.iter().any(Option::is_some);
            let causes = said_by(clang, unread.into_iter().map(|it| it.message));
            let messages = match host {
                true => said_by(clang, rejection.messages.into_iter()),
                false => rejection.messages,
            };
            return Err([causes, messages].concat());
        }
    }
    Err(said_by(clang, unread.into_iter().map(|it| it.message)))
}

/// The messages, with a note on who says so.
fn said_by(clang: &Path, messages: impl ExactSizeIterator<Item = Diagnostic>) -> Vec<Diagnostic> {
    if messages.len() == 0 {
        return Vec::new();
    }
    let version = clang::version(clang);
    let note = format!(
        "{version} says this, which reads what regions need; your compiler has not seen the code yet"
    );
    messages
        .map(|message| {
            message
                .note(&note)
                .help("keep it out of the functions and types that regions use")
        })
        .collect()
}

/// A tree that cannot be read, as something that clang found wrong.
fn cannot_read(error: &ReadError, unit: &scan::Unit, carriers: &Carriers) -> Rejection {
    let message = Diagnostic::error(error.to_string());
    let ReadError::TooDeep { offset } = error else {
        return Rejection::from(message);
    };
    let at = carriers.to_preprocessed(*offset as usize);
    let message = message.help("split it into several statements");
    Rejection {
        messages: vec![unit.locate(message, at..at + 1)],
        offsets: vec![Some(at)],
    }
}

impl Program<'_> {
    /// The functions with directives, and what they call on a device of this kind, as IR.
    ///
    /// # Errors
    /// What is wrong with the program, as somebody finds it who has read all of it.
    pub fn import(&self, ctx: &mut Context, device: Device) -> Result<Imported, Vec<Diagnostic>> {
        let kind = selectors::Device::of_types(device.device_types);
        if self.unit.depends_on_device && kind != selectors::Device::Cores {
            let scan::Unit {
                text, languages, ..
            } = self.unit;
            let files = SourceFiles::default();
            let unit = scan::scan_for(
                kind,
                text.clone(),
                Language::C,
                *languages,
                self.name,
                &files,
            )?;
            return read(&unit, self.name, self.options)?.import_read(ctx, device);
        }
        self.import_read(ctx, device)
            .or_else(|messages| match self.extent {
                Extent::All => Err(messages),
                Extent::Reached => {
                    let clang = clang::find().map_err(|message| vec![message])?;
                    read_all(&clang, self.unit, self.name, self.options)?.import_read(ctx, device)
                }
            })
    }

    fn import_read(&self, ctx: &mut Context, device: Device) -> Result<Imported, Vec<Diagnostic>> {
        let source = Source {
            unit: self.unit,
            carriers: &self.carriers,
            ast: &self.ast,
            target: target(self.options),
            device: selectors::Device::of_types(device.device_types),
            name: self.name,
            unit_number: Some(&self.number),
        };
        // What is missing in a region may be what was left out.
        import::import(ctx, source).map_err(|messages| [self.unread.clone(), messages].concat())
    }
}

/// The machine, with what options change of it.
fn target(options: &[OsString]) -> Target {
    let mut target = Target::host();
    for option in options {
        match option.as_encoded_bytes() {
            b"-fsigned-char" | b"-fno-unsigned-char" => target.char_is_signed = true,
            b"-funsigned-char" | b"-fno-signed-char" => target.char_is_signed = false,
            b"-fshort-enums" => target.short_enums = true,
            b"-fno-short-enums" => target.short_enums = false,
            b"-fstrict-aliasing" => target.strict_aliasing = true,
            b"-fno-strict-aliasing" => target.strict_aliasing = false,
            _ => {}
        }
    }
    target
}
