//! Pass `strength`: addresses that move by the same distance in every iteration of a sequential loop are added up instead of
//! being computed anew.
//!
//! A thread of a GPU pays for each integer operation; `b[k * n + j]` costs a multiplication, an addition and a wide
//! multiplication per iteration, and PTX's assembler, which does not know that the index cannot overflow, keeps them.
//!
//! ```text
//!                                            p = &b[lo * n + j];  distance = ((lo + 1) * n + j) - (lo * n + j)
//! core.for k = lo to hi step 1 {        →    core.for k = lo to hi step 1 {
//!   … b[k * n + j] …                           … *p …;  p += distance
//! }                                          }
//! ```
//!
//! The index must be linear in the induction variable by operations that cannot overflow in C (signed `+`, `-`, `*` with
//! one operand that stays the same, sign extension), or that have as many bits as an address, so that an index that wraps is
//! an address that wraps. An unsigned induction variable may also be extended by zeros: it never wraps itself. Loops with more than [`MAX_POINTERS`] such addresses are left alone:
//! each takes a register.
//!
//! Cost: linear in the size of the loops, times the size of an index.

use accrue_dialects::core::dead_code::erase_dead_in;
use accrue_dialects::core::{emit::Emitter, fold::constant};
use accrue_dialects::{
    View,
    core::{
        Alloca, Bin, BinKind, Cast, CastKind, CoreOp, For, Load, PtrAdd, Ring, Store, Yield,
        int_width,
    },
    par::ParOp,
};
use accrue_ir::{
    effects::is_pure,
    walk::{is_inside, nested, nested_ops, operands_of, ops_of_block, results_of},
};
use pliron::{
    builtin::{
        op_interfaces::{OneOpdInterface, OneResultInterface, SingleBlockRegionInterface},
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    region::Region,
    r#type::Typed,
    value::Value,
};

use crate::State;

/// More pointers than this cost more registers than they save time.
const MAX_POINTERS: usize = 4;
/// The same where a loop does several rows (pass `rows`), whose addresses cost as much each.
const MAX_POINTERS_OF_ROWS: usize = 8;

/// Reduces the strength of addresses in the sequential loops of kernels and of the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.reduces_strength {
        return;
    }
    for func in nested::<FuncOp>(ctx, module.get_operation()) {
        for lp in nested::<For>(ctx, func.get_operation()) {
            let addresses = candidates(ctx, lp);
            let most = match lp.is_jammed(ctx) {
                true => MAX_POINTERS_OF_ROWS,
                false => MAX_POINTERS,
            };
            if addresses.len() <= most {
                for address in addresses {
                    reduce(ctx, lp, address);
                }
                let body = lp.get_operation().deref(ctx).get_region(0);
                erase_dead_in(ctx, body);
            }
        }
    }
}

/// A sequential loop with step 1, seen from its body.
pub(crate) struct Body {
    region: Ptr<Region>,
    block: Ptr<pliron::basic_block::BasicBlock>,
    iv: Value,
    /// The induction variable is unsigned.
    unsigned: bool,
    /// No iteration writes memory that one of them reads.
    steady: bool,
}

impl Body {
    pub(crate) fn of(ctx: &Context, lp: For) -> Self {
        let block = lp.get_body(ctx, 0);
        Body {
            region: lp.get_operation().deref(ctx).get_region(0),
            block,
            iv: block.deref(ctx).get_argument(0),
            unsigned: lp.info(ctx).unsigned,
            steady: false,
        }
    }

    /// Of a loop none of whose iterations writes memory that one of them reads.
    pub(crate) fn of_steady(ctx: &Context, lp: For) -> Self {
        Body {
            steady: true,
            ..Body::of(ctx, lp)
        }
    }

    /// Whether each iteration loads the same from memory: nobody writes there, and every iteration comes to the load.
    fn loads_the_same(&self, ctx: &Context, load: Load) -> bool {
        self.steady
            && !load.is_volatile(ctx)
            && load.get_operation().deref(ctx).get_parent_block() == Some(self.block)
            && change(ctx, self, load.get_operand_address(ctx)) == Some(Change::Never)
    }
}

