//! Reductions of arrays whose length, or place, only the program knows: `reduction(+: a[0:n])`, variable-length arrays, and
//! a section that is another one in every iteration of a loop around a gang loop.
//!
//! No thread can have a LOCAL of such a variable. But a region that does with the elements what the clause says, updates
//! them by its operator, does not need one: the updates of RESULT itself can be made atomic. What an update contributes is
//! what it makes of an element that holds the operator's identity:
//!
//! ```text
//! h[k] = h[k] + x;              →   v = 0 + x;           atomic h[k] = h[k] + v
//! h[k] -= x;                    →   v = 0 - x;           atomic h[k] = h[k] + v
//! if (x > h[k]) h[k] = x;       →   if (x > -inf)        atomic h[k] = max(h[k], x)
//! ```
//!
//! Steps: find all loads and stores of elements in the region; check that every store gets its value, or happens at all,
//! by a load of the same element, and that no load leads anywhere else; replace the loads by the identity and the stores
//! by atomic updates. Any other use of the variable is an error. The order of the updates is not fixed, so that sums of
//! floating-point numbers may differ from run to run in their last bits.
//!
//! Cost: linear in the size of the region for each store.

use accrue_dialects::{
    core::{
        Alloca, AtomicUpdate, Bin, BinKind, Cast, Decay, Extent, Externs, If, Load, PtrAdd, Store,
        Yield, emit::Emitter, is_scalar, pointee_of,
    },
    par::{
        Level, Reduce, Reduced, ReductionId, ReductionInfo, ReductionOperator,
        operators::{combine, identity},
    },
};
use accrue_ir::walk::{nested_ops, operands_of};
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::collections::HashSet;

use crate::{State, analysis::alike::are_same, reductions::objects::between};

const NAME: &str = "reductions";

/// Makes the updates between `first` and `last` atomic updates of the variable. Returns the reductions of it in between,
/// by inner loops: nothing is left for them to do.
pub fn update_result(
    ctx: &mut Context,
    reduction: Reduce,
    reduced: &Reduced,
    (first, last): (Ptr<Operation>, Ptr<Operation>),
    state: &mut State,
) -> Vec<Ptr<Operation>> {
    let region = between(ctx, first, last);
    let inner = inner_reductions(ctx, reduction, reduced, &region);
    let sites = sites(ctx, reduction, &region);
    let Some(sites) = sites.filter(|sites| only_updates(ctx, sites, reduced.operator)) else {
        let name = &reduced.spelling;
        let message = format!(
            "a reduction of `{name}`, whose length or place is not constant, is supported for updates of numbers like \
             `a[i] += x` only, and the region uses it in another way"
        );
        let help = "reduce into a local array of fixed length and add it to the section afterwards";
        state.error(ctx, reduction.get_operation(), message, "2.9.11", help);
        return inner;
    };
    let info = ReductionInfo {
        level: Level::Gang,
        operator: reduced.operator,
        signed: reduced.signed,
        id: ReductionId {
            loop_id: reduced.loop_id,
            reduction_id: 0,
        },
    };
    if replace(ctx, info, &sites).is_none() {
        let message = format!("this reduction is not defined for `{}`", reduced.spelling);
        let help = "use an operator that its type has";
        state.error(ctx, reduction.get_operation(), message, "2.5.15", help);
        return inner;
    }
    let message = format!(
        "`{}` is reduced by atomic updates of its elements: its length or place is not constant",
        reduced.spelling
    );
    state.remark(ctx, reduction.get_operation(), NAME, message);
    inner
}

/// The reductions in the region of the variable that `reduction` reduces, without those of its own loop.
fn inner_reductions(
    ctx: &Context,
    reduction: Reduce,
    reduced: &Reduced,
    region: &[Ptr<Operation>],
) -> Vec<Ptr<Operation>> {
    let other_loop = |r: Reduce| r.reduced(ctx).loop_id != reduced.loop_id;
    let same = |op: &Ptr<Operation>| {
        Operation::get_op::<Reduce>(*op, ctx)
            .is_some_and(|r| r.var(ctx) == reduction.var(ctx) && other_loop(r))
    };
    region.iter().copied().filter(same).collect()
}

/// Where the region reads and writes elements.
#[derive(Default)]
struct Sites {
    loads: Vec<Load>,
    stores: Vec<Store>,
}

