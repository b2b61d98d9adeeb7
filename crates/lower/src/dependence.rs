//! Pass `dependence`: finds out which loops have no dependences between iterations (OpenACC 3.4, section 2.9.9).
//!
//! Asked are `auto` loops, loops of `kernels` and `serial` that are not `independent`, and plain loops in `kernels`. A loop
//! is independent when, for its induction variables:
//!
//! 1. it calls nothing but functions without side effects, and nothing in it is volatile;
//! 2. every scalar of outside that it writes is a reduction variable of it, or is written before it is read in every
//!    iteration and not used afterwards: such a scalar becomes private;
//! 3. two accesses of which one writes never meet in different iterations: they are to different objects, or some
//!    subscript is `c·i + r` in both with the same constant c and the same r (or an r that differs by no multiple of c).
//!
//! Different declared variables are different objects; what pointers point to may overlap, unless both come straight from
//! `malloc` or the like. What is not proven runs sequentially; a remark says why.

use accrue_dialects::{
    acc::{ClauseOp, DataOp, Loop, Parallel, Reduction},
    core::{
        Call, Copy, ExternFunc, Load, LoadBits, Opaque, Store, StoreBits, Zero, is_scalar, pointee,
    },
};
use accrue_ir::walk;
use pliron::{
    builtin::{
        op_interfaces::{OneOpdInterface, OneRegionInterface, SingleBlockRegionInterface, SymbolOpInterface},
        ops::ModuleOp,
    },
    context::{Context, Ptr},
    irbuild::inserter::OpInsertionPoint,
    op::Op,
    operation::Operation,
    value::Value,
};
use accrue_dialects::acc::Levels;
use std::collections::HashSet;

use crate::{
    State,
    access::{Base, Linear, Place, Reader, Step, is_unaliased, root_name},
    assign_levels::applies,
    emit::Emitter,
    variables::{Root, defined_inside, describe, root_of, uses_in},
};

const NAME: &str = "dependence";

/// Analyses all loops that need it.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let externs = walk::nested::<ExternFunc>(ctx, module.get_operation());
    let pure: HashSet<String> = externs.into_iter().filter(|f| f.traits(ctx).pure)
        .map(|f| f.get_symbol_name(ctx).to_string()).collect();
    for lp in walk::nested::<Loop>(ctx, module.get_operation()) {
        if !needs_proof(ctx, lp) {
            continue;
        }
        match analyse(ctx, lp, &pure) {
            Ok(private) => {
                for root in private {
                    make_private(ctx, lp, &root, state);
                }
                lp.set_attr_acc_loop_levels(ctx, Levels { independent: true, ..Levels::default() });
            }
            Err(why) => state.remark(ctx, lp.get_operation(), NAME, format!("loop is not parallel: {why}")),
        }
    }
}

/// Whether the loop runs in parallel only if this is proven.
fn needs_proof(ctx: &Context, lp: Loop) -> bool {
    let clauses = lp.clauses(ctx);
    if applies(&clauses.seq) || applies(&clauses.independent) {
        return false;
    }
    let asserted = walk::enclosing::<Parallel>(ctx, lp.get_operation()).is_some();
    !asserted || applies(&clauses.auto) || clauses.implicit
}

/// An access of the loop body.
struct Access {
    place: Place,
    write: bool,
}

/// The scalars to make private, or why the loop is not independent.
fn analyse(ctx: &Context, lp: Loop, pure: &HashSet<String>) -> Result<Vec<Root>, String> {
    let region = lp.get_region(ctx);
    let reader = Reader::new(ctx, region);
    let reduced: Vec<Root> = lp.clause(ctx, "reduction").into_iter()
        .filter_map(|v| Operation::get_op::<Reduction>(v.defining_op()?, ctx))
        .filter_map(|r| root_of(ctx, r.var(ctx)?)).collect();
    let mut accesses = vec![];
    let mut scalars: Vec<Root> = vec![];
    let mut ops = vec![];
    walk::nested_in_region(ctx, region, &mut ops);
    for op in ops {
        for (address, write) in touched(ctx, op, pure)? {
            let scalar = root_of(ctx, address).filter(|_| pointee(ctx, address).is_some_and(|t| is_scalar(ctx, t)));
            match scalar {
                Some(Root::Local(alloca)) if defined_inside(ctx, alloca, region) => {}
                Some(root) if reduced.contains(&root) => {}
                Some(root) if reader.is_written(&root) => {
                    if !scalars.contains(&root) {
                        scalars.push(root);
                    }
                }
                // Read only.
                Some(_) if !write => {}
                Some(_) | None => accesses.push(Access { place: reader.place(address), write }),
            }
        }
    }
    for root in &scalars {
        may_be_private(ctx, lp, root)?;
    }
    let ivs: Vec<_> = lp.get_body(ctx, 0).deref(ctx).arguments().collect();
    for (index, first) in accesses.iter().enumerate() {
        for second in &accesses[index..] {
            if first.write || second.write {
                compare(ctx, first, second, &ivs)?;
            }
        }
    }
    Ok(scalars)
}

