//! Scalars that every iteration of an `independent` loop in `kernels` assigns before it uses them, and whose last value is
//! wanted behind the loop: each iteration gets its own, and the last one stores its value.
//!
//! ```text
//! seed(&t);                            somebody else knows `t`
//! #pragma acc kernels
//! #pragma acc loop independent         for (i …) {
//! for (i = 0; i < n; i++) {       →        double t1;
//!     t = x[i];                            t1 = x[i];
//!     y[i] = t * t;                        y[i] = t1 * t1;
//! }                                        if (i is the last) t = t1;
//! printf("%g", t);                     }
//! ```
//!
//! By the letter iterations share `t` and overwrite each other's values. The loop is said to be independent, so that this
//! cannot be meant. What `t` holds behind the loop is what it holds if the loop runs in order, as long as each iteration
//! assigns it.
//!
//! An iteration may leave it out by a branch, an inner loop or `continue`. Then each that assigns its own stores it:
//!
//! ```text
//! if (x[i] > 2) {                      bool assigned = false;
//!     t = x[i];                   →    if (x[i] > 2) { t1 = x[i];  assigned = true;  y[i] = t1 * t1; }
//!     y[i] = t * t;                    if (assigned) t = t1;
//! }
//! ```
//! That is right if one iteration does; a warning says that it is not known what remains of several. A scalar that iterations
//! only assign, as a search does with what it finds, stays as it is.
//!
//! Whether an iteration is the last one is decided without overflow: `i < n` holds in the body, so that `n - i` as an
//! unsigned number is the distance that is left.