/// The loads and stores of the variable's elements; `None` if it is used in another way.
fn sites(ctx: &Context, reduction: Reduce, region: &[Ptr<Operation>]) -> Option<Sites> {
    let region: HashSet<_> = region.iter().copied().collect();
    let mut sites = Sites::default();
    let mut open = vec![reduction.var(ctx)];
    while let Some(address) = open.pop() {
        for using in address.uses(ctx) {
            let op = using.user_op();
            if !region.contains(&op) || is_clause(ctx, op) {
                continue;
            }
            if let Some(load) = Operation::get_op::<Load>(op, ctx) {
                let value = load.get_result(ctx);
                match pointee_of(ctx, value.get_type(ctx)) {
                    Some(_) => open.push(value),
                    None => sites.loads.push(load),
                }
            } else if let Some(store) = Operation::get_op::<Store>(op, ctx) {
                let value = store.get_operand_value(ctx);
                if value == address || pointee_of(ctx, value.get_type(ctx)).is_some() {
                    return None;
                }
                sites.stores.push(store);
            } else if let Some(add) = Operation::get_op::<PtrAdd>(op, ctx) {
                open.push(add.get_result(ctx));
            } else if let Some(decay) = Operation::get_op::<Decay>(op, ctx) {
                open.push(decay.get_result(ctx));
            } else if !Operation::is_op::<AtomicUpdate>(op, ctx) {
                return None;
            }
        }
    }
    let scalar = |ty| is_scalar(ctx, ty);
    let plain = sites.loads.iter().all(|l| !l.is_volatile(ctx))
        && sites
            .stores
            .iter()
            .all(|s| !s.is_volatile(ctx) && scalar(s.get_operand_value(ctx).get_type(ctx)));
    plain.then_some(sites)
}

/// Clauses of inner loops, and what says how large the variable is.
fn is_clause(ctx: &Context, op: Ptr<Operation>) -> bool {
    Operation::is_op::<Reduce>(op, ctx) || Operation::is_op::<Extent>(op, ctx)
}

/// Whether each store depends on loads of the element that it writes, and only on these, and no load is for anything else.
fn only_updates(ctx: &Context, sites: &Sites, operator: ReductionOperator) -> bool {
    // No function is known: subscripts that call one are not alike.
    let externs = Externs::default();
    let mut needed = HashSet::new();
    for store in &sites.stores {
        let loads = loads_for(ctx, *store, &sites.loads);
        let address = store.get_operand_address(ctx);
        let of_element = |op: &Ptr<Operation>| {
            Operation::get_op::<Load>(*op, ctx)
                .is_some_and(|l| are_same(ctx, &externs, l.get_operand_address(ctx), address))
        };
        if loads.is_empty() || !loads.iter().all(of_element) {
            return false;
        }
        if is_other_update(ctx, *store, &loads, operator) {
            return false;
        }
        needed.extend(loads);
    }
    sites
        .loads
        .iter()
        .all(|load| needed.contains(&load.get_operation()))
}

/// Whether what is stored is the element with another operator of C's: `a[i] *= 2` where a sum is meant, of an element that is not among
/// those that the clause names.
fn is_other_update(
    ctx: &Context,
    store: Store,
    loads: &HashSet<Ptr<Operation>>,
    operator: ReductionOperator,
) -> bool {
    let made_by = |value: Value| before_casts(ctx, value).defining_op();
    let update = made_by(store.get_operand_value(ctx));
    let Some(update) = update.and_then(|op| Operation::get_op::<Bin>(op, ctx)) else {
        return false;
    };
    let operands = operands_of(ctx, update.get_operation());
    let of_element = |value: &Value| made_by(*value).is_some_and(|op| loads.contains(&op));
    let Some(place) = operands.iter().position(of_element) else {
        return false;
    };
    let kind = update.kind(ctx);
    match operator {
        ReductionOperator::Add => match kind {
            BinKind::Sub | BinKind::SubS | BinKind::FSub => place > 0,
            BinKind::Add | BinKind::AddS | BinKind::FAdd => false,
            // Of truth values.
            BinKind::Or => false,
            BinKind::Mul
            | BinKind::MulS
            | BinKind::FMul
            | BinKind::DivS
            | BinKind::DivU
            | BinKind::FDiv
            | BinKind::RemS
            | BinKind::RemU
            | BinKind::Shl
            | BinKind::ShrS
            | BinKind::ShrU
            | BinKind::And
            | BinKind::Xor
            | BinKind::MinS
            | BinKind::MaxS
            | BinKind::MinU
            | BinKind::MaxU
            | BinKind::FMin
            | BinKind::FMax => true,
        },
        ReductionOperator::Mul => matches!(
            kind,
            BinKind::Add
                | BinKind::AddS
                | BinKind::FAdd
                | BinKind::Sub
                | BinKind::SubS
                | BinKind::FSub
                | BinKind::RemS
                | BinKind::RemU
                | BinKind::Or
                | BinKind::Xor
        ),
        ReductionOperator::BitAnd => kind != BinKind::And,
        ReductionOperator::BitOr => kind != BinKind::Or,
        ReductionOperator::BitXor => kind != BinKind::Xor,
        ReductionOperator::Max
        | ReductionOperator::Min
        | ReductionOperator::LogicalAnd
        | ReductionOperator::LogicalOr
        | ReductionOperator::Eqv
        | ReductionOperator::Neqv
        | ReductionOperator::Declared(_) => false,
    }
}

