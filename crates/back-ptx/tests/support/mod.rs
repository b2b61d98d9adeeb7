//! What the tests of the printer share: the text of a module, and the modules.

mod module;

pub use module::{expanded, parse};

use accrue_back_ptx::{Options, Policy, select};
use accrue_ir::{
    build::{line_column, location},
    walk::nested_ops,
};
use pliron::{context::Context, op::Op};
use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

/// The PTX text, and what was skipped.
pub fn ptx_of(source: &str, sm: u32, ptx: (u32, u32)) -> String {
    let ctx = &mut Context::new();
    let module = parse(ctx, source);
    let op = module.get_operation();
    let first = source.lines().next().unwrap_or_default();
    let set = |name| first.starts_with("// options:") && first.contains(name);
    let options = Options {
        sm,
        ptx,
        debug: set("debug"),
        contract: set("contract"),
        fast_math: set("fast_math"),
        plain_math: set("plain_math"),
        inline_math: !set("no_inline_math"),
        reductions: Policy::default(),
    };
    if options.debug {
        // What was read from a string belongs to no file.
        for op in nested_ops(ctx, op) {
            let (line, column) = line_column(op.deref(ctx).loc()).expect("a position");
            let place = location(ctx, Path::new("debug.c"), line, column);
            op.deref_mut(ctx).set_loc(place);
        }
    }
    let (expanded, sites) = expanded(ctx, module);
    let result = select::unit(ctx, expanded, &sites, &options).expect("text");
    let mut text = result.text;
    for skipped in result.skipped {
        let _ = writeln!(text, "// {}: {}", skipped.function, skipped.reason);
    }
    text
}

/// The files of the printer's tests.
pub fn inputs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/print");
    let mut found: Vec<_> = fs::read_dir(folder)
        .expect("data")
        .map(|e| e.expect("entry").path())
        .collect();
    found.retain(|p| p.extension().is_some_and(|e| e == "ir"));
    found.sort();
    found
}
