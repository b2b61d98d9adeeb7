//! IR text to OpenCL C, and the text through clang.
//!
//! The inputs are those of `simt` and of the PTX printer; for those that [`EXPECTED`] names, `print/NAME.cl` is the expected text,
//! with the reasons why kernels were skipped as comments behind it. Every text is read by clang as OpenCL C 1.2 and 3.0, and what a
//! device without `double` builds of it as such a device would.
//! `ACCRUE_BLESS=1` writes expectations.

#[path = "../../back-ptx/tests/support/module.rs"]
mod module;

use accrue_back_opencl::{Options, Policy, emit};
use module::{expanded, parse};
use pliron::context::Context;
use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The folders of inputs.
const INPUTS: [&str; 2] = ["../simt/tests/expand", "../back-ptx/tests/print"];

/// A device without numbers of 64 bits.
const NO_DOUBLES: &str = "-cl-std=CL1.2 -Xclang -cl-ext=-cl_khr_fp64";

/// Devices whose texts are read: what every one has, one that prefers vectors, what NVIDIA's compiler is told, and a device with atomic sums of floating-point
/// numbers.
const DEVICES: [&str; 5] = [
    "-cl-std=CL1.2",
    "-cl-std=CL1.2 -DACCRUE_VECTORS_64=1 -DACCRUE_VECTORS_32=1",
    "-cl-std=CL3.0",
    "-cl-std=CL1.2 -target nvptx64-nvidia-nvcl -Dcl_khr_fp64 -Dcl_khr_int64_base_atomics -D__NV_CL_C_VERSION=120 -DACCRUE_NVIDIA=90",
    "-cl-std=CL3.0 -DACCRUE_FLOAT_ATOMICS -Dcl_ext_float_atomics -D__opencl_c_ext_fp32_global_atomic_add \
     -D__opencl_c_ext_fp64_global_atomic_add -D__opencl_c_ext_fp32_local_atomic_add -D__opencl_c_ext_fp64_local_atomic_add",
];

/// Whose texts are compared.
const EXPECTED: [&str; 14] = [
    "atomic_sums",
    "atomics",
    "calls",
    "no_subgroups_gang_slots",
    "no_subgroups_launches",
    "one_lane",
    "routine_worker",
    "scratch",
    "single_mode",
    "atomic_many",
    "builtins",
    "control",
    "records",
    "versions",
];

fn inputs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut found: Vec<_> = fs::read_dir(folder)
        .expect("data")
        .map(|e| e.expect("entry").path())
        .collect();
    found.retain(|p| p.extension().is_some_and(|e| e == "ir"));
    found.sort();
    assert!(!found.is_empty());
    found
}

/// The algorithms of reductions are those that the input names.
fn options(source: &str) -> Options {
    let header = source.lines().next().unwrap_or_default();
    let mut words = header.split_whitespace();
    let named = words.find_map(|word| word.strip_prefix("reduction="));
    let reductions = named.map(|text| Policy::parse(text).expect("a policy"));
    Options {
        reductions: reductions.unwrap_or_default(),
        cores: header.contains("lanes=one"),
        ..Options::default()
    }
}

/// The text, and what was skipped.
fn text_of(source: &str) -> String {
    let ctx = &mut Context::new();
    let module = parse(ctx, source);
    let (_, sites) = expanded(ctx, module);
    let made = match emit(ctx, module, &sites, &options(source)) {
        Ok(made) => made,
        Err(errors) => return errors.iter().map(|e| format!("// {e}\n")).collect(),
    };
    let mut text = made.text;
    for skipped in made.skipped {
        let _ = writeln!(text, "// {}: {}", skipped.function, skipped.reason);
    }
    text
}

/// The head of the unit's text, and its kernels that do not compute with doubles.
fn text_without_doubles(source: &str) -> Option<String> {
    let ctx = &mut Context::new();
    let module = parse(ctx, source);
    let (_, sites) = expanded(ctx, module);
    let made = emit(ctx, module, &sites, &options(source)).ok()?;
    let mut pieces = made.text.split("//@kernel ");
    let mut text = pieces.next()?.to_string();
    let without = |entry: &str| made.forms.values().any(|f| !f.doubles && f.entry == entry);
    for piece in pieces {
        let (entry, kernel) = piece.split_once('\n')?;
        if without(entry.trim_end_matches("_disjoint")) {
            text += kernel;
        }
    }
    Some(text)
}

/// What clang has against a text, if there is a clang.
fn objections(name: &str, text: &str, versions: &[&str]) -> Option<String> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("back-opencl");
    fs::create_dir_all(&folder).expect("scratch");
    let file = folder.join(format!("{name}.cl"));
    fs::write(&file, text).expect("write");
    for version in versions {
        let read = Command::new("clang")
            .args(["-x", "cl", "-fsyntax-only", "-Werror"])
            .args(version.split_whitespace())
            .args(["-Wno-unused-function", "-Wno-parentheses-equality"])
            .args(["-Xclang", "-finclude-default-header"])
            .arg(&file)
            .output();
        let Ok(read) = read else {
            eprintln!("no clang: nothing is read");
            return None;
        };
        if !read.status.success() {
            let messages = String::from_utf8_lossy(&read.stderr);
            return Some(format!("{version}: {messages}"));
        }
    }
    None
}

#[test]
fn text() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/print");
    for name in EXPECTED {
        eprintln!("{name}");
        let mut all = INPUTS.into_iter().flat_map(inputs);
        let input = all.find(|path| path.file_stem().is_some_and(|stem| stem == name));
        let got = text_of(&fs::read_to_string(input.expect("the input")).expect("input"));
        let path = folder.join(name).with_extension("cl");
        if std::env::var_os("ACCRUE_BLESS").is_some() {
            fs::write(&path, got).expect("bless");
            continue;
        }
        let wanted = fs::read_to_string(&path).unwrap_or_default();
        assert!(wanted == got, "{} differs; got:\n{got}", path.display());
    }
}

#[test]
fn clang_reads_it() {
    let (mut kernels, mut wrong) = (0, String::new());
    for folder in INPUTS {
        for input in inputs(folder) {
            let source = fs::read_to_string(&input).expect("input");
            // An operation that only that test knows.
            if source.contains("test.mystery") {
                continue;
            }
            let text = text_of(&source);
            kernels += text.matches("__kernel ").count();
            let name = input.file_stem().expect("a name").to_string_lossy();
            let name = format!("{}-{name}", folder.replace(['/', '.'], "_"));
            let mut objection = objections(&name, &text, &DEVICES);
            if let Some(text) = text_without_doubles(&source) {
                let name = format!("{name}-no-doubles");
                objection = objection.or(objections(&name, &text, &[NO_DOUBLES]));
            }
            if let Some(objection) = objection {
                let _ = writeln!(wrong, "{}: {objection}", input.display());
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(kernels > 40, "only {kernels} kernels");
}
