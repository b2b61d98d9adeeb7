//! What every operation must declare, and that the views of the dialects have all operations.

use accrue_dialects::{
    acc::AccOp,
    core::{Bin, BinKind, Const, CoreOp, int},
    omp::OmpOp,
    par::ParOp,
    simt::SimtOp,
};
use accrue_ir::{build::build, effects::EffectOp, verify::verify};
use pliron::{
    builtin::op_interfaces::{NOpdsInterface, NResultsInterface},
    context::Context,
    derive::pliron_op,
    op::{Op, op_impls_static},
    printable::Printable,
    utils::trait_cast::statics::get_trait_casters,
};
use std::{any::TypeId, collections::HashSet};

/// An operation of a dialect that forgot to say what it does.
#[pliron_op(
    name = "test.silent",
    format = "",
    interfaces = [NOpdsInterface<0>, NResultsInterface<0>],
    verifier = "succ"
)]
pub struct Silent;

/// The same, with an answer.
#[pliron_op(
    name = "test.mystery",
    format = "",
    interfaces = [NOpdsInterface<0>, NResultsInterface<0>],
    verifier = "succ"
)]
pub struct Mystery;
accrue_ir::effects!(unknown: Mystery);

#[test]
fn operations_say_what_effects_they_have() {
    let ctx = &mut Context::new();
    let silent: Silent = build(ctx, vec![], vec![], 0);
    let error = verify(silent.get_operation(), ctx).expect_err("no effects");
    let text = error.disp(ctx).to_string();
    assert!(
        text.contains("`test.silent` does not say what effects it has"),
        "{text}"
    );
    let mystery: Mystery = build(ctx, vec![], vec![], 0);
    assert!(verify(mystery.get_operation(), ctx).is_ok());
    assert!(!op_impls_static::<Silent, dyn EffectOp>());
}

#[test]
fn required_attributes_are_verified() {
    let ctx = &mut Context::new();
    let i32_ = int(ctx, 32);
    let one = Const::new(ctx, 32, 1);
    let value = one.get_operation().deref(ctx).get_result(0);
    let bin: Bin = build(ctx, vec![i32_], vec![value, value], 0);
    let error = verify(bin.get_operation(), ctx).expect_err("no kind");
    let text = error.disp(ctx).to_string();
    assert!(
        text.contains("`core.bin` needs the attribute `core_bin_kind`"),
        "{text}"
    );
    bin.set_kind(ctx, BinKind::Add);
    assert!(verify(bin.get_operation(), ctx).is_ok());
}

/// Operations cannot be listed, but those with effects can be counted, and no other verifies.
#[test]
fn views_have_every_operation() {
    let casts = get_trait_casters().flat_map(|casts| casts.iter());
    let to_effects = casts.filter(|cast| cast.to == TypeId::of::<dyn EffectOp>());
    let own = TypeId::of::<Mystery>();
    let all: HashSet<_> = to_effects.map(|c| c.from).filter(|t| *t != own).collect();
    let views = [
        CoreOp::names(),
        ParOp::names(),
        AccOp::names(),
        OmpOp::names(),
        SimtOp::names(),
    ]
    .concat();
    assert_eq!(
        all.len(),
        views.len(),
        "operations that no view has, or that one has twice"
    );
}
