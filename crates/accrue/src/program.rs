//! The functions and types of a unit: read by clang, and imported as often as devices need.
//!
//! ```text
//! directives and text ──clang──▶ types and bodies of what directives reach ──import──▶ IR, for one kind of devices
//! ```
//! Where clang refuses what it is given, it is given all of the unit, for the messages, and then less of the host's code, piece by piece.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use accrue_abi::symbols::UNIT_DIGITS;
use accrue_diag::{Diagnostic, SourceFiles};
use accrue_directives::Language;
use accrue_directives::omp::selectors;
use accrue_front_c::ast::reader::{self, ReadError};
use accrue_front_c::ast::tree::Ast;
use accrue_front_c::ast::types::Target;
use accrue_front_c::import::{self, Imported, Source, Wanted};
use accrue_front_c::text::carriers::{Carriers, Extent};
use accrue_front_c::text::clang::{self, Rejection};
use accrue_front_c::text::scan;
use accrue_front_c::text::unread::{self, Unread};
use accrue_opt::Target as Device;
use pliron::context::Context;

use crate::digest;

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
        Ok(Err(_)) | Err(_) => read_all(&clang, unit, name, options, Extent::All),
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
    extent: Extent,
) -> Result<Program<'a>, Vec<Diagnostic>> {
    let mut unread: Vec<Unread> = Vec::new();
    for _ in 0..ATTEMPTS {
        let carriers = Carriers::without(unit, &unread, extent);
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
                    extent,
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
    /// The unit's name, as the user wrote it.
    pub fn name(&self) -> &str {
        self.name
    }

    /// The unit's number.
    pub fn number(&self) -> &str {
        &self.number
    }

    /// The functions with directives, and what they call on a device of this kind, as IR.
    ///
    /// # Errors
    /// What is wrong with the program, as somebody finds it who has read all of it.
    pub fn import(&self, ctx: &mut Context, device: Device) -> Result<Imported, Vec<Diagnostic>> {
        self.import_only(ctx, device, Wanted::OfUnit)
    }

    /// The same, of the functions that are wanted.
    pub fn import_only(
        &self,
        ctx: &mut Context,
        device: Device,
        wanted: Wanted<'_>,
    ) -> Result<Imported, Vec<Diagnostic>> {
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
            return read(&unit, self.name, self.options)?.import_more(ctx, device, wanted);
        }
        self.import_more(ctx, device, wanted)
    }

    /// Imports what has been read, or more of the unit where that is not enough.
    fn import_more(
        &self,
        ctx: &mut Context,
        device: Device,
        wanted: Wanted<'_>,
    ) -> Result<Imported, Vec<Diagnostic>> {
        self.import_read(ctx, device, wanted).or_else(|messages| {
            let more = match (self.extent, wanted) {
                // What is wrong with a routine matters to other units, if to any.
                (Extent::Whole, _) | (_, Wanted::Routines(_)) => return Err(messages),
                _ if self.carriers.wants_whole() => Extent::Whole,
                (Extent::Reached, Wanted::OfUnit) => Extent::All,
                (Extent::All, Wanted::OfUnit) => return Err(messages),
            };
            let clang = clang::find().map_err(|message| vec![message])?;
            read_all(&clang, self.unit, self.name, self.options, more)?
                .import_more(ctx, device, wanted)
        })
    }

    fn import_read(
        &self,
        ctx: &mut Context,
        device: Device,
        wanted: Wanted<'_>,
    ) -> Result<Imported, Vec<Diagnostic>> {
        let source = Source {
            unit: self.unit,
            carriers: &self.carriers,
            ast: &self.ast,
            target: target(self.options),
            device: selectors::Device::of_types(device.device_types),
            name: self.name,
            unit_number: Some(&self.number),
            wanted,
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
