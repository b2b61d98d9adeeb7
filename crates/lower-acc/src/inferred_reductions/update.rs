//! Updates of a variable by one associative operator, however they are spelled.
//!
//! ```text
//! s += x;   s = x + s;   s -= x;   s++;                             +
//! m = fmax(m, x);   if (x > m) m = x;   m = m < x ? x : m;          max
//! bits |= x;                                                        |
//! all = all && x;                                                   &&
//! ```
//!
//! From each load of the variable its value is followed, through uses that are the only ones, to the store into the same
//! variable. A value that is used for anything else is more than an update. What is the variable, or the element, who asks knows.

use accrue_dialects::{
    View,
    address_use::{UseKind, use_of},
    core::{
        Bin, BinKind, Call, Cast, CastKind, Cmp, CmpKind, CoreOp, Externs, If, Known, Load, Store,
        Yield, float_width, fold::constant, int_width,
    },
    par::ReductionOperator,
};
use accrue_ir::{
    effects::effects_of,
    walk::{nested_in_region, operands_of, ops_of_region, regions_of, results_of},
};
use accrue_opt::analysis::alike::are_same;
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    region::Region,
    r#type::{TypeHandle, Typed},
    value::Value,
};
use std::collections::HashSet;

/// What all updates of a variable do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Update {
    pub operator: ReductionOperator,
    /// How integers compare.
    pub signed: bool,
}

/// The one operator by which `uses`, all that a region does with the variable, update it. `own` says of an address whether it is
/// the variable's.
pub fn common_update(
    ctx: &Context,
    externs: &Externs,
    own: &dyn Fn(Value) -> bool,
    uses: &[Ptr<Operation>],
) -> Option<Update> {
    let mut follower = Follower {
        ctx,
        externs,
        own,
        explained: HashSet::new(),
    };
    let mut found: Option<Update> = None;
    for at in uses {
        let Some(load) = Operation::get_op::<Load>(*at, ctx) else {
            continue;
        };
        if load.is_volatile(ctx) {
            return None;
        }
        // The other arm of a conditional value loads it too.
        let Some(update) = follower.follow(load.get_result(ctx)) else {
            continue;
        };
        if found.is_some_and(|other| other != update) {
            return None;
        }
        follower.explained.insert(*at);
        found = Some(update);
    }
    let all = uses.iter().all(|at| follower.explained.contains(at));
    found.filter(|_| all)
}

struct Follower<'a> {
    ctx: &'a Context,
    externs: &'a Externs,
    own: &'a dyn Fn(Value) -> bool,
    /// Loads and stores that belong to an update.
    explained: HashSet<Ptr<Operation>>,
}

