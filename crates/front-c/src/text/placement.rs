//! Where a directive may stand: what each kind needs before and behind it.
//!
//! Only what tokens can tell is checked here; the rest (a declaration where a statement must be, a directive in a
//! `struct`) clang says when it reads the carrier text.

use super::sentinel::Sentinel;
use accrue_directives::omp::selectors::Device;
use accrue_directives::{AnyDirective, Diagnostic, DirectiveKind, Language, omp};

/// What a directive applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The statement that follows it.
    Statement,
    /// The `for` loop that follows it.
    Loop,
    /// Nothing: it is a statement itself.
    Standalone,
    /// It is like a declaration.
    Declarative,
}

impl Form {
    /// The form of a kind of directive in C; `None` for those that only Fortran has.
    pub fn of(kind: DirectiveKind) -> Option<Form> {
        match kind {
            DirectiveKind::Parallel
            | DirectiveKind::Serial
            | DirectiveKind::Kernels
            | DirectiveKind::Data
            | DirectiveKind::HostData
            | DirectiveKind::Atomic => Some(Form::Statement),
            DirectiveKind::ParallelLoop
            | DirectiveKind::SerialLoop
            | DirectiveKind::KernelsLoop
            | DirectiveKind::Loop => Some(Form::Loop),
            DirectiveKind::EnterData
            | DirectiveKind::ExitData
            | DirectiveKind::Cache
            | DirectiveKind::Init
            | DirectiveKind::Shutdown
            | DirectiveKind::Set
            | DirectiveKind::Update
            | DirectiveKind::Wait => Some(Form::Standalone),
            DirectiveKind::Declare | DirectiveKind::Routine => Some(Form::Declarative),
            DirectiveKind::EndParallel
            | DirectiveKind::EndSerial
            | DirectiveKind::EndKernels
            | DirectiveKind::EndParallelLoop
            | DirectiveKind::EndSerialLoop
            | DirectiveKind::EndKernelsLoop
            | DirectiveKind::EndData
            | DirectiveKind::EndHostData
            | DirectiveKind::EndLoop
            | DirectiveKind::EndAtomic => None,
        }
    }
}

impl Form {
    /// The form of a directive of OpenMP; `None` for those that are not understood.
    fn of_omp(kind: &omp::DirectiveKind) -> Option<Form> {
        match kind {
            omp::DirectiveKind::Construct(_) if kind.is_loop() => Some(Form::Loop),
            omp::DirectiveKind::Construct(_)
            | omp::DirectiveKind::TargetData
            | omp::DirectiveKind::Atomic
            | omp::DirectiveKind::Inside(
                omp::Inside::Single
                | omp::Inside::Section
                | omp::Inside::Critical
                | omp::Inside::Ordered
                | omp::Inside::Scope
                | omp::Inside::Task
                | omp::Inside::Taskgroup,
            ) => Some(Form::Statement),
            omp::DirectiveKind::TargetEnterData
            | omp::DirectiveKind::TargetExitData
            | omp::DirectiveKind::TargetUpdate
            | omp::DirectiveKind::Inside(
                omp::Inside::Barrier
                | omp::Inside::Taskwait
                | omp::Inside::Taskyield
                | omp::Inside::Flush
                | omp::Inside::Doacross
                | omp::Inside::Scan
                | omp::Inside::Cancel
                | omp::Inside::Nothing
                | omp::Inside::Error,
            ) => Some(Form::Standalone),
            omp::DirectiveKind::DeclareTarget
            | omp::DirectiveKind::DeclareMapper
            | omp::DirectiveKind::DeclareReduction
            | omp::DirectiveKind::DeclareVariant
            | omp::DirectiveKind::Requires => Some(Form::Declarative),
            omp::DirectiveKind::Other => None,
        }
    }
}

/// What stands around a directive.
#[derive(Clone, Debug, Default)]
pub struct Neighbours {
    /// The token before it, other directives passed over.
    pub before: Vec<u8>,
    /// The token behind it, other directives passed over; empty at the end of the file.
    pub after: Vec<u8>,
    /// The offset of that token.
    pub after_offset: Option<usize>,
    /// Whether another directive follows before that token.
    pub directive_follows: bool,
    /// How many braces are open.
    pub depth: usize,
}

/// Whether the directive that follows is a statement by itself or a declaration; judged from its first words, since
/// it may not parse.
pub fn first_word_form(text: &str, sentinel: Sentinel) -> Option<Form> {
    if sentinel == Sentinel::Omp {
        let parsed = omp::parse(text, Language::C).ok()?;
        return Form::of_omp(&parsed.kind);
    }
    let word = text
        .trim_start()
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .next()?;
    match word {
        "enter" | "exit" | "cache" | "init" | "shutdown" | "set" | "update" | "wait" => {
            Some(Form::Standalone)
        }
        "declare" | "routine" => Some(Form::Declarative),
        "loop" => Some(Form::Loop),
        "parallel" | "serial" | "kernels" | "data" | "host_data" | "atomic" => {
            Some(Form::Statement)
        }
        _ => None,
    }
}

