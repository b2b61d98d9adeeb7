//! Sums that all iterations of an inner loop add to one place: the loop reduces a number of its own, which is added behind it.
//!
//! ```text
//! #pragma acc loop                                     for (j …) {
//! for (i …)                                                double part = 0;
//!     for (j …)                                            #pragma acc loop reduction(+ : part)
//!         #pragma acc loop                       →         for (k …) part += a[i][k] * b[k][j];
//!         for (k …)                                        if (part != 0)
//!             c[i][j] += a[i][k] * b[k][j];                    #pragma acc atomic update
//!     }                                                        c[i][j] += part;
//!                                                      }
//! ```
//! Atomic updates of one place by all lanes of a gang would wait for each other in every iteration: a product of matrices that is written so
//! consists of nothing else. Behind the loop it stays an atomic update, since other iterations of the loops around may come to the same place,
//! and only if there is something to add, so that loops without iterations touch nothing.
//!
//! The address must not change in the loop, as far as is seen: of variables that the loop does not store to, by arithmetic. A loop around
//! has the gangs, which could not bring together the parts of this one.
//!
//! Cost: the size of the loop, for each such place.

use super::{
    NAME, construct_of,
    elements::{Updated, runs_at_once},
};
use crate::assign_levels::asked;
use accrue_dialects::{
    acc::{self, DataClause, DataInfo, DeviceType, Group, Loop, Reduction},
    address_use::{UseKind, use_of},
    core::{
        AddressOf, AtomicUpdate, Bin, BinKind, Cast, CmpKind, Const, Decay, Extent, Load, Member,
        PtrAdd, Shape, Store, Un, Variable, emit::Emitter, float_width, int_width, pointee,
    },
    par::{Level, ReductionOperator},
};
use accrue_ir::walk::{self, operands_of};
use accrue_opt::{
    State,
    analysis::variables::{defined_inside, root_of, uses_of},
};
use pliron::{
    builtin::op_interfaces::OneRegionInterface,
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    region::Region,
    r#type::TypeHandle,
    value::Value,
};

/// Lets the loop reduce what it adds to the place; whether that can be.
pub(super) fn gather(ctx: &mut Context, lp: Loop, updated: &Updated, state: &mut State) -> bool {
    let Some(sum) = sum(ctx, lp, updated).filter(|_| is_inner(ctx, lp)) else {
        return false;
    };
    let message = format!(
        "{} is reduced by `{}` over this loop, and updated once behind it: all that iterations do with it are such updates",
        updated.name,
        updated.update.operator.spelling()
    );
    state.remark(ctx, lp.get_operation(), NAME, message);
    reduce(ctx, lp, updated, sum, |e, address, part| {
        let (atomic, block) = AtomicUpdate::new(e.ctx, address);
        let atomic = e.push(atomic).get_operation();
        let old = block.deref(e.ctx).get_argument(0);
        let mut inside = Emitter::at_end_of(e.ctx, block, atomic);
        let new = inside.bin(sum.kind, old, part);
        inside.finish(vec![new]);
    });
    true
}

/// What a loop may add to a place once.
#[derive(Clone, Copy)]
pub(super) struct Sum {
    pub kind: BinKind,
    ty: TypeHandle,
}

/// How the loop's updates of a place come together; `None` if they cannot be done once behind it.
pub(super) fn sum(ctx: &Context, lp: Loop, updated: &Updated) -> Option<Sum> {
    let ty = pointee(ctx, updated.address)?;
    let float = float_width(ctx, ty).is_some_and(|width| matches!(width, 32 | 64));
    let int = int_width(ctx, ty).is_some_and(|width| matches!(width, 32 | 64));
    let kind = match updated.update.operator {
        ReductionOperator::Add if float => BinKind::FAdd,
        ReductionOperator::Add => BinKind::Add,
        ReductionOperator::BitOr => BinKind::Or,
        ReductionOperator::BitXor => BinKind::Xor,
        _ => return None,
    };
    let plain = |op: &Ptr<Operation>| {
        Operation::is_op::<Load>(*op, ctx) || Operation::is_op::<Store>(*op, ctx)
    };
    let can = (float || int)
        && updated.ops.iter().all(plain)
        && is_fixed(ctx, updated.address, lp.get_region(ctx));
    can.then_some(Sum { kind, ty })
}