/// The addresses of a sequential innermost loop that move by the same distance in every iteration.
fn candidates(ctx: &Context, lp: For) -> Vec<PtrAdd> {
    let inside = nested_ops(ctx, lp.get_operation());
    let suitable = inside.iter().all(|op| is_suitable(ctx, *op));
    if constant(ctx, lp.get_operand_step(ctx)) != Some(1) || !suitable {
        return vec![];
    }
    let body = Body::of(ctx, lp);
    ops_of_block(ctx, body.block)
        .into_iter()
        .filter_map(|op| Operation::get_op::<PtrAdd>(op, ctx))
        .filter(|address| {
            let (base, index) = (
                address.get_operand_base(ctx),
                address.get_operand_index(ctx),
            );
            change(ctx, &body, base) == Some(Change::Never)
                && change(ctx, &body, index) == Some(Change::Linear)
        })
        .collect()
}

/// Whether `op` may be in a sequential innermost loop whose every iteration comes to its end.
fn is_suitable(ctx: &Context, op: Ptr<Operation>) -> bool {
    match View::of(ctx, op) {
        View::Core(op) => match op {
            CoreOp::For(_) | CoreOp::Loop(_) | CoreOp::Continue(_) => false,
            CoreOp::ExternFunc(_) | CoreOp::RecordDef(_) => false,
            CoreOp::Const(_)
            | CoreOp::FConst(_)
            | CoreOp::Null(_)
            | CoreOp::Bin(_)
            | CoreOp::Un(_)
            | CoreOp::Cmp(_)
            | CoreOp::Cast(_)
            | CoreOp::ComplexMake(_)
            | CoreOp::Real(_)
            | CoreOp::Imag(_)
            | CoreOp::Select(_)
            | CoreOp::Alloca(_)
            | CoreOp::AddressOf(_)
            | CoreOp::StringConst(_)
            | CoreOp::Load(_)
            | CoreOp::Store(_)
            | CoreOp::Copy(_)
            | CoreOp::Zero(_)
            | CoreOp::PtrAdd(_)
            | CoreOp::PtrDiff(_)
            | CoreOp::Decay(_)
            | CoreOp::Member(_)
            | CoreOp::LoadBits(_)
            | CoreOp::StoreBits(_)
            | CoreOp::Extent(_)
            | CoreOp::AtomicLoad(_)
            | CoreOp::AtomicStore(_)
            | CoreOp::AtomicUpdate(_)
            | CoreOp::If(_)
            | CoreOp::Switch(_)
            | CoreOp::Yield(_)
            | CoreOp::Call(_)
            | CoreOp::Opaque(_) => true,
            // Out of a switch, or out of the function and so out of all loops.
            CoreOp::Break(_) | CoreOp::Return(_) => true,
        },
        View::Par(op) => match op {
            ParOp::Lock(_) | ParOp::Unlock(_) => true,
            ParOp::RedSetup(_) | ParOp::RedInit(_) => true,
            ParOp::RedFini(_) | ParOp::RedTeardown(_) => true,
            // The loop is partitioned, or one in it.
            ParOp::Fork(_) | ParOp::Join(_) | ParOp::Barrier(_) => false,
            ParOp::DimPos(_) | ParOp::DimSize(_) => false,
            ParOp::Loop(_) | ParOp::Reduce(_) => false,
        },
        // In kernels there is nothing of `acc` any more, and nothing of the target's own yet.
        View::Source(_) | View::Simt(_) | View::Other => false,
    }
}

/// How a value changes from iteration to iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Never,
    /// By the same difference each time.
    Linear,
}