impl Follower<'_> {
    /// The update that the old value `value` is for.
    fn follow(&mut self, mut value: Value) -> Option<Update> {
        let ctx = self.ctx;
        let own = value.get_type(ctx);
        let mut found: Option<Update> = None;
        let (mut widened, mut asked) = (false, false);
        loop {
            let (op, index) = only_use(ctx, value)?;
            let View::Core(op_of_core) = View::of(ctx, op) else {
                return None;
            };
            // Whether it is true, the rest works on: only `&&` and `||` combine that.
            if asked && !matches!(op_of_core, CoreOp::Cast(_) | CoreOp::If(_)) {
                return None;
            }
            let update = match op_of_core {
                CoreOp::Bin(bin) => Some(of_bin(ctx, bin, index)?),
                CoreOp::Call(call) => Some(Update {
                    operator: match self.externs.known(&call.callee(ctx))? {
                        Known::Max => ReductionOperator::Max,
                        Known::Min => ReductionOperator::Min,
                        _ => return None,
                    },
                    signed: true,
                }),
                CoreOp::Cast(cast) => {
                    match cast_of(ctx, cast, own, found)? {
                        Casted::Widened => widened = true,
                        Casted::Stored => {}
                        Casted::IsTrue(update) => found = Some(update),
                        Casted::Condition => asked = true,
                    }
                    value = cast.get_result(ctx);
                    continue;
                }
                CoreOp::Store(store) => return self.at_store(store, found.filter(|_| index == 0)),
                // A condition compares the value itself, or the same in more bits.
                CoreOp::Cmp(cmp) if found.is_none() => return self.at_condition(cmp, index),
                CoreOp::If(branch) if found.is_none() => return self.at_short_circuit(branch),
                CoreOp::Cmp(_)
                | CoreOp::If(_)
                | CoreOp::Alloca(_)
                | CoreOp::StringConst(_)
                | CoreOp::Null(_)
                | CoreOp::PtrAdd(_)
                | CoreOp::Decay(_)
                | CoreOp::Member(_)
                | CoreOp::Select(_)
                | CoreOp::Load(_)
                | CoreOp::Const(_)
                | CoreOp::FConst(_)
                | CoreOp::Un(_)
                | CoreOp::ComplexMake(_)
                | CoreOp::Real(_)
                | CoreOp::Imag(_)
                | CoreOp::AddressOf(_)
                | CoreOp::Copy(_)
                | CoreOp::Zero(_)
                | CoreOp::PtrDiff(_)
                | CoreOp::LoadBits(_)
                | CoreOp::StoreBits(_)
                | CoreOp::Extent(_)
                | CoreOp::AtomicLoad(_)
                | CoreOp::AtomicStore(_)
                | CoreOp::AtomicUpdate(_)
                | CoreOp::Yield(_)
                | CoreOp::Break(_)
                | CoreOp::Continue(_)
                | CoreOp::Return(_)
                | CoreOp::Loop(_)
                | CoreOp::Switch(_)
                | CoreOp::For(_)
                | CoreOp::ExternFunc(_)
                | CoreOp::RecordDef(_)
                | CoreOp::Opaque(_) => return None,
            };
            if found.is_some_and(|other| Some(other) != update) {
                return None;
            }
            let extremum = update.is_some_and(|u| is_extremum(u.operator));
            if widened && extremum && int_width(ctx, value.get_type(ctx)).is_some() {
                return None;
            }
            found = update;
            value = results_of(ctx, op).first().copied()?;
        }
    }

    /// The end of an update.
    fn at_store(&mut self, store: Store, update: Option<Update>) -> Option<Update> {
        let address = store.get_operand_address(self.ctx);
        if !(self.own)(address) || store.is_volatile(self.ctx) {
            return None;
        }
        // `s = s + s` has the old value on both sides.
        let first = self.explained.insert(store.get_operation());
        update.filter(|_| first)
    }

    /// `if (x > m) m = x;` and `m = x > m ? x : m;`, of which `cmp` is the condition.
    fn at_condition(&mut self, cmp: Cmp, index: usize) -> Option<Update> {
        let ctx = self.ctx;
        let (x, condition) = match index {
            0 => (cmp.get_operand_rhs(ctx), cmp.get_result(ctx)),
            _ => (cmp.get_operand_lhs(ctx), cmp.get_result(ctx)),
        };
        let (greater, signed) = order(cmp.kind(ctx))?;
        // Whether the condition says that x is the greater one.
        let x_is_greater = greater == (index == 1);
        let (op, 0) = only_use(ctx, condition)? else {
            return None;
        };
        let branch = Operation::get_op::<If>(op, ctx)?;
        let regions = regions_of(ctx, op);
        let [then, other] = regions.as_slice() else {
            return None;
        };
        let arms = [*then, *other];
        if arms
            .into_iter()
            .any(|arm| has_effects_but(ctx, self.externs, arm, self.own))
        {
            return None;
        }
        let takes_x = match results_of(ctx, branch.get_operation()).first() {
            None => {
                let store = only_store(ctx, *then, self.own)?;
                let taken = store.get_operand_value(ctx);
                if !are_same(ctx, self.externs, taken, x) || !is_untouched(ctx, *other, self.own) {
                    return None;
                }
                self.at_store(store, None);
                true
            }
            Some(result) => {
                let (yes, no) = (yielded(ctx, *then)?, yielded(ctx, *other)?);
                let (taken, kept, takes_x) = match are_same(ctx, self.externs, yes, x) {
                    true => (yes, no, true),
                    false => (no, yes, false),
                };
                let old = Operation::get_op::<Load>(kept.defining_op()?, ctx)?;
                let address = old.get_operand_address(ctx);
                let is_old = (self.own)(address);
                if !is_old
                    || only_use(ctx, kept).is_none()
                    || !are_same(ctx, self.externs, taken, x)
                {
                    return None;
                }
                let (op, _) = only_use(ctx, *result)?;
                self.at_store(Operation::get_op::<Store>(op, ctx)?, None);
                if !self.explained.contains(&op) {
                    return None;
                }
                self.explained.insert(old.get_operation());
                takes_x
            }
        };
        let operator = match x_is_greater == takes_x {
            true => ReductionOperator::Max,
            false => ReductionOperator::Min,
        };
        Some(Update { operator, signed })
    }

    /// `all = all && x;` and `any = any || x;`, of which the old value is the condition.
    fn at_short_circuit(&mut self, branch: If) -> Option<Update> {
        let ctx = self.ctx;
        let regions = regions_of(ctx, branch.get_operation());
        let [then, other] = regions.as_slice() else {
            return None;
        };
        let (yes, no) = (yielded(ctx, *then)?, yielded(ctx, *other)?);
        let operator = match (constant(ctx, yes), constant(ctx, no)) {
            (None, Some(0)) => ReductionOperator::LogicalAnd,
            (Some(1), None) => ReductionOperator::LogicalOr,
            _ => return None,
        };
        let mut value = *results_of(ctx, branch.get_operation()).first()?;
        int_width(ctx, value.get_type(ctx)).filter(|width| *width == 1)?;
        loop {
            let (op, index) = only_use(ctx, value)?;
            if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
                let keeps = matches!(cast.kind(ctx), CastKind::ZExt | CastKind::ToBool);
                value = cast.get_result(ctx);
                if keeps {
                    continue;
                }
                return None;
            }
            let update = Update {
                operator,
                signed: true,
            };
            let store = Operation::get_op::<Store>(op, ctx).filter(|_| index == 0)?;
            return self.at_store(store, Some(update));
        }
    }
}