/// Lets the loop reduce a number of its own in the place's stead, of which `add` makes an update of the place behind the loop, if there is
/// something to add.
pub(super) fn reduce(
    ctx: &mut Context,
    lp: Loop,
    updated: &Updated,
    Sum { kind, ty }: Sum,
    add: impl FnOnce(&mut Emitter, Value, Value),
) {
    let region = lp.get_region(ctx);
    let different = match kind {
        BinKind::FAdd => CmpKind::FNe,
        _ => CmpKind::Ne,
    };
    let part = reduced_part(ctx, lp, updated, ty);
    let mut e = Emitter::after(ctx, lp.get_operation());
    let (sum, zero) = (e.load(part), e.zero(ty));
    let some = e.cmp(different, sum, zero);
    e.only_if(some, |e| {
        let address = copied(e, updated.address, region);
        add(e, address, sum);
    });
}

/// Whether a loop around has the gangs, so that nothing of this one has to be brought together by them.
fn is_inner(ctx: &Context, lp: Loop) -> bool {
    let mut around = walk::enclosing::<Loop>(ctx, lp.get_operation());
    let mut of_gangs = false;
    while let Some(outer) = around {
        let asked = asked(&outer.clauses(ctx));
        of_gangs |= runs_at_once(ctx, outer) && (asked.is_empty() || asked.contains(&Level::Gang));
        around = walk::enclosing::<Loop>(ctx, outer.get_operation());
    }
    of_gangs && construct_of(ctx, lp).is_some() && !asked(&lp.clauses(ctx)).contains(&Level::Gang)
}

/// Whether the value is the same in all iterations, and can be computed behind the loop.
fn is_fixed(ctx: &Context, value: Value, region: Ptr<Region>) -> bool {
    if !defined_inside(ctx, value, region) {
        return true;
    }
    let Some(op) = value.defining_op() else {
        return false;
    };
    if let Some(load) = Operation::get_op::<Load>(op, ctx) {
        let root = root_of(ctx, load.get_operand_address(ctx));
        let reads = |root| {
            uses_of(ctx, region, &root).iter().all(|at| {
                matches!(
                    use_of(ctx, at.op, at.index),
                    UseKind::Read { volatile: false } | UseKind::Clause | UseKind::Look
                )
            })
        };
        return root.is_some_and(reads) && is_fixed(ctx, load.get_operand_address(ctx), region);
    }
    let computes = [
        Operation::is_op::<PtrAdd>,
        Operation::is_op::<Decay>,
        Operation::is_op::<Member>,
        Operation::is_op::<Bin>,
        Operation::is_op::<Un>,
        Operation::is_op::<Cast>,
        Operation::is_op::<Const>,
        Operation::is_op::<Extent>,
        Operation::is_op::<AddressOf>,
    ];
    computes.iter().any(|is| is(op, ctx))
        && operands_of(ctx, op)
            .into_iter()
            .all(|operand| is_fixed(ctx, operand, region))
}

/// A number of each iteration around the loop, which the loop reduces in the place's stead.
fn reduced_part(ctx: &mut Context, lp: Loop, updated: &Updated, ty: TypeHandle) -> Value {
    let shape = Shape {
        dims: vec![],
        elem: ty,
    };
    let name = "part".to_string();
    let variable = Variable {
        name: name.clone(),
        shape: shape.clone(),
    };
    let mut e = Emitter::before(ctx, lp.get_operation());
    let part = e.alloca(ty, Some(variable));
    let zero = e.zero(ty);
    e.store(zero, part);
    for op in &updated.ops {
        let address = match Operation::get_op::<Store>(*op, e.ctx) {
            Some(store) => store.get_operand_address(e.ctx),
            None => operands_of(e.ctx, *op)[0],
        };
        let operands = operands_of(e.ctx, *op);
        if let Some(index) = operands.iter().position(|operand| *operand == address) {
            Operation::replace_operand(*op, e.ctx, index, part);
        }
    }
    let mut info = DataInfo::new(DataClause::Reduction, &name, shape);
    info.implicit = true;
    let (operator, signed) = (updated.update.operator, updated.update.signed);
    let reduction = Reduction::new(e.ctx, operator, signed, info, part, vec![]);
    let value = e.value(reduction);
    acc::push(&lp, ctx, Group::Reduction, value, DeviceType::None);
    part
}

/// The value, computed once more where `e` stands.
fn copied(e: &mut Emitter, value: Value, region: Ptr<Region>) -> Value {
    let inside = value
        .defining_op()
        .filter(|_| defined_inside(e.ctx, value, region));
    let Some(op) = inside else {
        return value;
    };
    let copies: Vec<Value> = operands_of(e.ctx, op)
        .into_iter()
        .map(|operand| copied(e, operand, region))
        .collect();
    let copy = e.copy(op, &mut IrMapping::default());
    for (index, operand) in copies.into_iter().enumerate() {
        Operation::replace_operand(copy, e.ctx, index, operand);
    }
    copy.deref(e.ctx).get_result(0)
}
