//! IR text to C text, and the C text run.
//!
//! `data/NAME.ir` is the input (with abbreviations of types, see [`shorthand`]), `data/NAME.c` the expected C text (not
//! for inputs that start with `// run only`),
//! `data/NAME.driver.c` a main program that the text is compiled with (gcc and clang, no warnings allowed), and
//! `data/NAME.out` what it prints. `data/NAME.error` is the expected diagnostic instead. `ACCRUE_BLESS=1` writes expectations.

#[path = "../../dialects/tests/support/shorthand.rs"]
mod shorthand;

use accrue_back_cpu::{emit, layout};
use accrue_dialects as _;
use accrue_dialects::{core::pointee_of, par::kernel_of};
use accrue_hostcall::{Action, ClauseSize, Kernel, Site, SiteKind, SiteVar, VarFlags, WordSource};
use accrue_image::print::{Companion, companion};
use accrue_ir::{verify::verify, walk::nested};
use pliron::{
    builtin::{
        op_interfaces::SymbolOpInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::Context,
    irfmt::parsers::spaced,
    op::Op,
    operation::Operation,
    parsable::parse_from_str,
    printable::Printable,
    r#type::Typed,
};
use shorthand::long_types;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// One site with all kernels of the module; pointers are mapped variables, everything else goes by value.
fn sites(ctx: &Context, module: ModuleOp) -> Vec<Site> {
    let records = layout::records(ctx, module);
    let mut sites = vec![];
    for func in nested::<FuncOp>(ctx, module.get_operation()) {
        let Some(kernel) = kernel_of(ctx, &func) else {
            continue;
        };
        let args: Vec<_> = func.get_entry_block(ctx).deref(ctx).arguments().collect();
        let var = |(i, arg): (usize, pliron::value::Value)| {
            let ty = arg.get_type(ctx);
            let mapped = pointee_of(ctx, ty).is_some();
            SiteVar {
                limited: None,
                reach: None,
                pointers: vec![],
                name: format!("arg{i}"),
                action: if mapped { Action::Copy } else { Action::Value },
                flags: VarFlags::default(),
                value: None,
                elem_size: layout::extent(ctx, &records, ty)
                    .expect("argument size")
                    .size,
                dims: vec![],
                stepped: vec![],
                source: WordSource::Variable {
                    name: String::new(),
                },
                line: 1,
                column: 1,
            }
        };
        let name = func.get_symbol_name(ctx).to_string();
        sites.push(Site {
            directive: kernel.site,
            kind: SiteKind::Parallel,
            function: "main".to_string(),
            line: 1,
            column: 1,
            finalize: false,
            if_present: false,
            default_present: false,
            openmp: false,
            call: accrue_hostcall::Call::default(),
            vars: args.into_iter().enumerate().map(var).collect(),
            rounds: vec![],
            kernels: vec![Kernel {
                function: name,
                line: 1,
                gang_loop: kernel.gang_loop,
                single_gang: kernel.single_gang,
                gang_dims: [false; 3],
                num_gangs: ClauseSize::Absent,
                num_workers: ClauseSize::Absent,
                vector_length: ClauseSize::Absent,
                ..Kernel::default()
            }],
        });
    }
    sites
}

/// The C text or the diagnostics.
fn run_emit(source: &str) -> Result<String, String> {
    let ctx = &mut Context::new();
    let text = long_types(source);
    let op = parse_from_str(spaced(Operation::top_level_parser()), ctx, &text)
        .unwrap_or_else(|e| panic!("{}\n{text}", e.disp(ctx)));
    if let Err(e) = verify(op, ctx) {
        panic!("{}", e.disp(ctx));
    }
    let module = Operation::get_op::<ModuleOp>(op, ctx).expect("a module");
    let sites = sites(ctx, module);
    let result = emit(ctx, module, &sites, false);
    if let Err(e) = verify(op, ctx) {
        panic!("after expansion: {}\n{}", e.disp(ctx), op.disp(ctx));
    }
    match result {
        Ok(c) => Ok(c.text),
        Err(errors) => Err(errors.iter().map(|e| format!("{}\n", e.message)).collect()),
    }
}

/// Compares with the file, or writes it.
fn expect(path: &Path, got: &str) {
    if std::env::var_os("ACCRUE_BLESS").is_some() {
        fs::write(path, got).expect("bless");
        return;
    }
    let wanted = fs::read_to_string(path).unwrap_or_default();
    assert!(wanted == got, "{} differs; got:\n{got}", path.display());
}

fn inputs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut found: Vec<_> = fs::read_dir(folder)
        .expect("data")
        .map(|e| e.expect("entry").path())
        .collect();
    found.retain(|p| p.extension().is_some_and(|e| e == "ir"));
    found.sort();
    let only = std::env::var("ONLY").unwrap_or_default();
    found.retain(|p| p.to_string_lossy().contains(&only));
    found
}

