//! Every pass by itself: IR text in, what the passes say and the IR they leave out.
//!
//! `cases/NAME.ir` starts with lines `// passes: A B …` (the passes after which something is shown; all before them run
//! too), `// show: ir remarks sites kernels results` and perhaps `// targets: cpu gpu lanes`; the rest is IR text. `cases/NAME.out` is the expected result. `ACCRUE_BLESS=1`
//! writes it.

use accrue_dialects as _;
use accrue_opt::{
    State, Target,
    target::{Distribution, Finisher, Gangs},
};
use accrue_pipeline::{PASSES, run_pass};
use pliron::{
    builtin::{given_names::erase_given_names, ops::ModuleOp},
    context::Context,
    irfmt::parsers::spaced,
    location::erase_locations,
    op::Op,
    operation::Operation,
    parsable::parse_from_str,
    printable::Printable,
};
use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

/// Parses IR text into a module.
fn parse(ctx: &mut Context, text: &str) -> ModuleOp {
    let op = parse_from_str(spaced(Operation::top_level_parser()), ctx, text);
    let op = op.unwrap_or_else(|error| panic!("{}", error.disp(ctx)));
    Operation::get_op::<ModuleOp>(op, ctx).expect("a module")
}

/// The values of the header line `// KEY: a b c`.
fn header<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    let lines = text.lines().take_while(|l| l.starts_with("//"));
    let mut values =
        lines.filter_map(|l| l.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(':'));
    values
        .next()
        .map(|v| v.split_whitespace().collect())
        .unwrap_or_default()
}

/// What the passes that `text` asks for do, for each target.
fn results(text: &str) -> String {
    let named = header(text, "targets");
    let results = targets(text).into_iter().map(|target| result(text, target));
    if named.is_empty() {
        return results.collect();
    }
    let titled = named.iter().zip(results);
    titled
        .map(|(name, result)| format!("###### {name}\n{result}"))
        .collect()
}

/// A target that no back end is for: gangs of 16 lanes and little memory, behind a compiler that optimises C.
const LANES: Target = Target {
    name: "lanes",
    beside_host: true,
    device_types: &["radeon"],
    distribution: Distribution::Cyclic,
    gangs: Gangs {
        most_lanes: 16,
        handed_out: true,
    },
    gang_copy_bytes: 48,
    shares_turns: &[],
    shares_divisors: &[],
    divides_integers_by_floats: false,
    vector_types: false,
    has_heap: false,
    tells_apart: false,
    finisher: Finisher {
        knows_independence: false,
        ..Target::CPU.finisher
    },
};

fn targets(text: &str) -> Vec<Target> {
    let named = header(text, "targets");
    let known = || Target::ALL.into_iter().chain([LANES]);
    let target = |name: &&str| {
        let target = known().find(|target| target.name == *name);
        target.unwrap_or_else(|| panic!("unknown target {name}"))
    };
    match named.is_empty() {
        true => vec![Target::CPU],
        false => named.iter().map(target).collect(),
    }
}

fn state(target: Target) -> State {
    State {
        target,
        ..State::default()
    }
}

fn result(text: &str, target: Target) -> String {
    let (shown_after, show) = (header(text, "passes"), header(text, "show"));
    let body: String = text
        .lines()
        .filter(|l| !l.starts_with("//"))
        .map(|l| format!("{l}\n"))
        .collect();
    let mut ctx = Context::new();
    let module = parse(&mut ctx, &body);
    let mut state = state(target);
    let mut out = String::new();
    for pass in PASSES {
        if let Err(diagnostics) = run_pass(&mut ctx, module, pass, &mut state) {
            for d in diagnostics {
                let (line, column) = d.position().map_or((0, 0), |p| (p.line, p.column));
                let section = d.details.section.unwrap_or_default();
                let help = d.details.help.clone().unwrap_or_default();
                writeln!(
                    out,
                    "error after {}: {line}:{column}: {} [{section}] help: {help}",
                    pass.name, d.message
                )
                .expect("a string");
            }
            return out;
        }
        if show.contains(&"remarks") {
            for r in state.remarks.drain(..) {
                writeln!(out, "{}:{} {}: {}", r.line, r.column, r.pass, r.message)
                    .expect("a string");
            }
        }
        if show.contains(&"kernels") {
            for kernel in state.sites.drain(..).flat_map(|site| site.kernels) {
                writeln!(out, "{kernel:?}").expect("a string");
            }
        }
        if show.contains(&"results") {
            for site in state.sites.drain(..) {
                let results = site.vars.iter().filter(|var| var.flags.result);
                let names: Vec<_> = results.map(|var| &var.name).collect();
                writeln!(out, "directive {}: {names:?}", site.directive).expect("a string");
            }
        }
        if show.contains(&"sites") {
            for site in state.sites.drain(..) {
                writeln!(out, "{site:#?}").expect("a string");
            }
        }
        if shown_after.contains(&pass.name) && show.contains(&"ir") {
            erase_locations(&ctx, module.get_operation());
            erase_given_names(&ctx, module.get_operation());
            writeln!(
                out,
                "=== {}\n{}",
                pass.name,
                module.get_operation().disp(&ctx)
            )
            .expect("a string");
        }
    }
    out
}

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let entries = fs::read_dir(folder).expect("the folder of cases");
    let mut found: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
    found.retain(|p| p.extension().is_some_and(|e| e == "ir"));
    found.sort();
    found
}

#[test]
fn cases_give_their_results() {
    let mut wrong = vec![];
    let cases = cases();
    assert!(cases.len() >= 10, "only {} cases found", cases.len());
    for case in cases {
        let text = fs::read_to_string(&case).expect("a case");
        let (got, expected) = (results(&text), case.with_extension("out"));
        if std::env::var_os("ACCRUE_BLESS").is_some() {
            fs::write(&expected, &got).expect("writing the expectation");
        } else if fs::read_to_string(&expected).unwrap_or_default() != got {
            wrong.push(format!("{}:\n{got}", case.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The text of the IR after the pass, parsed again, is the same text.
#[test]
fn ir_after_passes_is_read_back() {
    for case in cases() {
        let text = fs::read_to_string(&case).expect("a case");
        for target in targets(&text) {
            read_back(&case, &text, target);
        }
    }
}

fn read_back(case: &Path, text: &str, target: Target) {
    let body: String = text
        .lines()
        .filter(|l| !l.starts_with("//"))
        .map(|l| format!("{l}\n"))
        .collect();
    let mut ctx = Context::new();
    let module = parse(&mut ctx, &body);
    let mut state = state(target);
    for pass in PASSES {
        if run_pass(&mut ctx, module, pass, &mut state).is_err() {
            break;
        }
        let print = |ctx: &Context, module: ModuleOp| {
            erase_locations(ctx, module.get_operation());
            erase_given_names(ctx, module.get_operation());
            module.get_operation().disp(ctx).to_string()
        };
        let first = print(&ctx, module);
        let mut other = Context::new();
        let again = parse(&mut other, &first);
        assert_eq!(
            without_numbers(&first),
            without_numbers(&print(&other, again)),
            "{} after {}",
            case.display(),
            pass.name
        );
    }
}

/// Values and blocks get new numbers when they are parsed; the rest of the text is compared.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    let mut previous = ' ';
    for c in text.chars() {
        if !(c.is_ascii_digit() && (previous == 'v' || previous == 'k' || previous == '#')) {
            out.push(c);
            previous = c;
        } else {
            previous = '#';
        }
    }
    out
}
