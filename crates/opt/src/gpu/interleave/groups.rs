//! A loop over groups of iterations, in front of the loop that is left with the rest.

use accrue_dialects::core::{Alloca, BinKind, CmpKind, For, Loop, emit::Emitter};
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface, context::Context,
    irbuild::cloning::IrMapping, op::Op, operation::Operation, r#type::Typed,
};

/// Where there are groups at all.
#[derive(Clone, Copy)]
pub(in crate::gpu) struct Groups {
    /// The loop's end is this at most,
    pub last: i64,
    /// and it has so many iterations for each lane.
    pub fewest: i64,
}

/// Puts a loop over groups of `width` iterations before `lp`, which is left with the rest; `write` writes a group, with what the counter
/// is in each of its iterations.
pub(in crate::gpu) fn side_by_side(
    ctx: &mut Context,
    lp: For,
    width: usize,
    groups: Option<Groups>,
    write: impl FnOnce(&mut Emitter, &mut [IrMapping]),
) {
    let iv = lp.get_body(ctx, 0).deref(ctx).get_argument(0);
    let (lower, upper, step) = (
        lp.get_operand_lower(ctx),
        lp.get_operand_upper(ctx),
        lp.get_operand_step(ctx),
    );
    let mut e = Emitter::before(ctx, lp.get_operation());
    let distances: Vec<_> = (0..=width)
        .map(|copy| {
            let copy = e.i64(copy as i128);
            e.bin(BinKind::Mul, step, copy)
        })
        .collect();
    let mut last_start = e.bin(BinKind::Sub, upper, distances[width - 1]);
    if let Some(groups) = groups {
        let [last, fewest] = [groups.last, groups.fewest].map(|number| e.i64(number.into()));
        let inside = e.cmp(CmpKind::LeS, upper, last);
        let own = e.bin(BinKind::Mul, step, fewest);
        let enough = e.cmp(CmpKind::LeS, own, upper);
        let none = e.int(1, 0);
        let wanted = e.select(inside, enough, none);
        last_start = e.select(wanted, last_start, lower);
    }
    let ty = lower.get_type(e.ctx);
    let counter = Alloca::new(e.ctx, ty, None);
    let counter = e.value(counter);
    e.store(lower, counter);
    let (groups, blocks) = Loop::new(e.ctx, false);
    e.push(groups);
    e.at_end(blocks.cond);
    let at = e.load(counter);
    let goes_on = e.cmp(CmpKind::LtS, at, last_start);
    e.finish(vec![goes_on]);
    e.at_end(blocks.body);
    let at = e.load(counter);
    let mut copies: Vec<_> = distances[..width]
        .iter()
        .map(|distance| {
            let mut mapping = IrMapping::new();
            let iv_here = e.bin(BinKind::Add, at, *distance);
            mapping.map_value(iv, iv_here);
            mapping
        })
        .collect();
    write(&mut e, &mut copies);
    let next = e.bin(BinKind::Add, at, distances[width]);
    e.store(next, counter);
    e.finish(vec![]);
    e.at_end(blocks.step);
    e.finish(vec![]);
    e.go_after(groups.get_operation());
    let rest = e.load(counter);
    Operation::replace_operand(lp.get_operation(), ctx, 0, rest);
}