/// The operation that alone uses `value`, and as which operand.
pub fn only_use(ctx: &Context, value: Value) -> Option<(Ptr<Operation>, usize)> {
    let uses = value.uses(ctx);
    match uses.as_slice() {
        [one] => {
            let op = one.user_op();
            let index = operands_of(ctx, op).iter().position(|v| *v == value)?;
            Some((op, index))
        }
        _ => None,
    }
}

/// The update that `bin` does with the operand number `index`.
pub fn of_bin(ctx: &Context, bin: Bin, index: usize) -> Option<Update> {
    let (operator, signed) = match bin.kind(ctx) {
        BinKind::Add | BinKind::AddS | BinKind::FAdd => (ReductionOperator::Add, true),
        BinKind::Sub | BinKind::SubS | BinKind::FSub if index == 0 => {
            (ReductionOperator::Add, true)
        }
        BinKind::Mul | BinKind::MulS | BinKind::FMul => (ReductionOperator::Mul, true),
        BinKind::And => (ReductionOperator::BitAnd, true),
        BinKind::Or => (ReductionOperator::BitOr, true),
        BinKind::Xor => (ReductionOperator::BitXor, true),
        BinKind::MaxS | BinKind::FMax => (ReductionOperator::Max, true),
        BinKind::MaxU => (ReductionOperator::Max, false),
        BinKind::MinS | BinKind::FMin => (ReductionOperator::Min, true),
        BinKind::MinU => (ReductionOperator::Min, false),
        BinKind::Sub
        | BinKind::SubS
        | BinKind::FSub
        | BinKind::DivS
        | BinKind::DivU
        | BinKind::RemS
        | BinKind::RemU
        | BinKind::Shl
        | BinKind::ShrS
        | BinKind::ShrU
        | BinKind::FDiv => return None,
    };
    Some(Update { operator, signed })
}

/// What a cast between load and store means.
enum Casted {
    /// The same number in more bits.
    Widened,
    /// To the variable's own type, as every store to it.
    Stored,
    /// A `_Bool` that `|=` has promoted.
    IsTrue(Update),
    /// What a condition asks.
    Condition,
}

