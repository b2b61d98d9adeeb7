//! The rules of the reduction protocol: a right kernel passes, and every way to break it is found.

use accrue_dialects::{
    acc::ReductionOperator,
    core::{self, Const},
    par::{
        Fork, Join, Level, Lock, RedFini, RedInit, RedSetup, RedTeardown, ReductionId,
        ReductionInfo, Unlock,
    },
};
use accrue_ir::{build::Inserter, walk};
use accrue_lower::protocol::check_kernel;
use pliron::{
    builtin::{ops::FuncOp, types::FunctionType},
    context::{Context, Ptr},
    identifier::Identifier,
    irbuild::inserter::Inserter as _,
    op::Op,
    operation::Operation,
    value::Value,
};

/// The operations of the protocol in a kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Setup,
    Fork,
    Init,
    Lock,
    Fini,
    Unlock,
    Join,
    Teardown,
}

use Part::{Fini, Init, Setup, Teardown};

const RIGHT: [Part; 8] = [
    Setup,
    Part::Fork,
    Init,
    Part::Lock,
    Fini,
    Part::Unlock,
    Part::Join,
    Teardown,
];

/// What `check_kernel` says of a kernel with these operations, all of gang loop 1.
fn verdict(parts: &[Part]) -> Option<String> {
    let ctx = &mut Context::new();
    let ty = FunctionType::get(ctx, vec![], vec![]);
    let func = FuncOp::new(
        ctx,
        Identifier::try_from("k".to_string()).expect("an identifier"),
        ty,
    );
    let mut inserter = Inserter::new_at_block_end(func.get_entry_block(ctx));
    let start = Const::new(ctx, 32, 0);
    inserter.append_op(ctx, &start);
    let mut local = walk::results_of(ctx, start.get_operation())[0];
    for part in parts {
        let op = operation(ctx, *part, local);
        inserter.append_operation(ctx, op);
        local = walk::results_of(ctx, op).first().copied().unwrap_or(local);
    }
    let ret = core::Return::new(ctx, None);
    inserter.append_op(ctx, &ret);
    check_kernel(ctx, func)
}

fn operation(ctx: &mut Context, part: Part, local: Value) -> Ptr<Operation> {
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
        Setup => RedSetup::new(ctx, info, local, None).get_operation(),
        Init => RedInit::new(ctx, info, local, None).get_operation(),
        Fini => RedFini::new(ctx, info, local, None).get_operation(),
        Teardown => RedTeardown::new(ctx, info, local, None).get_operation(),
        Part::Fork => Fork::new(ctx, Level::Gang, 1).get_operation(),
        Part::Join => Join::new(ctx, Level::Gang, 1).get_operation(),
        Part::Lock => Lock::new(ctx, Level::Gang, 1).get_operation(),
        Part::Unlock => Unlock::new(ctx, Level::Gang, 1).get_operation(),
    }
}

#[test]
fn the_right_order_passes() {
    assert_eq!(verdict(&RIGHT), None);
    // A dummy gang reduction has no fork.
    assert_eq!(
        verdict(&[Setup, Init, Part::Lock, Fini, Part::Unlock, Teardown]),
        None
    );
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
fn every_cloned_builtin_is_found() {
    for twice in [Setup, Init, Fini, Teardown, Part::Fork, Part::Join] {
        let at = RIGHT.iter().position(|p| *p == twice).expect("a part");
        let mut parts = RIGHT.to_vec();
        parts.insert(at, twice);
        assert!(verdict(&parts).is_some(), "with {twice:?} twice");
    }
}

#[test]
fn every_exchange_of_neighbours_is_found() {
    for at in 0..RIGHT.len() - 1 {
        let mut parts = RIGHT.to_vec();
        parts.swap(at, at + 1);
        let harmless = matches!(
            parts[at..at + 2],
            [Part::Lock, Init] | [Part::Join, Part::Unlock]
        );
        assert_eq!(verdict(&parts).is_none(), harmless, "{parts:?}");
    }
}
