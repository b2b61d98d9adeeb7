//! IR text to PTX text, and the PTX text through NVIDIA's assembler.
//!
//! `print/NAME.ir` is the input: `core` and `simt` operations, with abbreviations of types (see [`support`]).
//! `print/NAME.ptx` is the expected text for sm_70, with the reasons why kernels were skipped as comments behind it. A
//! comment `// options: debug contract fast_math` sets these. All texts are assembled for all GPUs if `ptxas` is found
//! (`ACCRUE_PTXAS`, or in `PATH`). An input that starts with `// assemble only` has no expected text. `ACCRUE_BLESS=1`
//! writes expectations.
//!
//! `printf.ir` has calls of `printf`, `printf.out` what the library of the GPU's target makes of them.

mod support;

use accrue_back_ptx::{Policy, target};
use pliron::{context::Context, op::Op, printable::Printable};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use support::{expanded, inputs, parse, ptx_of};

/// GPUs and the version of PTX that is made for them.
const GPUS: [(u32, (u32, u32)); 5] = [
    (60, (7, 0)),
    (70, (7, 0)),
    (80, (7, 0)),
    (90, (7, 8)),
    (100, (8, 6)),
];

/// Compares with the file, or writes it.
fn expect(path: &Path, got: &str) {
    if std::env::var_os("ACCRUE_BLESS").is_some() {
        fs::write(path, got).expect("bless");
        return;
    }
    let wanted = fs::read_to_string(path).unwrap_or_default();
    assert!(wanted == got, "{} differs; got:\n{got}", path.display());
}

#[test]
fn text() {
    let inputs = inputs();
    assert!(!inputs.is_empty());
    for input in inputs {
        eprintln!("{}", input.display());
        let source = fs::read_to_string(&input).expect("input");
        if source.starts_with("// assemble only") {
            continue;
        }
        expect(&input.with_extension("ptx"), &ptx_of(&source, 70, (7, 0)));
    }
}

#[test]
fn assembles() {
    let ptxas = std::env::var_os("ACCRUE_PTXAS").unwrap_or_else(|| "ptxas".into());
    if Command::new(&ptxas).arg("--version").output().is_err() {
        eprintln!("no ptxas: nothing is assembled");
        return;
    }
    let scratch = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("back-ptx-assembles");
    fs::create_dir_all(&scratch).expect("scratch");
    for input in inputs() {
        let source = fs::read_to_string(&input).expect("input");
        let stem = input.file_stem().expect("a name").to_string_lossy();
        for (sm, version) in GPUS {
            let file = scratch.join(format!("{stem}-{sm}.ptx"));
            let text = ptx_of(&source, sm, version);
            let complete =
                !source.starts_with("// assemble only") || text.trim_end().ends_with('}');
            assert!(complete, "a kernel was skipped:\n{text}");
            fs::write(&file, text).expect("write");
            let out = Command::new(&ptxas)
                .arg(format!("-arch=sm_{sm}"))
                .arg(&file)
                .arg("-o")
                .arg(file.with_extension("cubin"))
                .output()
                .expect("ptxas");
            assert!(
                out.status.success(),
                "{}:\n{}{}",
                file.display(),
                String::from_utf8_lossy(&out.stdout),
                String::from_utf8_lossy(&out.stderr)
            );
        }
    }
}

#[test]
fn printf() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let source = fs::read_to_string(folder.join("printf.ir")).expect("input");
    let ctx = &mut Context::new();
    let module = parse(ctx, &source);
    let (_, sites) = expanded(ctx, module);
    let all = accrue_simt::expand(ctx, module, &sites, &target(80), Policy::default());
    let all = all.expect("kernels");
    let text = module.get_operation().disp(ctx).to_string();
    let words = ["builtin.func", "core.string", "core.cast", "core.call"];
    let interesting = |line: &&str| words.iter().any(|word| line.contains(word));
    let lines = text.lines().map(str::trim).filter(interesting);
    let line = |line: &str| line.split(" : ").next().unwrap_or_default().to_string() + "\n";
    let mut got: String = lines.map(line).collect();
    for skipped in &all.skipped {
        got += &format!("skipped {}: {}\n", skipped.function, skipped.reason);
    }
    expect(&folder.join("printf.out"), &got);
}
