//! Nests that a program has written as one loop, whose places it finds by divisions, are nests again.
//!
//! ```text
//! for t < n * m                              for i < n
//!   i = t / m, j = t % m           →           for j < m
//!   b[t] = a[j * n + i]                          b[i * m + j] = a[j * n + i]
//! ```
//! Threads of a grid of two dimensions have nothing to divide, and passes behind this one see along which loop an array is accessed, or which
//! elements neighbours share: a transposition that was written so took twice its time, a product of matrices five times.
//!
//! 1. All that the counter, a number from 0 on, or a wider copy of it, is divided by are products of constants and of what does not change in the loop,
//!    and one of them is a part of all others: `m` of `m` and `k * m`. Shifts and masks by constants are divisions.
//! 2. The loop becomes one of two dimensions, the inner one of that length. What else the counter is used for is computed from both.
//! 3. The same for the outer dimension, which is divided further: `t / m % k`, or `rest = t / m; rest % k`.
//!
//! The version is taken before the one whose grid has the loop's one dimension. The launch has to find that the lengths of the dimensions are that of
//! the loop, multiplied, and that the columns fill warps, unless their number is known ([`COVERED_IF`]).
//!
//! Cost: linear in the number of the counter's uses, for each dimension.

use accrue_abi::{launch::WARP, trip::Step};
use accrue_dialects::{
    core::{Bin, BinKind, Cast, CastKind, emit::Emitter, fold::constant, int_width},
    flow::Flow,
    par::{
        Loop, LoopDim, LoopTest,
        kernels::{COVERED_IF, Condition, Steps},
    },
};
use accrue_ir::walk::{nested, nested_ops, ops_of_block};
use pliron::{
    builtin::{
        op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
        ops::FuncOp,
    },
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

use super::{
    boxes::Dim,
    factors::{Factors, kinds},
    hoist, is_inside,
};
use crate::{
    analysis::{
        affine::Affine,
        exact_trip::exact,
        strides::{Stride, accessed, stride},
        variables::is_in_variable,
    },
    gpu::forward::forward,
};

/// Dimensions that a loop may get.
const MOST_DIMS: usize = 6;

/// A constant divisor that is worth a dimension.
const FEWEST: i128 = 4;

/// Whether something in the kernel may be a digit of a counter.
pub fn may_divide(ctx: &Context, kernel: FuncOp) -> bool {
    let mut all = nested::<Bin>(ctx, kernel.get_operation()).into_iter();
    all.any(|bin| takes_apart(bin.kind(ctx)))
}

/// Makes a nest of the loop, as far as it can be one; `None`, with the version half changed, if it cannot, or nothing is gained.
pub fn unflatten(ctx: &mut Context, version: FuncOp, lp: Loop) -> Option<Loop> {
    let [((_, limit, _), what)] = lp.dims(ctx)[..] else {
        return None;
    };
    // What is left to be divided stands in a variable.
    forward(ctx, lp.get_operation());
    let body = lp.get_body(ctx, 0);
    let counter = body.deref(ctx).get_argument(0);
    let copies = copies(ctx, counter);
    if !copies.iter().any(|copy| is_divided(ctx, *copy)) {
        return None;
    }
    // Divisors, too.
    hoist(ctx, lp, body);
    let launch = Launch { version, what };
    let all = launch.number(ctx, limit)?;
    let mut whole = lp;
    let mut conditions = vec![];
    while whole.dims(ctx).len() < MOST_DIMS {
        let Some((split, condition)) = split(ctx, launch, whole) else {
            break;
        };
        whole = split;
        conditions.extend(condition);
    }
    let counts = whole.dims(ctx).into_iter().map(|((_, count, _), _)| count);
    let counts: Vec<Value> = counts.collect();
    if counts.len() == 1 || !pays(ctx, whole) {
        return None;
    }
    let mut steps = launch.is_product(ctx, all, counts)?;
    for condition in conditions {
        steps.extend(condition);
        steps.push(Step::Mul);
    }
    COVERED_IF.set(ctx, version.get_operation(), Condition(Steps(steps)));
    Some(whole)
}

/// Whether something is gained by a nest: what loops inside of it share, or columns along an array that the loop as it was goes across.
fn pays(ctx: &Context, nest: Loop) -> bool {
    let inside = nested_ops(ctx, nest.get_operation());
    let has_loops = inside.iter().any(|op| Flow::of(ctx, *op).is_any_loop());
    let columns = nest.get_body(ctx, 0).deref(ctx).arguments().last();
    // Another order is right, whether numbers wrap or not.
    let mut affine = Affine::of_tested_subscripts();
    let mut across = |op: &Ptr<Operation>| {
        let address = accessed(ctx, *op).filter(|address| !is_in_variable(ctx, *address));
        let along = address.zip(columns);
        along.is_some_and(|(address, columns)| {
            stride(ctx, &mut affine, address, columns) == Stride::Far
        })
    };
    has_loops || inside.iter().any(&mut across)
}

/// Makes two dimensions of the outermost one; gives the loop, and programs each of which computes whether it is right for a launch, as 1 or 0.
fn split(ctx: &mut Context, launch: Launch, lp: Loop) -> Option<(Loop, Vec<Vec<Step>>)> {
    let dims = lp.dims(ctx);
    let ((first, limit, step), what) = *dims.first()?;
    let counts = constant(ctx, first) == Some(0)
        && constant(ctx, step) == Some(1)
        && what.test == LoopTest::Lt;
    let counter = lp.get_body(ctx, 0).deref(ctx).get_argument(0);
    let narrow = int_width(ctx, counter.get_type(ctx))?;
    let digits = digits(ctx, lp, counter);
    let by = counts.then(|| common(&digits)).flatten()?;
    let width = digits.iter().map(|digit| digit.width).max()?;
    let innermost = dims.len() == 1;
    let is_known = by.values.is_empty();
    if is_known && by.constant < FEWEST {
        return None;
    }
    let mut e = Emitter::before(ctx, lp.get_operation());
    let columns = by.write(&mut e, width, what);
    let whole = e.resized(limit, width, !what.unsigned);
    let rows = match Factors::of(e.ctx, limit).without(&by) {
        Some(rest) => rest.write(&mut e, width, what),
        None => e.bin(kinds(what)[2], whole, columns),
    };
    let rests: Vec<Option<Value>> = digits
        .iter()
        .map(|digit| Some(digit.rest(&by)?.write(&mut e, width, what)))
        .collect();
    let mut conditions = vec![];
    for (digit, rest) in digits.iter().zip(&rests) {
        // What divides is positive, like the columns, which are counted.
        if let Some(rest) = rest.filter(|rest| constant(e.ctx, *rest).is_none()) {
            let mut positive = vec![Step::Constant(0)];
            positive.extend(launch.number(e.ctx, rest)?);
            positive.push(Step::Less);
            conditions.push(positive);
        }
        if let Some(divisor) = digit.divisor.filter(|_| digit.by.may_differ) {
            let divisor = launch.number(e.ctx, divisor)?;
            let factors = [Some(columns), *rest].into_iter().flatten();
            conditions.push(launch.is_product(e.ctx, divisor, factors.collect())?);
        }
    }
    launch.number(e.ctx, rows)?;
    if innermost && !is_known {
        conditions.push(fills_warps(&launch.number(e.ctx, columns)?));
    }
    let (zero, one) = (e.int(width, 0), e.int(width, 1));
    let mut new: Vec<Dim> = [rows, columns]
        .into_iter()
        .map(|count| ((zero, count, one), what))
        .collect();
    new.extend(&dims[1..]);
    let (id, levels) = (lp.id(e.ctx), lp.levels(e.ctx));
    let (nest, body) = Loop::new(e.ctx, id, levels, None, &new);
    e.push(nest);
    let old = lp.get_body(e.ctx, 0);
    let ops = ops_of_block(e.ctx, old);
    for op in &ops {
        op.unlink(e.ctx);
        op.insert_at_back(body, e.ctx);
    }
    let arguments: Vec<Value> = body.deref(e.ctx).arguments().collect();
    for (at, new) in arguments[2..].iter().enumerate() {
        let old = old.deref(e.ctx).get_argument(at + 1);
        old.replace_all_uses_with(e.ctx, new);
    }
    let (outer, inner) = (arguments[0], arguments[1]);
    e.go_before(*ops.first()?);
    for (digit, rest) in digits.iter().zip(rests) {
        digit.replace(&mut e, what, rest, [outer, inner, columns]);
    }
    let [product, sum, ..] = kinds(what);
    let before = e.bin(product, outer, columns);
    let place = e.bin(sum, before, inner);
    let place = e.resized(place, narrow, !what.unsigned);
    counter.replace_all_uses_with(e.ctx, &place);
    for digit in digits {
        Operation::erase(digit.op, e.ctx);
    }
    Operation::erase(lp.get_operation(), e.ctx);
    Some((nest, conditions))
}

/// The steps that compute 1 where warps of so many columns have no more than an eighth of their lanes idle, else 0.
fn fills_warps(columns: &[Step]) -> Vec<Step> {
    let warp = i64::from(WARP);
    let mut steps = columns.to_vec();
    steps.extend([Step::Constant(warp), Step::DivideUp]);
    steps.extend([Step::Constant(7 * warp), Step::Mul]);
    steps.extend(columns);
    steps.extend([Step::Constant(8), Step::Mul, Step::Constant(1), Step::Add]);
    steps.push(Step::Less);
    steps
}

/// What the launch computes for a version.
#[derive(Clone, Copy)]
struct Launch {
    version: FuncOp,
    what: LoopDim,
}

impl Launch {
    /// The steps that compute a value.
    fn number(self, ctx: &Context, value: Value) -> Option<Vec<Step>> {
        let mut steps = exact(ctx, self.version, value)?;
        let is_word = int_width(ctx, value.get_type(ctx)) == Some(32);
        steps.extend((self.what.unsigned && is_word).then_some(Step::Unsigned32));
        Some(steps)
    }

    /// The steps that compute 1 where `number` is the product of these, else 0, or nothing.
    fn is_product(self, ctx: &Context, number: Vec<Step>, of: Vec<Value>) -> Option<Vec<Step>> {
        let mut steps = number;
        for (index, factor) in of.into_iter().enumerate() {
            steps.extend(self.number(ctx, factor)?);
            steps.extend((index > 0).then_some(Step::Mul));
        }
        steps.extend([Step::Xor, Step::Constant(1), Step::LessUnsigned]);
        Some(steps)
    }
}

/// Of the divisors of the digits the one that is a part of all.
fn common(digits: &[Digit]) -> Option<Factors> {
    let parts = digits.iter().map(|digit| &digit.by);
    let mut candidates = parts.clone();
    let found = candidates.find(|part| parts.clone().all(|other| other.without(part).is_some()))?;
    Some(found.clone())
}

/// A quotient or remainder of a counter.
struct Digit {
    op: Ptr<Operation>,
    /// The divisor, if it is no constant.
    divisor: Option<Value>,
    by: Factors,
    remains: bool,
    /// Bits of what is divided.
    width: u32,
}

/// The counter, and what it is in more bits.
fn copies(ctx: &Context, counter: Value) -> Vec<Value> {
    let uses = counter.uses(ctx).into_iter();
    let casts = uses.filter_map(|at| Operation::get_op::<Cast>(at.user_op(), ctx));
    let wide = casts.filter(|cast| matches!(cast.kind(ctx), CastKind::SExt | CastKind::ZExt));
    let wide = wide.map(|cast| cast.get_result(ctx));
    [counter].into_iter().chain(wide).collect()
}

/// Whether something may be a digit of the value.
fn is_divided(ctx: &Context, value: Value) -> bool {
    value.uses(ctx).into_iter().any(|at| {
        let bin = Operation::get_op::<Bin>(at.user_op(), ctx);
        bin.is_some_and(|bin| takes_apart(bin.kind(ctx)))
    })
}

fn takes_apart(kind: BinKind) -> bool {
    matches!(kind, BinKind::ShrS | BinKind::ShrU | BinKind::And)
        || kind.divides() && kind != BinKind::FDiv
}

/// All quotients and remainders of the counter, or of what it is in more bits, by what does not change in the loop.
fn digits(ctx: &Context, lp: Loop, counter: Value) -> Vec<Digit> {
    let mut found = vec![];
    for copy in copies(ctx, counter) {
        let uses = copy.uses(ctx).into_iter();
        found.extend(uses.filter_map(|at| digit(ctx, lp, copy, at.user_op())));
    }
    found
}

fn digit(ctx: &Context, lp: Loop, counter: Value, op: Ptr<Operation>) -> Option<Digit> {
    let bin = Operation::get_op::<Bin>(op, ctx)?;
    let (divided, by) = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
    let fixed = divided == counter && !is_inside(ctx, by, lp.get_operation());
    let width = int_width(ctx, counter.get_type(ctx)).filter(|_| fixed)?;
    let power = |log: i128| {
        (0..62)
            .contains(&log)
            .then(|| Factors::of_constant(1 << log))
    };
    let (by, remains) = match bin.kind(ctx) {
        BinKind::DivS | BinKind::DivU => (Factors::of(ctx, by), false),
        BinKind::RemS | BinKind::RemU => (Factors::of(ctx, by), true),
        BinKind::ShrS | BinKind::ShrU => (power(constant(ctx, by)?)?, false),
        BinKind::And => {
            let power = constant(ctx, by)?.checked_add(1)?;
            let is_one = power > 1 && power.count_ones() == 1;
            (is_one.then(|| Factors::of_constant(power))?, true)
        }
        BinKind::Add
        | BinKind::Sub
        | BinKind::Mul
        | BinKind::AddS
        | BinKind::SubS
        | BinKind::MulS
        | BinKind::Shl
        | BinKind::Or
        | BinKind::Xor
        | BinKind::MinS
        | BinKind::MaxS
        | BinKind::MinU
        | BinKind::MaxU
        | BinKind::FAdd
        | BinKind::FSub
        | BinKind::FMul
        | BinKind::FDiv
        | BinKind::FMin
        | BinKind::FMax => return None,
    };
    (by.constant > 0).then_some(Digit {
        op,
        divisor: (!by.values.is_empty()).then(|| bin.get_operand_rhs(ctx)),
        by,
        remains,
        width,
    })
}

impl Digit {
    /// The rest of its divisor, if it is more than the columns.
    fn rest(&self, columns: &Factors) -> Option<Factors> {
        let rest = self.by.without(columns)?;
        (rest.constant != 1 || !rest.values.is_empty()).then_some(rest)
    }

    /// Puts what it is in its place where the counter is `outer * columns + inner`, and it is divided by `columns * rest`.
    fn replace(
        &self,
        e: &mut Emitter,
        what: LoopDim,
        rest: Option<Value>,
        [outer, inner, columns]: [Value; 3],
    ) {
        let [product, sum, quotient, remainder] = kinds(what);
        let value = match (rest, self.remains) {
            (None, false) => outer,
            (None, true) => inner,
            (Some(rest), false) => e.bin(quotient, outer, rest),
            (Some(rest), true) => {
                let row = e.bin(remainder, outer, rest);
                let before = e.bin(product, row, columns);
                e.bin(sum, before, inner)
            }
        };
        let value = e.resized(value, self.width, !what.unsigned);
        let Some(bin) = Operation::get_op::<Bin>(self.op, e.ctx) else {
            return;
        };
        bin.get_result(e.ctx).replace_all_uses_with(e.ctx, &value);
    }
}