/// `None` if it changes in another way, or nobody knows.
pub(crate) fn change(ctx: &Context, body: &Body, value: Value) -> Option<Change> {
    if value == body.iv {
        return Some(Change::Linear);
    }
    let Some(op) = value
        .defining_op()
        .filter(|op| is_inside(ctx, *op, body.region))
    else {
        return Some(Change::Never);
    };
    if let Some(load) = Operation::get_op::<Load>(op, ctx) {
        return match variable(ctx, body, load) {
            Some(Variable::Unchanged) => Some(Change::Never),
            Some(Variable::Holds(value)) => change(ctx, body, value),
            None => body.loads_the_same(ctx, load).then_some(Change::Never),
        };
    }
    if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
        let operand = cast.get_operand(ctx);
        let inner = change(ctx, body, operand)?;
        let keeps = match cast.kind(ctx) {
            CastKind::SExt => !(body.unsigned && is_counter(ctx, body, operand)),
            CastKind::ZExt => body.unsigned && is_counter(ctx, body, operand),
            _ => false,
        };
        return (inner == Change::Never || keeps).then_some(inner);
    }
    let operands: Option<Vec<_>> = operands_of(ctx, op)
        .into_iter()
        .map(|o| change(ctx, body, o))
        .collect();
    let operands = operands?;
    if operands.iter().all(|c| *c == Change::Never) {
        return (is_pure(ctx, op) && op.deref(ctx).num_regions() == 0).then_some(Change::Never);
    }
    let bin = Operation::get_op::<Bin>(op, ctx)?;
    let linear = match bin.kind(ctx) {
        BinKind::AddS | BinKind::SubS => true,
        BinKind::MulS => operands.contains(&Change::Never),
        // Addresses have 64 bits; wrapping there is wrapping of the address.
        BinKind::Add | BinKind::Sub => is_wide(ctx, value),
        BinKind::Mul => is_wide(ctx, value) && operands.contains(&Change::Never),
        _ => false,
    };
    linear.then_some(Change::Linear)
}

fn is_wide(ctx: &Context, value: Value) -> bool {
    int_width(ctx, value.get_type(ctx)) == Some(64)
}

/// Whether `value` is the induction variable itself, perhaps by way of a variable of the body.
fn is_counter(ctx: &Context, body: &Body, value: Value) -> bool {
    let load = value
        .defining_op()
        .and_then(|op| Operation::get_op::<Load>(op, ctx));
    value == body.iv
        || load.is_some_and(|load| match variable(ctx, body, load) {
            Some(Variable::Holds(held)) => held == body.iv,
            Some(Variable::Unchanged) | None => false,
        })
}

/// By how much a linear value changes in each iteration, if that is a value which the source multiplies the induction
/// variable with.
fn factor(ctx: &Context, body: &Body, value: Value) -> Option<Value> {
    let op = value.defining_op()?;
    if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
        return factor(ctx, body, cast.get_operand(ctx));
    }
    let bin = Operation::get_op::<Bin>(op, ctx)?;
    let (lhs, rhs) = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
    let (left, right) = (
        constant_distance(ctx, body, lhs),
        constant_distance(ctx, body, rhs),
    );
    match (bin.kind(ctx), left, right) {
        (BinKind::MulS | BinKind::Mul, Some(1), Some(0)) => Some(rhs),
        (BinKind::MulS | BinKind::Mul, Some(0), Some(1)) => Some(lhs),
        (BinKind::AddS | BinKind::SubS | BinKind::Add | BinKind::Sub, None, Some(0)) => {
            factor(ctx, body, lhs)
        }
        (BinKind::AddS | BinKind::Add, Some(0), None) => factor(ctx, body, rhs),
        _ => None,
    }
}

/// By how much a linear value changes in each iteration, if that is a constant.
pub(crate) fn constant_distance(ctx: &Context, body: &Body, value: Value) -> Option<i128> {
    match change(ctx, body, value)? {
        Change::Never => return Some(0),
        Change::Linear if value == body.iv => return Some(1),
        Change::Linear => {}
    }
    let op = value.defining_op()?;
    if let Some(load) = Operation::get_op::<Load>(op, ctx) {
        return match variable(ctx, body, load)? {
            Variable::Unchanged => Some(0),
            Variable::Holds(value) => constant_distance(ctx, body, value),
        };
    }
    if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
        return constant_distance(ctx, body, cast.get_operand(ctx));
    }
    let bin = Operation::get_op::<Bin>(op, ctx)?;
    let (lhs, rhs) = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
    let (left, right) = (
        constant_distance(ctx, body, lhs),
        constant_distance(ctx, body, rhs),
    );
    match bin.kind(ctx).ring()? {
        Ring::Sum => left?.checked_add(right?),
        Ring::Difference => left?.checked_sub(right?),
        Ring::Product => match (constant(ctx, lhs), constant(ctx, rhs)) {
            (_, Some(factor)) => left?.checked_mul(factor),
            (Some(factor), _) => right?.checked_mul(factor),
            (None, None) => None,
        },
    }
}