/// A number before conversions.
fn before_casts(ctx: &Context, mut value: Value) -> Value {
    while let Some(cast) = value
        .defining_op()
        .and_then(|op| Operation::get_op::<Cast>(op, ctx))
    {
        value = cast.get_operand_value(ctx);
    }
    value
}

/// Those of `loads` that say what a store writes, or whether it does.
pub(super) fn loads_for(ctx: &Context, store: Store, loads: &[Load]) -> HashSet<Ptr<Operation>> {
    let mut slice = Slice {
        ctx,
        of: loads,
        seen: HashSet::new(),
        loads: HashSet::new(),
    };
    slice.value(store.get_operand_value(ctx));
    slice.conditions(store.get_operation());
    slice.loads
}

/// What a value comes from.
struct Slice<'a> {
    ctx: &'a Context,
    of: &'a [Load],
    seen: HashSet<Value>,
    /// The loads of elements among it.
    loads: HashSet<Ptr<Operation>>,
}

impl Slice<'_> {
    fn value(&mut self, value: Value) {
        let Some(op) = value.defining_op().filter(|_| self.seen.insert(value)) else {
            return;
        };
        if self.of.iter().any(|l| l.get_operation() == op) {
            self.loads.insert(op);
            return;
        }
        let variable = Operation::get_op::<Load>(op, self.ctx)
            .map(|l| l.get_operand_address(self.ctx))
            .filter(|a| {
                a.defining_op()
                    .is_some_and(|d| Operation::is_op::<Alloca>(d, self.ctx))
            });
        if let Some(variable) = variable {
            for using in variable.uses(self.ctx) {
                if let Some(store) = Operation::get_op::<Store>(using.user_op(), self.ctx)
                    && store.get_operand_address(self.ctx) == variable
                {
                    self.value(store.get_operand_value(self.ctx));
                    self.conditions(store.get_operation());
                }
            }
        }
        for operand in operands_of(self.ctx, op) {
            self.value(operand);
        }
        // The arms of a conditional value.
        for inner in nested_ops(self.ctx, op) {
            for operand in operands_of(self.ctx, inner) {
                self.value(operand);
            }
        }
    }

    /// The conditions under which `op` is executed.
    fn conditions(&mut self, op: Ptr<Operation>) {
        let mut around = op.deref(self.ctx).get_parent_op(self.ctx);
        while let Some(op) = around {
            if Operation::is_op::<If>(op, self.ctx) {
                for operand in operands_of(self.ctx, op) {
                    self.value(operand);
                }
            }
            around = op.deref(self.ctx).get_parent_op(self.ctx);
        }
    }
}

/// Loads become the identity, stores atomic updates. `None`: the operator is not defined for the type.
fn replace(ctx: &mut Context, info: ReductionInfo, sites: &Sites) -> Option<()> {
    for load in &sites.loads {
        let (op, old) = (load.get_operation(), load.get_result(ctx));
        let ty = old.get_type(ctx);
        let value = identity(&mut Emitter::before(ctx, op), info, ty).ok()?;
        old.replace_all_uses_with(ctx, &value);
        Operation::erase(op, ctx);
    }
    for store in &sites.stores {
        let op = store.get_operation();
        let (value, address) = (store.get_operand_value(ctx), store.get_operand_address(ctx));
        let mut at = Emitter::before(ctx, op);
        let (update, block) = AtomicUpdate::new(at.ctx, address);
        at.op(|_| update);
        let mut inside = Emitter::at_end_of(ctx, block, op);
        let old = block.deref(inside.ctx).get_argument(0);
        let new = combine(&mut inside, info, old, value).ok()?;
        inside.op(|c| Yield::new(c, vec![new]));
        Operation::erase(op, ctx);
    }
    Some(())
}