/// Checks the place of a directive. `next` is the form of the directive after it.
///
/// # Errors
/// What is wrong with its place.
pub fn check(
    directive: &AnyDirective,
    text: &str,
    around: &Neighbours,
    next: Option<Form>,
) -> Result<Form, Diagnostic> {
    let span = directive.kind_span();
    let name = span.of(text);
    let cited = |message: Diagnostic| match directive {
        AnyDirective::Acc(acc) => message.section(section(acc.kind)),
        AnyDirective::Omp(omp) => message.openmp(omp.kind.section()),
    };
    let form = match directive {
        AnyDirective::Acc(acc) => Form::of(acc.kind).ok_or_else(|| {
            Diagnostic::error(span, format!("there is no `{name}` directive in C"))
                .help("use braces around the region")
        })?,
        AnyDirective::Omp(omp) => Form::of_omp(&omp.kind).ok_or_else(|| {
            if omp::metadirective::is_one(text) {
                let chosen = Device::ALL
                    .map(Some)
                    .into_iter()
                    .chain([None])
                    .find_map(|place| omp::metadirective::choose(text, Language::C, place).err());
                if let Some(problem) = chosen {
                    return problem;
                }
            }
            let message = format!("`{name}` in the region of a `target` is not supported yet");
            cited(Diagnostic::error(span, message))
                .help("move it out of the region, or compile this file without -fopenmp")
        })?,
    };
    if around.depth == 0 && form != Form::Declarative {
        let message = format!("the `{name}` directive cannot stand outside of a function");
        return Err(cited(Diagnostic::error(span, message)));
    }
    let is_routine = directive
        .acc()
        .is_some_and(|acc| acc.kind == DirectiveKind::Routine);
    let in_function = || {
        let message = format!("the `{name}` directive cannot stand in a function");
        cited(Diagnostic::error(span, message))
    };
    let is_requirement = directive
        .omp()
        .is_some_and(|omp| omp.kind == omp::DirectiveKind::Requires);
    if around.depth > 0 && is_requirement {
        return Err(in_function().help("put it in front of the file's first function"));
    }
    let is_variant = directive
        .omp()
        .is_some_and(|omp| omp.kind == omp::DirectiveKind::DeclareVariant);
    if around.depth > 0 && is_variant {
        let message = format!("`{name}` in a function is not supported yet");
        return Err(cited(Diagnostic::error(span, message))
            .help("put it in front of a declaration outside of functions"));
    }
    if around.depth > 0 && is_routine {
        return Err(in_function()
            .help("put it before the function that it is about, or name that function in it"));
    }
    let next = next.filter(|_| around.directive_follows);
    match form {
        Form::Loop if around.directive_follows || around.after != b"for" => {
            Err(cited(Diagnostic::error(
                span,
                format!("the `{name}` directive must be followed by a `for` loop"),
            )))
        }
        Form::Statement
            if matches!(around.after.as_slice(), b"}" | b"%>" | b"")
                || matches!(next, Some(Form::Standalone | Form::Declarative)) =>
        {
            Err(cited(Diagnostic::error(
                span,
                format!("the `{name}` directive must be followed by a statement"),
            )))
        }
        Form::Standalone | Form::Declarative => match body_owner(around) {
            Some(owner) => Err(cited(Diagnostic::error(
                span,
                format!("the `{name}` directive cannot be the whole body of {owner}"),
            ))
            .note("a compiler that ignores directives would take the next statement as the body")
            .help("put braces around the directive")),
            None => Ok(form),
        },
        Form::Statement | Form::Loop => Ok(form),
    }
}

/// What a directive in this place would be the body of.
fn body_owner(around: &Neighbours) -> Option<&'static str> {
    match around.before.as_slice() {
        b")" if around.depth > 0 => Some("an `if`, `for`, `while` or `switch`"),
        b"else" => Some("an `else`"),
        b"do" => Some("a `do`"),
        _ => None,
    }
}

/// The section of OpenACC 3.4 that says where a directive may stand.
fn section(kind: DirectiveKind) -> &'static str {
    match kind {
        DirectiveKind::Parallel | DirectiveKind::EndParallel => "2.5.1",
        DirectiveKind::Serial | DirectiveKind::EndSerial => "2.5.2",
        DirectiveKind::Kernels | DirectiveKind::EndKernels => "2.5.3",
        DirectiveKind::ParallelLoop
        | DirectiveKind::SerialLoop
        | DirectiveKind::KernelsLoop
        | DirectiveKind::EndParallelLoop
        | DirectiveKind::EndSerialLoop
        | DirectiveKind::EndKernelsLoop => "2.11",
        DirectiveKind::Data | DirectiveKind::EndData => "2.6.5",
        DirectiveKind::EnterData | DirectiveKind::ExitData => "2.6.6",
        DirectiveKind::HostData | DirectiveKind::EndHostData => "2.8",
        DirectiveKind::Loop | DirectiveKind::EndLoop => "2.9",
        DirectiveKind::Cache => "2.10",
        DirectiveKind::Atomic | DirectiveKind::EndAtomic => "2.12",
        DirectiveKind::Declare => "2.13",
        DirectiveKind::Init => "2.14.1",
        DirectiveKind::Shutdown => "2.14.2",
        DirectiveKind::Set => "2.14.3",
        DirectiveKind::Update => "2.14.4",
        DirectiveKind::Routine => "2.15.1",
        DirectiveKind::Wait => "2.16.3",
    }
}
