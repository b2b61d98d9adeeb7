//! The rules of the reduction protocol: right kernels pass, and every way to break one is found.
//!
//! `protocol/NAME.ir` starts with `// expect: MESSAGE`, part of what the check says about it, or `// right`; the rest is IR
//! text of one module.

use accrue_dialects::{
    core::{self, Alloca, Const, Load, Store},
    par::{
        Fork, Join, Kernel, Level, Lock, RedFini, RedInit, RedSetup, RedTeardown, ReductionId,
        ReductionInfo, ReductionOperator, Unlock, set_kernel,
    },
};
use accrue_ir::{build::Inserter, walk};
use accrue_opt::reductions::verifier::{check, check_function};
use pliron::{
    builtin::{
        ops::{FuncOp, ModuleOp},
        types::FunctionType,
    },
    context::{Context, Ptr},
    identifier::Identifier,
    irbuild::inserter::Inserter as _,
    irfmt::parsers::spaced,
    op::Op,
    operation::Operation,
    parsable::parse_from_str,
    printable::Printable,
    r#type::Typed,
    value::Value,
};
use std::{fs, path::Path};

fn parse(ctx: &mut Context, text: &str) -> ModuleOp {
    let op = parse_from_str(spaced(Operation::top_level_parser()), ctx, text);
    let op = op.unwrap_or_else(|error| panic!("{}", error.disp(ctx)));
    Operation::get_op::<ModuleOp>(op, ctx).expect("a module")
}

#[test]
fn files_give_their_messages() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/protocol");
    let mut files = 0;
    for entry in fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("a file");
        let (header, body) = text.split_once('\n').expect("a header");
        let mut ctx = Context::new();
        let module = parse(&mut ctx, body);
        let got = check(&ctx, module, "the parser");
        match header.strip_prefix("// expect: ") {
            Some(expected) => {
                let got = got.unwrap_or_else(|| panic!("{} passes", path.display()));
                assert!(got.contains(expected), "{}: {got}", path.display());
            }
            None => {
                assert_eq!(header, "// right", "{}", path.display());
                assert_eq!(got, None, "{}", path.display());
            }
        }
        files += 1;
    }
    assert!(files >= 20, "only {files} files found");
}

/// The operations of a gang reduction in a kernel. `Start` and `End` write and read LOCAL.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Setup,
    Fork,
    Init,
    Start,
    End,
    Lock,
    Fini,
    Unlock,
    Join,
    Teardown,
}

use Part::{End, Fini, Init, Setup, Start, Teardown};

const RIGHT: [Part; 10] = [
    Setup,
    Part::Fork,
    Init,
    Start,
    End,
    Part::Lock,
    Fini,
    Part::Unlock,
    Part::Join,
    Teardown,
];

/// What the check says of a kernel with these operations, all of gang loop 1. Each takes what it takes in the right order.
fn verdict(parts: &[Part]) -> Option<String> {
    let ctx = &mut Context::new();
    let int = core::int(ctx, 32);
    let result = core::pointer(ctx, int);
    let ty = FunctionType::get(ctx, vec![result], vec![]);
    let name = Identifier::try_from("k".to_string()).expect("an identifier");
    let func = FuncOp::new(ctx, name, ty);
    let kernel = Kernel {
        site: 0,
        phase: 0,
        gang_loop: true,
        single_gang: false,
    };
    set_kernel(ctx, &func, kernel);
    let entry = func.get_entry_block(ctx);
    let result = entry.deref(ctx).get_argument(0);
    let mut inserter = Inserter::new_at_block_end(entry);
    let (zero, local) = (Const::new(ctx, 32, 0), Alloca::new(ctx, int, None));
    inserter.append_op(ctx, &zero);
    inserter.append_op(ctx, &local);
    let objects = [zero.get_operation(), local.get_operation()];
    let [zero, local] = objects.map(|op| walk::results_of(ctx, op)[0]);
    let mut value = zero;
    let mut made: Vec<(Part, Ptr<Operation>)> = vec![];
    for part in RIGHT {
        let copies = parts.iter().filter(|p| **p == part).count();
        let taken = value;
        for _ in 0..copies {
            let op = operation(ctx, part, taken, local, result);
            value = walk::results_of(ctx, op).first().copied().unwrap_or(value);
            made.push((part, op));
        }
    }
    for part in parts {
        let at = made.iter().position(|(p, _)| p == part).expect("made");
        inserter.append_operation(ctx, made.remove(at).1);
    }
    let ret = core::Return::new(ctx, None);
    inserter.append_op(ctx, &ret);
    check_function(ctx, func)
}

fn operation(
    ctx: &mut Context,
    part: Part,
    value: Value,
    local: Value,
    result: Value,
) -> Ptr<Operation> {
    assert_ne!(value.get_type(ctx), local.get_type(ctx));
    let result = Some(result);
    let info = ReductionInfo {
        level: Level::Gang,
        operator: ReductionOperator::Add,
        signed: true,
        id: ReductionId {
            loop_id: 1,
            reduction_id: 0,
        },
    };
    match part {
        Setup => RedSetup::new(ctx, info, value, result).get_operation(),
        Init => RedInit::new(ctx, info, value, result).get_operation(),
        Fini => RedFini::new(ctx, info, value, result).get_operation(),
        Teardown => RedTeardown::new(ctx, info, value, result).get_operation(),
        Start => Store::new(ctx, value, local).get_operation(),
        End => Load::new(ctx, local).get_operation(),
        Part::Fork => Fork::new(ctx, Level::Gang, 1).get_operation(),
        Part::Join => Join::new(ctx, Level::Gang, 1).get_operation(),
        Part::Lock => Lock::new(ctx, Level::Gang, 1).get_operation(),
        Part::Unlock => Unlock::new(ctx, Level::Gang, 1).get_operation(),
    }
}

#[test]
fn the_right_order_passes() {
    assert_eq!(verdict(&RIGHT), None);
    let without_fork: Vec<_> = RIGHT
        .into_iter()
        .filter(|p| !matches!(p, Part::Fork | Part::Join))
        .collect();
    assert_eq!(verdict(&without_fork), None);
    assert_eq!(verdict(&[Part::Fork, Part::Join]), None);
    assert_eq!(verdict(&[]), None);
}

#[test]
fn every_missing_operation_is_found() {
    for missing in RIGHT {
        let parts: Vec<_> = RIGHT.into_iter().filter(|p| *p != missing).collect();
        assert!(verdict(&parts).is_some(), "without {missing:?}");
    }
}

#[test]
fn every_cloned_operation_is_found() {
    // Reading LOCAL twice is no mistake.
    for twice in RIGHT.into_iter().filter(|p| *p != End) {
        let at = RIGHT.iter().position(|p| *p == twice).expect("a part");
        let mut parts = RIGHT.to_vec();
        parts.insert(at, twice);
        assert!(verdict(&parts).is_some(), "with {twice:?} twice");
    }
}

#[test]
fn every_exchange_of_protocol_operations_is_found() {
    for at in 0..RIGHT.len() - 1 {
        let mut parts = RIGHT.to_vec();
        parts.swap(at, at + 1);
        // Where LOCAL is written and read between the builtins is for the program to say.
        let harmless = parts[at..at + 2].iter().any(|p| matches!(p, Start | End));
        let found = verdict(&parts).is_some();
        assert!(found || harmless, "{parts:?}");
    }
}