/// What a load from a local variable gives.
enum Variable {
    /// The same in all iterations.
    Unchanged,
    /// What the iteration has stored there before, once.
    Holds(Value),
}

fn variable(ctx: &Context, body: &Body, load: Load) -> Option<Variable> {
    let address = load.get_operand_address(ctx);
    let alloca = address.defining_op()?;
    Operation::get_op::<Alloca>(alloca, ctx)?;
    let mut stores = vec![];
    for using in address.uses(ctx) {
        let user = using.user_op();
        if Operation::is_op::<Load>(user, ctx) {
            continue;
        }
        let store = Operation::get_op::<Store>(user, ctx)?;
        if store.get_operand_value(ctx) == address || load.is_volatile(ctx) {
            return None;
        }
        stores.push(store);
    }
    stores.retain(|s| is_inside(ctx, s.get_operation(), body.region));
    if !is_inside(ctx, alloca, body.region) {
        return stores.is_empty().then_some(Variable::Unchanged);
    }
    let [store] = stores.as_slice() else {
        return None;
    };
    // The variable is made in the body, so a load after the only store, in the same block, sees its value.
    let order = ops_of_block(ctx, body.block);
    let at = |op| order.iter().position(|o| *o == op);
    (at(store.get_operation())? < at(load.get_operation())?)
        .then(|| Variable::Holds(store.get_operand_value(ctx)))
}

/// Keeps `address` in a variable that every iteration moves on.
fn reduce(ctx: &mut Context, lp: For, address: PtrAdd) {
    let body = Body::of(ctx, lp);
    let lower = lp.get_operand_lower(ctx);
    let (base, index) = (
        address.get_operand_base(ctx),
        address.get_operand_index(ctx),
    );
    let width = int_width(ctx, lower.get_type(ctx)).unwrap_or(64);
    let mut e = Emitter::before(ctx, lp.get_operation());
    let one = e.int(width, 1);
    let next = e.bin(BinKind::Add, lower, one);
    let base = at(&mut e, &body, base, lower);
    let first = at(&mut e, &body, index, lower);
    let first = e.widen(first, false);
    let distance = match (
        constant_distance(e.ctx, &body, index),
        factor(e.ctx, &body, index),
    ) {
        (Some(distance), _) => e.i64(distance),
        // Kept narrow: one instruction then widens and adds it.
        (None, Some(factor)) => at(&mut e, &body, factor, lower),
        (None, None) => {
            let second = at(&mut e, &body, index, next);
            let second = e.widen(second, false);
            e.bin(BinKind::Sub, second, first)
        }
    };
    let start = e.ptr_add(base, first);
    let ty = start.get_type(e.ctx);
    let pointer = e.alloca(ty, None);
    e.store(start, pointer);
    let mut e = Emitter::before(e.ctx, address.get_operation());
    let here = e.load(pointer);
    address
        .get_result(e.ctx)
        .replace_all_uses_with(e.ctx, &here);
    Operation::erase(address.get_operation(), e.ctx);
    let end = ops_of_block(e.ctx, body.block)
        .into_iter()
        .find(|op| Operation::is_op::<Yield>(*op, e.ctx));
    if let Some(end) = end {
        let mut e = Emitter::before(e.ctx, end);
        let here = e.load(pointer);
        let moved = e.ptr_add(here, distance);
        e.store(moved, pointer);
    }
}

/// The value that `value` has in the iteration with induction variable `iv`, computed before the loop.
pub(crate) fn at(e: &mut Emitter, body: &Body, value: Value, iv: Value) -> Value {
    if value == body.iv {
        return iv;
    }
    let Some(op) = value
        .defining_op()
        .filter(|op| is_inside(e.ctx, *op, body.region))
    else {
        return value;
    };
    if let Some(load) = Operation::get_op::<Load>(op, e.ctx) {
        match variable(e.ctx, body, load) {
            Some(Variable::Holds(held)) => return at(e, body, held, iv),
            Some(Variable::Unchanged) | None => {}
        }
    }
    let mut mapping = IrMapping::new();
    for operand in operands_of(e.ctx, op) {
        let there = at(e, body, operand, iv);
        mapping.map_value(operand, there);
    }
    let clone = e.copy(op, &mut mapping);
    results_of(e.ctx, clone).first().copied().unwrap_or(value)
}