/// The addresses that `op` accesses directly, and whether it writes there; an error for operations that end the analysis.
fn touched(ctx: &Context, op: Ptr<Operation>, pure: &HashSet<String>) -> Result<Vec<(Value, bool)>, String> {
    if let Some(load) = Operation::get_op::<Load>(op, ctx) {
        return match load.is_volatile(ctx) {
            true => Err("it reads a volatile object".to_string()),
            false => Ok(vec![(load.get_operand(ctx), false)]),
        };
    }
    if let Some(store) = Operation::get_op::<Store>(op, ctx) {
        return match store.is_volatile(ctx) {
            true => Err("it writes a volatile object".to_string()),
            false => Ok(vec![(store.get_operand_address(ctx), true)]),
        };
    }
    if let Some(copy) = Operation::get_op::<Copy>(op, ctx) {
        return Ok(vec![(copy.get_operand_to(ctx), true), (copy.get_operand_from(ctx), false)]);
    }
    if let Some(zero) = Operation::get_op::<Zero>(op, ctx) {
        return Ok(vec![(zero.get_operand_address(ctx), true)]);
    }
    if let Some(load) = Operation::get_op::<LoadBits>(op, ctx) {
        return Ok(vec![(load.get_operand(ctx), false)]);
    }
    if let Some(store) = Operation::get_op::<StoreBits>(op, ctx) {
        return Ok(vec![(store.get_operand_record(ctx), true)]);
    }
    if let Some(call) = Operation::get_op::<Call>(op, ctx) {
        let callee = call.callee(ctx);
        return match pure.contains(&callee) {
            true => Ok(vec![]),
            false => Err(format!("it calls `{callee}`")),
        };
    }
    match Operation::get_op::<Opaque>(op, ctx) {
        Some(_) => Err("it contains a statement that is not understood".to_string()),
        None => Ok(vec![]),
    }
}

/// Checks rule 2 for a scalar that the body writes.
fn may_be_private(ctx: &Context, lp: Loop, root: &Root) -> Result<(), String> {
    let name = root_name(ctx, root);
    let Root::Local(alloca) = root else {
        return Err(format!("it writes the global scalar `{name}`"));
    };
    let region = lp.get_region(ctx);
    let body = lp.get_body(ctx, 0);
    let first = walk::ops_of_block(ctx, body).into_iter().find(|op| {
        let mut ops = vec![*op];
        ops.extend(walk::nested_ops(ctx, *op));
        ops.iter().any(|o| walk::operands_of(ctx, *o).contains(alloca))
    });
    let assigned_first = first.and_then(|op| Operation::get_op::<Store>(op, ctx))
        .is_some_and(|s| s.get_operand_address(ctx) == *alloca);
    if !assigned_first {
        return Err(format!("the value of `{name}` may come from an earlier iteration"));
    }
    let used_after = alloca.uses(ctx).into_iter().any(|u| {
        let op = u.user_op();
        let stored = Operation::get_op::<Store>(op, ctx).is_some_and(|s| s.get_operand_address(ctx) == *alloca);
        let clause = accrue_dialects::acc::as_data_info(ctx, op).is_some_and(|i| i.implicit);
        !walk::is_inside(ctx, op, region) && !stored && !clause && !assigned_before(ctx, op, *alloca)
    });
    match used_after {
        true => Err(format!("the last value of `{name}` may be used after the loop")),
        false => Ok(()),
    }
}

/// Whether `op` is in another loop, which assigns the variable first as well.
fn assigned_before(ctx: &Context, op: Ptr<Operation>, alloca: Value) -> bool {
    let Some(other) = walk::enclosing::<Loop>(ctx, op) else { return false };
    let body = other.get_body(ctx, 0);
    let first = walk::ops_of_block(ctx, body).into_iter().find(|o| {
        let mut ops = vec![*o];
        ops.extend(walk::nested_ops(ctx, *o));
        ops.iter().any(|o| walk::operands_of(ctx, *o).contains(&alloca))
    });
    first.and_then(|o| Operation::get_op::<Store>(o, ctx)).is_some_and(|s| s.get_operand_address(ctx) == alloca)
}

/// Lets the body use a variable of its own.
fn make_private(ctx: &mut Context, lp: Loop, root: &Root, state: &mut State) {
    let Root::Local(alloca) = root else { return };
    let region = lp.get_region(ctx);
    let body = lp.get_body(ctx, 0);
    let Some(ty) = pointee(ctx, *alloca) else { return };
    let variable = describe(ctx, *alloca);
    state.remark(ctx, lp.get_operation(), NAME, format!("`{}` is private: it is assigned before it is used", variable.name));
    let mut e = Emitter::new(ctx, OpInsertionPoint::AtBlockStart(body), lp.get_operation());
    let new = e.alloca(ty, Some(variable));
    for u in uses_in(ctx, region, |_, value| value == *alloca) {
        Operation::replace_operand(u.op, ctx, u.index, new);
    }
}

