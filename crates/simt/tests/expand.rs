//! par level to core and simt: expanded IR for each rule.
//!
//! `expand/NAME.ir` is the input, `expand/NAME.out` the expanded module, the kernels with their sizes and where each
//! variable is, or why a kernel was skipped. Types are abbreviated (see [`shorthand`] and [`short_types`]). The first line
//! of an input may say `// workers=4 vector=64` (clauses with constants; `runtime` for other values), `reduction=lock`
//! (as after `-freduction=`), and of the target `subgroup=1`, `reduce=no` and `barriers=group`.
//! `ACCRUE_BLESS=1` writes expectations.

#[path = "../../dialects/tests/support/shorthand.rs"]
mod shorthand;

use accrue_dialects as _;
use accrue_dialects::par::kernel_of;
use accrue_hostcall::{ClauseSize, Kernel, Site, SiteKind};
use accrue_ir::{verify::verify, walk::nested};
use accrue_simt::{
    Policy, Target, expand,
    expanded::Expanded,
    target::{Has, as_it_is},
};
use pliron::{
    builtin::{
        op_interfaces::{NResultsInterface, SymbolOpInterface},
        ops::{FuncOp, ModuleOp},
    },
    context::Context,
    derive::pliron_op,
    irfmt::parsers::spaced,
    op::Op,
    operation::Operation,
    parsable::parse_from_str,
    printable::Printable,
};
use shorthand::long_types;
use std::{fs, path::Path};

/// An operation that nobody knows anything about.
#[pliron_op(
    name = "test.mystery",
    format = "operands(CharSpace(`,`))",
    interfaces = [NResultsInterface<0>],
    verifier = "succ"
)]
pub struct Mystery;
accrue_ir::effects!(unknown: Mystery);

/// The same the other way round.
fn short_types(text: &str) -> String {
    let mut text = text.to_string();
    for width in [1, 8, 16, 32, 64] {
        text = text.replace(&format!("builtin.integer i{width}"), &format!("I{width}"));
    }
    for width in [32, 64] {
        text = text.replace(
            &format!("core.complex <core.float <{width}>>"),
            &format!("C{width}"),
        );
        text = text.replace(&format!("core.float <{width}>"), &format!("F{width}"));
    }
    // From the inside out, until nothing is left.
    loop {
        let before = text.clone();
        text = fold_type(&text, "core.ptr <", ", Generic>", |inner| {
            format!("P{inner}")
        });
        text = fold_type(&text, "core.ptr <", ", Shared>", |inner| {
            format!("shared-P{inner}")
        });
        text = fold_type(&text, "core.ptr <", ", Global>", |inner| {
            format!("global-P{inner}")
        });
        text = fold_type(&text, "core.array <", ">", |inner| {
            format!("A{}", inner.replace(' ', ""))
        });
        if text == before {
            return text;
        }
    }
}

/// Replaces `start` X `end` where X is short already.
fn fold_type(text: &str, start: &str, end: &str, short: impl Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(start) {
        let (before, after) = (&rest[..at], &rest[at + start.len()..]);
        out.push_str(before);
        let inner = after.find(end).map(|n| &after[..n]);
        match inner.filter(|i| !i.contains(['<', '>', ','])) {
            Some(inner) => {
                out.push_str(&short(inner));
                rest = &after[inner.len() + end.len()..];
            }
            None => {
                out.push_str(start);
                rest = after;
            }
        }
    }
    out + rest
}

fn clause(header: &str, name: &str) -> ClauseSize {
    let words = header.split_whitespace();
    match words
        .filter_map(|w| w.split_once('='))
        .find(|(n, _)| *n == name)
    {
        None => ClauseSize::Absent,
        Some((_, value)) => value
            .parse()
            .map_or(ClauseSize::Runtime, ClauseSize::Constant),
    }
}

/// One site with all kernels of the module.
fn site(ctx: &Context, module: ModuleOp, header: &str) -> Site {
    let functions = nested::<FuncOp>(ctx, module.get_operation());
    let kernels = functions.into_iter().filter_map(|f| {
        let kernel = kernel_of(ctx, &f)?;
        Some(Kernel {
            function: f.get_symbol_name(ctx).to_string(),
            line: 1,
            gang_loop: kernel.gang_loop,
            single_gang: kernel.single_gang,
            gang_dims: [false; 3],
            num_workers: clause(header, "workers"),
            vector_length: clause(header, "vector"),
            ..Kernel::default()
        })
    });
    Site {
        directive: 0,
        kind: SiteKind::Parallel,
        function: "main".to_string(),
        line: 1,
        column: 1,
        finalize: false,
        if_present: false,
        default_present: false,
        openmp: false,
        call: accrue_hostcall::Call::default(),
        vars: vec![],
        rounds: vec![],
        kernels: kernels.collect(),
    }
}

