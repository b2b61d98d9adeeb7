//! How many columns the blocks of a covering grid have, by the direction in which arrays are accessed.
//!
//! The lanes of a warp stand in a row, so that `b[i * n + j]` is one access to consecutive elements. With `a[j * n + i]` in the
//! same body, each lane of the row comes to another line of the cache: 32 accesses one after the other. A warp of 8 columns and
//! 4 rows comes to 8 lines and uses all of the sectors that it gets, in both arrays.
//!
//! ```text
//! for i: for j: b[i * n + j] = a[j * n + i]          8 columns
//! for i: for j: b[j * n + i] = 2 * a[j * n + i]      4 columns: nothing is accessed along the rows
//! ```
//!
//! Counted is what is in loops inside of the nest, if there are any, otherwise the body. Cost: linear in the size of the body,
//! times the size of an index.

use accrue_dialects::{
    core::fold::constant,
    core::{Bin, BinKind, Cast, Decay, Load, Member, PtrAdd, Store, array_parts, pointee},
    flow::Flow,
    par::Loop,
};
use accrue_ir::walk::{nested_ops, operands_of};
use pliron::{
    builtin::op_interfaces::{OneOpdInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};

use crate::analysis::variables::is_local_scalar;

/// Columns where arrays are accessed in both directions, as a logarithm, …
const LOG_OF_BOTH: u32 = 3;
/// … and along the columns only.
const LOG_OF_COLUMNS: u32 = 2;

/// How far the elements of neighbours are apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    Same,
    Next,
    Far,
}

impl Stride {
    fn plus(self, other: Stride) -> Stride {
        match (self, other) {
            (Stride::Same, stride) | (stride, Stride::Same) => stride,
            (Stride::Next | Stride::Far, Stride::Next | Stride::Far) => Stride::Far,
        }
    }

    fn scaled(self) -> Stride {
        match self {
            Stride::Same => Stride::Same,
            Stride::Next | Stride::Far => Stride::Far,
        }
    }
}

/// The logarithm of the number of columns for a nest whose last dimensions are rows and columns; `None` for a whole warp.
pub fn log_columns(ctx: &Context, lp: Loop) -> Option<u32> {
    let body = lp.get_body(ctx, 0);
    let counters: Vec<Value> = body.deref(ctx).arguments().collect();
    let [.., row, column] = counters.as_slice() else {
        return None;
    };
    let mut inside = nested_ops(ctx, lp.get_operation());
    let in_loops: Vec<_> = inside
        .iter()
        .filter(|op| Flow::of(ctx, **op).is_loop())
        .flat_map(|op| nested_ops(ctx, *op))
        .collect();
    let sequential = nested_ops(ctx, lp.get_operation())
        .into_iter()
        .filter_map(|op| Operation::get_op::<Loop>(op, ctx))
        .flat_map(|inner| nested_ops(ctx, inner.get_operation()));
    let in_loops: Vec<_> = in_loops.into_iter().chain(sequential).collect();
    if !in_loops.is_empty() {
        inside = in_loops;
    }
    let found = directions(ctx, &inside, *row, *column);
    match (found.along_columns, found.along_rows) {
        (true, true) => Some(LOG_OF_BOTH),
        (true, false) => Some(LOG_OF_COLUMNS),
        (false, _) => None,
    }
}

/// How arrays are accessed.
pub(super) struct Directions {
    /// Successive columns are next to each other,
    along_rows: bool,
    /// or successive rows, and not columns.
    pub along_columns: bool,
}

/// The directions in which these operations access arrays.
pub(super) fn directions(
    ctx: &Context,
    ops: &[Ptr<Operation>],
    row: Value,
    column: Value,
) -> Directions {
    let mut found = Directions {
        along_rows: false,
        along_columns: false,
    };
    for op in ops {
        let load = Operation::get_op::<Load>(*op, ctx).map(|l| l.get_operand_address(ctx));
        let store = Operation::get_op::<Store>(*op, ctx).map(|s| s.get_operand_address(ctx));
        let Some(address) = load.or(store) else {
            continue;
        };
        match (stride(ctx, address, row), stride(ctx, address, column)) {
            (_, Stride::Next) => found.along_rows = true,
            (Stride::Next, Stride::Far) => found.along_columns = true,
            (Stride::Same | Stride::Next | Stride::Far, Stride::Same | Stride::Far) => {}
        }
    }
    found
}

/// How a number or an address changes with `counter`.
pub fn stride(ctx: &Context, value: Value, counter: Value) -> Stride {
    if value == counter {
        return Stride::Next;
    }
    let Some(op) = value
        .defining_op()
        .filter(|_| constant(ctx, value).is_none())
    else {
        return Stride::Same;
    };
    let of = |value: Value| stride(ctx, value, counter);
    if let Some(load) = Operation::get_op::<Load>(op, ctx) {
        let stored = stored_once(ctx, load.get_operand_address(ctx));
        return stored.map_or(Stride::Same, of);
    }
    if let Some(element) = Operation::get_op::<PtrAdd>(op, ctx) {
        let base = element.get_operand_base(ctx);
        let index = of(element.get_operand_index(ctx));
        let rows = pointee(ctx, base).is_some_and(|ty| array_parts(ctx, ty).is_some());
        return of(base).plus(if rows { index.scaled() } else { index });
    }
    if let Some(bin) = Operation::get_op::<Bin>(op, ctx) {
        let (left, right) = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
        return match bin.kind(ctx) {
            BinKind::Add | BinKind::AddS | BinKind::Sub | BinKind::SubS => of(left).plus(of(right)),
            _ => of(left).scaled().plus(of(right).scaled()),
        };
    }
    if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
        return of(cast.get_operand(ctx));
    }
    let follows = Operation::is_op::<Member>(op, ctx) || Operation::is_op::<Decay>(op, ctx);
    let operands = operands_of(ctx, op).into_iter().map(of);
    let all = operands.fold(Stride::Same, Stride::plus);
    if follows { all } else { all.scaled() }
}

/// What a local variable that is set once holds: a counter, mostly.
fn stored_once(ctx: &Context, variable: Value) -> Option<Value> {
    if !is_local_scalar(ctx, variable) {
        return None;
    }
    let users = variable.uses(ctx).into_iter();
    let mut stores = users.filter_map(|u| Operation::get_op::<Store>(u.user_op(), ctx));
    let store = stores.next()?;
    stores
        .next()
        .is_none()
        .then(|| store.get_operand_value(ctx))
}