use accrue_dialects::core::{emit::Emitter, fold::constant};
use accrue_dialects::{
    acc::{ComputeOp, Loop, Reduction},
    core::{BinKind, CmpKind, Copy, If, Load, Store, boolean, int_width, is_scalar, pointee},
    par::LoopTest,
};
use accrue_ir::walk;
use pliron::{
    builtin::op_interfaces::{OneRegionInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
    r#type::Typed,
    value::Value,
};

use accrue_opt::{
    State,
    analysis::first_use::{Effect, Path, continues},
    analysis::read_only::{Functions, first_write},
    analysis::records::{Leaf, Records},
    analysis::variables::{Root, defined_inside, describe, uses_of},
    transform::private_scalars::{assigned, replace},
    transform::private_structs::{self, address_of, parts},
};

/// Gives each iteration of `lp`, whose iterations are independent, its own of the scalars that it assigns first, and lets the last one store them.
pub fn give_last_values(ctx: &mut Context, lp: Loop, functions: &Functions, state: &mut State) {
    let operation = lp.get_operation();
    for (root, variable) in assigned(ctx, operation, functions) {
        let path = Path::new(ctx, functions, root.clone(), lp.get_region(ctx));
        if !path.may_belong_to_iterations(operation) {
            continue;
        }
        let every_iteration = path.in_region(lp.get_region(ctx)) == Effect::Assigns
            && continues(ctx, operation).is_empty();
        let last_is_known = every_iteration && has_integers(ctx, lp);
        if !last_is_known && !is_read(ctx, lp, &root) {
            continue;
        }
        let wanted = path.wanted_behind(operation);
        let name = describe(ctx, variable).name;
        if !last_is_known {
            warn(ctx, lp, &root, &name, wanted, functions, state);
        }
        let stored = match last_is_known {
            true => "the last one's value is stored",
            false => "what they assign is stored",
        };
        let message = format!(
            "`{name}` is private to each iteration: all assign it before they use it; {stored}"
        );
        let Some(own) = replace(ctx, operation, &root, variable, message, state) else {
            continue;
        };
        match last_is_known {
            true => store_last(ctx, lp, |_| vec![(own, variable)]),
            false => store_assigned(ctx, lp, own, variable),
        }
    }
}

/// The same for structs and members of structs from outside of the construct, where each iteration assigns all that any does.
pub fn give_last_structs(
    ctx: &mut Context,
    lp: Loop,
    functions: &Functions,
    records: &Records,
    state: &mut State,
) {
    let operation = lp.get_operation();
    for part in parts(ctx, operation, functions, records) {
        let outside = walk::enclosing::<Loop>(ctx, operation).is_none()
            && !is_of_construct(ctx, lp, part.variable);
        if part.wanted.is_none() || !part.by_all || !outside || !has_integers(ctx, lp) {
            continue;
        }
        let why = "the last one's value is stored";
        let Some(own) = private_structs::replace(ctx, operation, &part, why, state) else {
            continue;
        };
        store_last(ctx, lp, |e| {
            let address = |e: &mut Emitter, leaf: &Leaf| {
                let inside = &leaf.fields[part.fields.len()..];
                let own = address_of(e, own, records, inside);
                (own, address_of(e, part.variable, records, &leaf.fields))
            };
            part.assigned.iter().map(|leaf| address(e, leaf)).collect()
        });
    }
}

/// Whether the variable is declared in the compute construct around `lp`, so that each gang has one.
fn is_of_construct(ctx: &Context, lp: Loop, variable: Value) -> bool {
    let mut at = lp.get_operation().deref(ctx).get_parent_op(ctx);
    while let Some(around) = at {
        let object = Operation::get_op_dyn(around, ctx);
        if op_cast::<dyn ComputeOp>(&*object).is_some() {
            return defined_inside(ctx, variable, around.deref(ctx).get_region(0));
        }
        at = around.deref(ctx).get_parent_op(ctx);
    }
    false
}

/// Whether the body uses the variable other than to assign it.
fn is_read(ctx: &Context, lp: Loop, root: &Root) -> bool {
    let uses = uses_of(ctx, lp.get_region(ctx), root);
    uses.iter().any(|u| !Operation::is_op::<Store>(u.op, ctx))
}

/// Whether the last iteration can be told: all induction variables are integers.
fn has_integers(ctx: &Context, lp: Loop) -> bool {
    let body = lp.get_body(ctx, 0);
    let ivs: Vec<_> = body.deref(ctx).arguments().collect();
    ivs.into_iter()
        .all(|iv| int_width(ctx, iv.get_type(ctx)).is_some())
}

/// Warns that it is not known which value `lp` leaves in the variable.
fn warn(
    ctx: &Context,
    lp: Loop,
    root: &Root,
    name: &str,
    wanted: Option<Ptr<Operation>>,
    functions: &Functions,
    state: &mut State,
) {
    let operation = lp.get_operation();
    let write = first_write(ctx, functions, lp.get_region(ctx), root).unwrap_or(operation);
    state.lost_value(
        ctx,
        (write, "each iteration has its own"),
        (wanted.unwrap_or(operation), "the value may be used here"),
        format!(
            "what `{name}` holds behind this independent loop is not known if several iterations assign it: not all do, so that none is known to be the last"
        ),
        "2.9.6",
        &format!(
            "declare `{name}` inside the loop or add `private({name})` if its value is not used behind it; else leave out `independent`"
        ),
    );
}

/// Stores `own` to `variable` wherever an iteration ends that has assigned it.
fn store_assigned(ctx: &mut Context, lp: Loop, own: Value, variable: Value) {
    let body = lp.get_body(ctx, 0);
    let Some(start) = own.defining_op() else {
        return;
    };
    let uses = uses_of(ctx, lp.get_region(ctx), &Root::Local(own));
    let assigning: Vec<_> = uses
        .into_iter()
        .map(|u| u.op)
        .filter(|op| {
            !Operation::is_op::<Load>(*op, ctx) && !Operation::is_op::<Reduction>(*op, ctx)
        })
        .collect();
    let mut ends = continues(ctx, lp.get_operation());
    ends.extend(walk::ops_of_block(ctx, body).last());
    let mut e = Emitter::after(ctx, start);
    let ty = boolean(e.ctx);
    let flag = e.alloca(ty, None);
    let no = e.int(1, 0);
    e.store(no, flag);
    for op in assigning {
        let mut e = Emitter::after(ctx, op);
        let yes = e.int(1, 1);
        e.store(yes, flag);
    }
    for end in ends {
        let mut e = Emitter::before(ctx, end);
        let assigned = e.load(flag);
        store_if(&mut e, assigned, &[(own, variable)]);
    }
}

/// Stores each iteration's own to what is outside, the second of each pair, at the end of the last iteration.
fn store_last(
    ctx: &mut Context,
    lp: Loop,
    pairs: impl FnOnce(&mut Emitter) -> Vec<(Value, Value)>,
) {
    let body = lp.get_body(ctx, 0);
    let Some(end) = walk::ops_of_block(ctx, body).last().copied() else {
        return;
    };
    let ivs: Vec<_> = body.deref(ctx).arguments().collect();
    let (bounds, dims) = (lp.bounds(ctx), lp.dims(ctx));
    let mut e = Emitter::before(ctx, end);
    let mut last = e.int(1, 1);
    for ((iv, (_, upper, step)), dim) in ivs.into_iter().zip(bounds).zip(dims) {
        let this = is_last(&mut e, iv, upper, step, dim.test);
        last = e.bin(BinKind::And, last, this);
    }
    let pairs = pairs(&mut e);
    store_if(&mut e, last, &pairs);
}

/// `if (condition) variable = own;`, for each of the pairs.
fn store_if(e: &mut Emitter, condition: Value, pairs: &[(Value, Value)]) {
    let (op, yes, no) = If::new(e.ctx, condition, vec![]);
    e.push(op);
    e.at_end(yes);
    for (own, variable) in pairs {
        match pointee(e.ctx, *own).is_some_and(|ty| is_scalar(e.ctx, ty)) {
            true => {
                let value = e.load(*own);
                e.store(value, *variable);
            }
            false => {
                let copy = Copy::new(e.ctx, *variable, *own);
                e.push(copy);
            }
        }
    }
    e.finish(vec![]);
    e.at_end(no);
    e.finish(vec![]);
}

/// Whether the next value of `iv` would be behind `upper`.
fn is_last(e: &mut Emitter, iv: Value, upper: Value, step: Value, test: LoopTest) -> Value {
    let width = int_width(e.ctx, iv.get_type(e.ctx)).unwrap_or(64);
    let zero = e.int(width, 0);
    let rising = |e: &mut Emitter| e.bin(BinKind::Sub, upper, iv);
    match test {
        LoopTest::Lt => {
            let left = rising(e);
            e.cmp(CmpKind::LeU, left, step)
        }
        LoopTest::Le => {
            let left = rising(e);
            e.cmp(CmpKind::LtU, left, step)
        }
        LoopTest::Ne => {
            let left = rising(e);
            e.cmp(CmpKind::Eq, left, step)
        }
        LoopTest::Gt | LoopTest::Ge => {
            let left = e.bin(BinKind::Sub, iv, upper);
            let back = match constant(e.ctx, step) {
                Some(number) => e.int(width, -number),
                None => e.bin(BinKind::Sub, zero, step),
            };
            match test {
                LoopTest::Gt => e.cmp(CmpKind::LeU, left, back),
                LoopTest::Lt | LoopTest::Le | LoopTest::Ge | LoopTest::Ne => {
                    e.cmp(CmpKind::LtU, left, back)
                }
            }
        }
    }
}
