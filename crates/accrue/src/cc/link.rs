//! The link step: the user's command with objects in the place of sources, and the runtime library at its end.

use std::ffi::OsString;
use std::path::PathBuf;

use accrue_abi::openmp::{ROUTINES, linker_option};

use super::arguments::{Invocation, Item, OpenAcc};
use super::commands;
use super::device_link::Companions;
use super::options::Role;
use super::source::Language;
use super::trace::Trace;
use crate::home::{Home, STATIC_LIBRARY};
use crate::host::HostCompiler;
use crate::process::{Failure, Step};

/// What Rust's standard library needs of the system when the runtime is linked statically.
const STATIC_DEPENDENCIES: &[&str] = &["-lpthread", "-ldl", "-lm"];

/// Where the host's compiler makes calls of atomic accesses, those of kernels, too, which the user may not know of.
const ATOMICS_LIBRARY: [&str; 3] = [
    "-Wl,--push-state,--as-needed",
    "-latomic",
    "-Wl,--pop-state",
];

/// Programs with OpenACC ask for the time by OpenMP's routine: gcc links its library with `-fopenacc`. OpenACC's routines, which it has
/// as well, are found in ours first.
const OPENMP_LIBRARY: [&str; 3] = ["-Wl,--push-state,--as-needed", "-lgomp", "-Wl,--pop-state"];

/// `objects` are the compiled sources, in the order of the sources, and `companions` what is missing in inputs. With a `trace` the linker says what it reads.
pub fn command(
    invocation: &Invocation,
    host: &HostCompiler,
    home: &Home,
    (objects, companions): (&[PathBuf], &Companions),
    trace: Option<&Trace>,
) -> Result<Step, Failure> {
    let mut step = commands::begin(host);
    let mut objects = objects.iter();
    for (number, item) in invocation.items.iter().enumerate() {
        match item {
            Item::Input(input) if input.language == Language::LinkerInput => {
                step.push(input.path.clone().into())
            }
            // A header has been compiled, but to no object.
            Item::Input(input) if input.language == Language::Header => drop(objects.next()),
            Item::Input(_) => step.extend(objects.next().map(OsString::from)),
            Item::Option { words, role } if role.concerns_linking() => {
                step.extend_from_slice(words)
            }
            Item::Option { .. } => {}
        }
        step.extend(companions.behind(number).iter().map(OsString::from));
    }
    step.extend(runtime_library(invocation, host, home)?);
    step.extend(trace.iter().flat_map(|trace| trace.linker_words()));
    Ok(step)
}

fn runtime_library(
    invocation: &Invocation,
    host: &HostCompiler,
    home: &Home,
) -> Result<Vec<OsString>, Failure> {
    if invocation.has(|role| matches!(role, Role::LinkWithoutLibraries | Role::LinkRelocatable)) {
        return Ok(Vec::new());
    }
    let is_static = is_static(invocation);
    let folder = match is_static {
        true => home.library()?,
        false => home.library_for_programs()?,
    };
    let mut search = OsString::from("-L");
    search.push(folder);
    let openmp = invocation.has_openmp();
    let mut words = vec![search];
    if makes_calls_of_atomics(invocation) {
        words.extend(ATOMICS_LIBRARY.map(OsString::from));
    }
    words.extend(library_words(invocation.openacc, openmp).map(OsString::from));
    if openmp {
        words.push(openmp_word());
    } else if !is_static && has_openmp_library(host) {
        words.extend(OPENMP_LIBRARY.map(OsString::from));
    }
    if is_static {
        if !folder.join(STATIC_LIBRARY).is_file() {
            return Err(format!(
                "{} is not in {}; `-static` needs it",
                STATIC_LIBRARY,
                folder.display()
            )
            .into());
        }
        words.extend(STATIC_DEPENDENCIES.iter().map(OsString::from));
        if openmp {
            // libgomp.a has OpenACC's routines, too, in files that every program with threads needs. What comes first counts.
            words.push("-Wl,-z,muldefs".into());
        }
    } else {
        // Not `-Wl,`: a directory may have a comma in its name.
        words.extend([
            "-Xlinker".into(),
            "-rpath".into(),
            "-Xlinker".into(),
            folder.into(),
        ]);
    }
    Ok(words)
}

/// Whether the compiler finds GCC's library of OpenMP.
fn has_openmp_library(host: &HostCompiler) -> bool {
    let answer = host.ask(&["-print-file-name=libgomp.so".into()]);
    answer.is_some_and(|path| path.contains('/'))
}

/// The library. A program of OpenMP needs it only if it has regions for devices or calls a routine for them.
fn library_words(openacc: OpenAcc, openmp: bool) -> impl Iterator<Item = &'static str> {
    let only_if_needed = openmp && openacc != OpenAcc::On;
    let before = only_if_needed.then_some("-Wl,--push-state,--as-needed");
    let after = only_if_needed.then_some("-Wl,--pop-state");
    before.into_iter().chain(["-laccrue"]).chain(after)
}

/// Options with which atomic accesses become calls: gcc's, and clang's for what may be aligned badly.
fn makes_calls_of_atomics(invocation: &Invocation) -> bool {
    invocation.items.iter().any(|item| match item {
        Item::Option { words, .. } => words.iter().any(|word| {
            let text = word.to_string_lossy();
            text == "-fno-inline-atomics" || text.starts_with("-fmax-type-align=")
        }),
        Item::Input(_) => false,
    })
}

/// References to OpenMP's device routines are to ours.
fn openmp_word() -> OsString {
    let options = ROUTINES.map(linker_option);
    format!("-Wl,{}", options.join(",")).into()
}

fn is_static(invocation: &Invocation) -> bool {
    invocation.items.iter().any(|item| match item {
        Item::Option { words, .. } => words
            .iter()
            .any(|word| word == "-static" || word == "-static-pie"),
        Item::Input(_) => false,
    })
}