fn describe(ctx: &Context, module: ModuleOp, expanded: &Expanded) -> String {
    let mut text = module.get_operation().disp(ctx).to_string();
    let end = text.find("outlined_attributes").unwrap_or(text.len());
    text.truncate(end);
    let lines: Vec<_> = text.lines().map(without_reference).collect();
    let mut text = short_types(&lines.join("\n"));
    for kernel in &expanded.kernels {
        text += &format!(
            "{}: at most {} x {}, scratch {} per gang, {} per worker, {}\n",
            kernel.name,
            kernel.form.max_workers,
            kernel.form.max_vector,
            kernel.form.scratch_gang_bytes,
            kernel.form.scratch_worker_bytes,
            if kernel.form.needs_scratch {
                "needed"
            } else {
                "not needed"
            },
        );
    }
    let variables = expanded.storage.iter().map(|(op, storage)| {
        let variable = op.deref(ctx).get_result(0);
        format!("{}: {storage:?}\n", variable.disp(ctx))
    });
    let mut variables: Vec<_> = variables.collect();
    variables.sort();
    for variable in variables {
        text += &variable;
    }
    for skipped in &expanded.skipped {
        text += &format!("skipped {}: {}\n", skipped.function, skipped.reason);
    }
    text
}

/// Without the reference to the list of positions.
fn without_reference(line: &str) -> &str {
    match line.rfind(" !") {
        Some(at)
            if line[at + 2..]
                .chars()
                .all(|c| c.is_ascii_digit() || c == ';') =>
        {
            &line[..at]
        }
        Some(_) | None => line.strip_suffix(';').unwrap_or(line),
    }
}

fn run(source: &str) -> String {
    let header = source.lines().next().unwrap_or_default();
    let ctx = &mut Context::new();
    let text = long_types(source);
    let op = parse_from_str(spaced(Operation::top_level_parser()), ctx, &text)
        .unwrap_or_else(|e| panic!("{}\n{text}", e.disp(ctx)));
    if let Err(e) = verify(op, ctx) {
        panic!("{}", e.disp(ctx));
    }
    let module = Operation::get_op::<ModuleOp>(op, ctx).expect("a module");
    let site = site(ctx, module, header.trim_start_matches('/'));
    let word = |name: &str| {
        let words = header.split_whitespace();
        words
            .filter_map(|w| w.split_once('='))
            .find(|(n, _)| *n == name)
    };
    let policy = word("reduction").map(|(_, text)| Policy::parse(text).expect("a policy"));
    let number =
        |name, otherwise| word(name).map_or(otherwise, |(_, text)| text.parse().expect("a number"));
    let target = Target {
        devices: "this device",
        pointer_bytes: 8,
        subgroup: number("subgroup", 32),
        subgroup_reduce: match word("reduce").map(|(_, has)| has) {
            Some("no") => Has::No,
            _ => Has::Yes,
        },
        partial_barriers: word("barriers").is_none_or(|(_, of)| of != "group"),
        one_lane: word("lanes").is_some_and(|(_, of)| of == "one"),
        further_launches: word("launches").is_some_and(|(_, of)| of == "further"),
        shared_bytes: 40 * 1024,
        library: as_it_is,
    };
    let expanded = match expand(ctx, module, &[site], &target, policy.unwrap_or_default()) {
        Ok(expanded) => expanded,
        Err(errors) => return errors.iter().map(|e| format!("{e}\n")).collect(),
    };
    if let Err(e) = verify(op, ctx) {
        panic!("after expansion: {}\n{}", e.disp(ctx), op.disp(ctx));
    }
    describe(ctx, module, &expanded)
}

#[test]
fn expanded_ir() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expand");
    let entries = fs::read_dir(folder).expect("data");
    let mut inputs: Vec<_> = entries.map(|e| e.expect("entry").path()).collect();
    inputs.retain(|p| p.extension().is_some_and(|e| e == "ir"));
    inputs.sort();
    assert!(!inputs.is_empty());
    let mut wrong = vec![];
    for input in inputs {
        let got = run(&fs::read_to_string(&input).expect("input"));
        let path = input.with_extension("out");
        if std::env::var_os("ACCRUE_BLESS").is_some() {
            fs::write(&path, &got).expect("bless");
        } else if fs::read_to_string(&path).unwrap_or_default() != got {
            wrong.push(format!("{} differs; got:\n{got}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