/// `None`: what rounds, cuts off or asks in every step, and not as the variable itself does, is more than the operator.
fn cast_of(ctx: &Context, cast: Cast, own: TypeHandle, found: Option<Update>) -> Option<Casted> {
    let to = cast.get_result(ctx).get_type(ctx);
    let wider = || {
        let from = cast.get_operand_value(ctx).get_type(ctx);
        float_width(ctx, to) > float_width(ctx, from)
    };
    match cast.kind(ctx) {
        CastKind::SExt | CastKind::ZExt => Some(Casted::Widened),
        CastKind::FCast if wider() => Some(Casted::Widened),
        CastKind::Trunc | CastKind::FCast => {
            (to == own && found.is_some()).then_some(Casted::Stored)
        }
        CastKind::ToBool => match found.map(|update| update.operator) {
            None => Some(Casted::Condition),
            Some(ReductionOperator::BitOr) if to == own => Some(Casted::IsTrue(Update {
                operator: ReductionOperator::LogicalOr,
                signed: true,
            })),
            Some(_) => None,
        },
        CastKind::SToF
        | CastKind::UToF
        | CastKind::FToS
        | CastKind::FToU
        | CastKind::IntToPtr
        | CastKind::PtrToInt
        | CastKind::PtrCast
        | CastKind::RealToComplex
        | CastKind::ComplexCast => None,
    }
}

pub fn is_extremum(operator: ReductionOperator) -> bool {
    matches!(operator, ReductionOperator::Max | ReductionOperator::Min)
}

/// Whether a comparison says that its first operand is the greater one, and how it compares integers.
fn order(kind: CmpKind) -> Option<(bool, bool)> {
    match kind {
        CmpKind::GtS | CmpKind::GeS | CmpKind::FGt | CmpKind::FGe => Some((true, true)),
        CmpKind::GtU | CmpKind::GeU => Some((true, false)),
        CmpKind::LtS | CmpKind::LeS | CmpKind::FLt | CmpKind::FLe => Some((false, true)),
        CmpKind::LtU | CmpKind::LeU => Some((false, false)),
        CmpKind::Eq | CmpKind::Ne | CmpKind::FEq | CmpKind::FNe => None,
    }
}

/// Whether anything but the variable may be other after the region, or where it ends.
fn has_effects_but(
    ctx: &Context,
    externs: &Externs,
    region: Ptr<Region>,
    own: &dyn Fn(Value) -> bool,
) -> bool {
    let mut ops = vec![];
    nested_in_region(ctx, region, &mut ops);
    ops.into_iter().any(|op| {
        let stores = Operation::get_op::<Store>(op, ctx)
            .is_some_and(|store| own(store.get_operand_address(ctx)));
        let ends = matches!(
            View::of(ctx, op),
            View::Core(CoreOp::Break(_) | CoreOp::Continue(_) | CoreOp::Return(_))
        );
        let pure = Operation::get_op::<Call>(op, ctx)
            .is_some_and(|call| externs.traits(&call.callee(ctx)).pure);
        ends || !stores && !pure && effects_of(ctx, op).may_write()
    })
}

/// The one store to the variable in the region, where nothing else uses it.
fn only_store(ctx: &Context, region: Ptr<Region>, own: &dyn Fn(Value) -> bool) -> Option<Store> {
    let ops = ops_of_region(ctx, region);
    let mut touching = ops.into_iter().filter(|op| touches(ctx, *op, own));
    let store = Operation::get_op::<Store>(touching.next()?, ctx)?;
    touching.next().is_none().then_some(store)
}

fn is_untouched(ctx: &Context, region: Ptr<Region>, own: &dyn Fn(Value) -> bool) -> bool {
    let mut ops = vec![];
    nested_in_region(ctx, region, &mut ops);
    !ops.into_iter().any(|op| touches(ctx, op, own))
}

fn touches(ctx: &Context, op: Ptr<Operation>, own: &dyn Fn(Value) -> bool) -> bool {
    let mut operands = operands_of(ctx, op).into_iter().enumerate();
    operands.any(|(index, value)| {
        // The address of the first element is that of the array.
        own(value) && !matches!(use_of(ctx, op, index), UseKind::Derive)
    })
}

/// The one value that a region gives.
fn yielded(ctx: &Context, region: Ptr<Region>) -> Option<Value> {
    let end = ops_of_region(ctx, region).last().copied()?;
    let end = Operation::get_op::<Yield>(end, ctx)?;
    match operands_of(ctx, end.get_operation()).as_slice() {
        [value] => Some(*value),
        _ => None,
    }
}