#[test]
fn text() {
    let inputs = inputs();
    assert!(!inputs.is_empty());
    for input in inputs {
        eprintln!("{}", input.display());
        let source = fs::read_to_string(&input).expect("input");
        if source.starts_with("// run only") {
            continue;
        }
        match run_emit(&source) {
            Ok(text) => expect(&input.with_extension("c"), &text),
            Err(errors) => expect(&input.with_extension("error"), &errors),
        }
    }
}

#[test]
fn runs() {
    let scratch = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("back-cpu-runs");
    fs::create_dir_all(&scratch).expect("scratch");
    for input in inputs() {
        let driver = input.with_extension("driver.c");
        if !driver.exists() {
            continue;
        }
        let kernels = run_emit(&fs::read_to_string(&input).expect("input")).expect("C text");
        let tables = companion(&Companion {
            prefix: "accrue_site",
            source: "test",
            kernels: &kernels,
            codes: &[],
            opencl: None,
            opencl_cores: None,
            sites: &[],
        });
        let program = format!(
            "{tables}\n{RUNTIME}\n{}",
            fs::read_to_string(&driver).expect("driver")
        );
        let stem = input
            .file_stem()
            .expect("name")
            .to_string_lossy()
            .to_string();
        let file = scratch.join(format!("{stem}.c"));
        fs::write(&file, program).expect("write");
        let mut outputs = vec![];
        for (cc, optimise) in [("gcc", "-O3"), ("gcc", "-O0"), ("clang", "-O2")] {
            if cc == "clang"
                && fs::read_to_string(&driver)
                    .expect("driver")
                    .starts_with("/* gcc only")
            {
                continue;
            }
            let exe = scratch.join(format!("{stem}-{cc}{optimise}"));
            let flags = [
                optimise,
                "-march=native",
                "-fopenmp-simd",
                "-Wall",
                "-Wextra",
                "-Werror",
                // Pragmas for the other compiler.
                "-Wno-unknown-pragmas",
                "-Wno-unused-function",
                "-Wno-unused-variable",
                "-Wno-unused-parameter",
                "-Wno-unused-value",
                "-Wno-unused-but-set-variable",
            ];
            let out = Command::new(cc)
                .args(flags)
                .arg(&file)
                .arg("-o")
                .arg(&exe)
                .arg("-lm")
                .output()
                .expect("a C compiler");
            assert!(
                out.status.success(),
                "{cc} {stem}:\n{}",
                String::from_utf8_lossy(&out.stderr)
            );
            let run = Command::new("timeout")
                .arg("20")
                .arg(&exe)
                .output()
                .expect("run");
            assert!(
                run.status.success(),
                "{cc} {optimise} {stem}: {}",
                run.status
            );
            outputs.push(String::from_utf8_lossy(&run.stdout).to_string());
        }
        for output in outputs {
            expect(&input.with_extension("out"), &output);
        }
    }
}

/// A runtime of one thread: registration does nothing, `launch` runs the gangs in order.
const RUNTIME: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void __accrue_register_image(struct accrue_image *i) { (void)i; }
void __accrue_unregister_image(struct accrue_image *i) { (void)i; }
static void launch(void (*k)(const struct accrue_cpu_launch *, unsigned long long),
                   void (*finish)(const struct accrue_cpu_launch *), const unsigned long long *args, int gangs)
{
    char *slots = aligned_alloc(128, 4096 * gangs);
    memset(slots, 0xa5, 4096 * gangs);
    struct accrue_cpu_launch l = { args, { gangs, 1, 1 }, 1, 1, slots, 4096 };
    for (int g = gangs - 1; g >= 0; --g) k(&l, g);
    if (finish) finish(&l);
    free(slots);
}
static unsigned long long bits(double x) { unsigned long long u; memcpy(&u, &x, 8); return u; }
#define P(p) (unsigned long long)(p)
"#;
