//! A second opinion on OpenCL C: clang must take both texts of every program of `run/` that runs on GPUs.
//!
//! ```text
//! accrue ir --emit=opencl program.c          →   __kernel void accrue_k0_0(…) …     read as OpenCL C 1.2 and as 3.0
//! accrue ir --emit=opencl-cores program.c    →   the same, for CPU cores            with vectors and without
//! ```
//! (one program of eight, in the fixed [`Share`] of the tests). The texts are compiled, not only parsed: what they call must be there.
//! The driver's own compiler sees them where programs run; it is a clang of one version with one set of extensions.

use accrue_tests::{Compiler, Scratch, Share, Source, clang_at_least, run};
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

/// The oldest clang that knows what the texts need without a header of its own.
const CLANG: u32 = 14;

/// The texts, and what devices of each kind build them with.
const TEXTS: [(&str, &[&str]); 2] = [
    ("opencl", &[]),
    (
        "opencl-cores",
        &["-DACCRUE_VECTORS_64=1", "-DACCRUE_VECTORS_32=1"],
    ),
];

/// Versions of the language.
const LANGUAGES: [&str; 2] = ["CL1.2", "CL3.0"];

/// A compilation that takes longer has hung.
const LIMIT: Duration = Duration::from_secs(120);

fn main() -> ExitCode {
    match Share::selected() {
        Ok(share) => accrue_tests::main("run", |sources| trials(sources, share)),
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn trials(mut sources: Vec<Source>, share: Share) -> Vec<Trial> {
    sources.retain(|source| {
        let modes = &source.header.modes;
        let for_gpus = modes.is_empty() || modes.iter().any(|mode| mode.is_opencl());
        for_gpus && share.has_opencl_c_of(&source.name)
    });
    let clang = clang_at_least(CLANG);
    sources
        .into_iter()
        .map(|source| {
            let clang = clang.clone();
            let missing = clang.is_none() || !source.can_be_compiled();
            let name = source.name.clone();
            let test = move || match &clang {
                Some(clang) => test(&source, clang).map_err(Failed::from),
                None => Err("there is no clang".into()),
            };
            Trial::test(name, test).with_ignored_flag(missing)
        })
        .collect()
}

fn test(source: &Source, clang: &str) -> Result<(), String> {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")))?;
    for file in std::iter::once(source.file_name()).chain(source.header.with.iter().cloned()) {
        if !file.ends_with(".c") {
            continue;
        }
        for (form, definitions) in TEXTS {
            let text = text(source, &file, form, &scratch)?;
            if text.trim().is_empty() {
                continue;
            }
            let input = scratch.path().join(format!("{form}.cl"));
            fs::write(&input, text).map_err(|e| format!("{}: {e}", input.display()))?;
            for language in LANGUAGES {
                compile(clang, &input, (language, definitions), &scratch)?;
            }
        }
    }
    Ok(())
}

/// The text of one file of a program, in one form.
fn text(source: &Source, file: &str, form: &str, scratch: &Scratch) -> Result<String, String> {
    let mut arguments = vec!["-O2".to_owned()];
    arguments.extend(source.header.cflags.iter().cloned());
    arguments.extend(source.header.options.iter().cloned());
    arguments.push(file.to_owned());
    let compiler = Compiler::find_for(&source.header)?;
    let said = compiler.opencl_c(form, source.directory(), &arguments, scratch.path())?;
    match said.status {
        0 => Ok(said.stdout),
        status => Err(format!("accrue ir: status {status}\n{}", said.stderr)),
    }
}

fn compile(
    clang: &str,
    input: &Path,
    (language, definitions): (&str, &[&str]),
    scratch: &Scratch,
) -> Result<(), String> {
    let mut command = Command::new(clang);
    command
        .args(["-x", "cl", &format!("-cl-std={language}")])
        .args(["-target", "spir64-unknown-unknown"])
        .args(["-Xclang", "-finclude-default-header"])
        .args(["-Werror=implicit-function-declaration", "-w"])
        .args(definitions)
        .args(["-O0", "-emit-llvm", "-c", "-o", "/dev/null"])
        .arg(input);
    let said = run(&mut command, scratch.path(), LIMIT)?;
    match said.status {
        0 => Ok(()),
        status => Err(format!(
            "{clang} -cl-std={language} {}: status {status}\n{}",
            input.display(),
            said.stderr
        )),
    }
}