/// Checks rule 3 for two accesses.
fn compare(ctx: &Context, a: &Access, b: &Access, ivs: &[Value]) -> Result<(), String> {
    let name = |base: &Base| match base {
        Base::Variable(root) => format!("`{}`", root_name(ctx, root)),
        Base::Pointee(root) => format!("what `{}` points to", root_name(ctx, root)),
        Base::Inside | Base::Unknown => "an object".to_string(),
    };
    match (&a.place.base, &b.place.base) {
        (Base::Inside, _) | (_, Base::Inside) => return Ok(()),
        (Base::Unknown, _) | (_, Base::Unknown) => {
            return Err("it accesses memory through a pointer that is not known".to_string());
        }
        (Base::Variable(x), Base::Variable(y)) if x != y => return Ok(()),
        (Base::Pointee(x), Base::Pointee(y)) if x != y => {
            if is_fresh(ctx, x) && is_fresh(ctx, y) {
                return Ok(());
            }
            let (x, y) = (root_name(ctx, x), root_name(ctx, y));
            return Err(format!("`{x}` and `{y}` may point to the same memory"));
        }
        (Base::Variable(variable), Base::Pointee(pointer)) | (Base::Pointee(pointer), Base::Variable(variable)) => {
            if is_unaliased(ctx, variable) || is_fresh(ctx, pointer) {
                return Ok(());
            }
            let (pointer, variable) = (root_name(ctx, pointer), root_name(ctx, variable));
            return Err(format!("`{pointer}` may point to `{variable}`"));
        }
        (Base::Variable(_), Base::Variable(_)) | (Base::Pointee(_), Base::Pointee(_)) => {}
    }
    let apart = ivs.iter().all(|iv| {
        let mut steps = a.place.path.iter().zip(&b.place.path);
        steps.any(|(x, y)| match (x, y) {
            (Step::Index(x), Step::Index(y)) => keeps_apart(x, y, *iv),
            (Step::Member(x), Step::Member(y)) => x != y,
            (Step::Index(_), Step::Member(_)) | (Step::Member(_), Step::Index(_)) => false,
        })
    });
    match apart {
        true => Ok(()),
        false => Err(format!("iterations may access the same element of {}", name(&a.place.base))),
    }
}

/// Whether two subscripts are never equal in different iterations of `iv`.
fn keeps_apart(x: &Linear, y: &Linear, iv: Value) -> bool {
    let ((x_iv, x_rest), (y_iv, y_rest)) = (x.split(iv), y.split(iv));
    let (Some(factor), Some(other)) = (constant_factor(&x_iv), constant_factor(&y_iv)) else { return false };
    if factor != other || !x_rest.is_invariant() || !y_rest.is_invariant() {
        return false;
    }
    match x_rest.minus(&y_rest).as_number() {
        Some(0) => true,
        Some(distance) => distance % factor != 0,
        None => false,
    }
}

/// c of `c·i`.
fn constant_factor(terms: &Linear) -> Option<i128> {
    match terms.0.as_slice() {
        [(atoms, factor)] if atoms.len() == 1 => Some(*factor),
        _ => None,
    }
}

/// Whether every value of a local pointer comes straight from an allocation, and from no other pointer's.
fn is_fresh(ctx: &Context, pointer: &Root) -> bool {
    let Root::Local(alloca) = pointer else { return false };
    alloca.uses(ctx).into_iter().all(|u| {
        let op = u.user_op();
        match Operation::get_op::<Store>(op, ctx) {
            Some(store) => {
                store.get_operand_value(ctx) != *alloca && is_allocation(ctx, store.get_operand_value(ctx))
            }
            None => {
                Operation::get_op::<Load>(op, ctx).is_some() || accrue_dialects::acc::as_data_info(ctx, op).is_some()
            }
        }
    })
}

/// Whether `value` is the result of an allocation that nothing else keeps.
fn is_allocation(ctx: &Context, value: Value) -> bool {
    use accrue_dialects::core::{Cast, Null};
    let Some(op) = value.defining_op() else { return false };
    if Operation::get_op::<Null>(op, ctx).is_some() {
        return true;
    }
    if value.num_uses(ctx) != 1 {
        return false;
    }
    if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
        return is_allocation(ctx, cast.get_operand(ctx));
    }
    let call = Operation::get_op::<Call>(op, ctx);
    call.is_some_and(|c| matches!(c.callee(ctx).as_str(), "malloc" | "calloc" | "aligned_alloc"))
}
