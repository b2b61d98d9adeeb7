//! Pass `privatize`: gives the variables of `private` clauses their own storage (OpenACC 3.4, sections 2.5.11, 2.9.10).
//!
//! A variable that is private to a loop becomes an `alloca` at the start of the loop's body, one that is private to a
//! compute construct an `alloca` at the start of its region, so that each iteration (each gang) has its own:
//!
//! ```text
//! %p = acc.private var(%t)                     acc.loop … {
//! acc.loop … private(%p) {            →          %t1 = core.alloca
//!   core.store %v, %t                            core.store %v, %t1
//! }                                            }
//! ```
//!
//! A new object in every iteration, rather than one per thread, keeps array temporaries out of the way of the host
//! compiler's vectoriser. `private(p[0:n])` of a pointer makes `n` elements and a pointer to them; `firstprivate(p[0:n])`
//! (2.5.12) also fills them from what the original pointer points to.
//!
//! A function that the construct calls knows the original of a global only, and gets that. Where `firstprivate` or `reduction` of a
//! construct names such a global, the construct has no way to it, which is an error if it changes its copy.

use accrue_dialects::core::emit::Emitter;
use accrue_dialects::{
    acc::{
        self, ClauseOp, DataClause, DataOp, Firstprivate, Group, Loop, Parallel, Private, Serial,
    },
    core::{BinKind, Extent, Load, Variable, pointee, pointee_of},
};
use accrue_ir::walk;
use pliron::{
    basic_block::BasicBlock,
    builtin::{
        op_interfaces::{OneRegionInterface, SingleBlockRegionInterface},
        ops::ModuleOp,
    },
    context::{Context, Ptr},
    irbuild::{cloning::IrMapping, inserter::OpInsertionPoint},
    op::{Op, op_cast},
    operation::Operation,
    region::Region,
    r#type::TypeHandle,
    value::Value,
};

use crate::attributes::OF_HELPER;
use accrue_opt::{
    State,
    analysis::slice::recompute,
    analysis::variables::{Root, describe, is_pointer, is_vla, root_of, uses_of},
    transform::variable_length::{copy_elements, element_count},
};

/// Replaces all `private` clauses, outer constructs first.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    for op in walk::nested_ops(ctx, module.get_operation()) {
        if let Some(construct) = Operation::get_op::<Parallel>(op, ctx) {
            privatize(ctx, &construct, construct.get_region(ctx), state);
            copy_sections(ctx, &construct, construct.get_region(ctx), state);
            check_helpers(ctx, &construct, construct.get_region(ctx), state);
        } else if let Some(construct) = Operation::get_op::<Serial>(op, ctx) {
            privatize(ctx, &construct, construct.get_region(ctx), state);
            copy_sections(ctx, &construct, construct.get_region(ctx), state);
            check_helpers(ctx, &construct, construct.get_region(ctx), state);
        } else if let Some(construct) = Operation::get_op::<Loop>(op, ctx) {
            privatize(ctx, &construct, construct.get_region(ctx), state);
            check_helpers(ctx, &construct, construct.get_region(ctx), state);
        }
    }
}

fn privatize<T: ClauseOp + SingleBlockRegionInterface>(
    ctx: &mut Context,
    construct: &T,
    region: Ptr<Region>,
    state: &mut State,
) {
    for clause in acc::take(construct, ctx, Group::Private) {
        let Some(private) = clause
            .defining_op()
            .and_then(|op| Operation::get_op::<Private>(op, ctx))
        else {
            continue;
        };
        let root = private.var(ctx).and_then(|var| root_of(ctx, var));
        match root {
            Some(root) => replace(
                ctx,
                construct.get_operation(),
                region,
                &private,
                &root,
                state,
            ),
            None => state.error(
                ctx,
                private.get_operation(),
                format!(
                    "`{}` cannot be private: it is part of another variable",
                    private.info(ctx).name
                ),
                "2.5.11",
                "make the whole variable private, or use a local variable",
            ),
        }
        if !clause.is_used(ctx) {
            Operation::erase(private.get_operation(), ctx);
        }
    }
}

/// Makes the copies of `firstprivate` sections of pointers. The clause stays: it says what the pointer points to.
fn copy_sections<T: ClauseOp>(
    ctx: &mut Context,
    construct: &T,
    region: Ptr<Region>,
    state: &mut State,
) {
    for clause in construct.clause(ctx, Group::Firstprivate) {
        let entry = clause
            .defining_op()
            .and_then(|op| Operation::get_op::<Firstprivate>(op, ctx));
        let Some(entry) =
            entry.filter(|e| is_pointer(&e.info(ctx).shape) && !e.bounds(ctx).is_empty())
        else {
            continue;
        };
        let Some(root) = entry.var(ctx).and_then(|var| root_of(ctx, var)) else {
            continue;
        };
        replace(ctx, construct.get_operation(), region, &entry, &root, state);
    }
}

/// Reports globals of which the construct changes a copy or parts, and functions that it calls have the original.
fn check_helpers<T: ClauseOp>(
    ctx: &Context,
    construct: &T,
    region: Ptr<Region>,
    state: &mut State,
) {
    for group in [Group::Firstprivate, Group::Reduction] {
        for clause in construct.clause(ctx, group) {
            let Some(op) = clause.defining_op() else {
                continue;
            };
            let object = Operation::get_op_dyn(op, ctx);
            let data = op_cast::<dyn DataOp>(&*object);
            let Some((data, var)) = data.and_then(|data| Some((data, data.var(ctx)?))) else {
                continue;
            };
            let Some(root @ Root::Global(_)) = root_of(ctx, var) else {
                continue;
            };
            let uses = uses_of(ctx, region, &root);
            let calls = uses.iter().any(|using| is_of_helper(ctx, using.value));
            let changes = uses.iter().any(|using| {
                !is_of_helper(ctx, using.value)
                    && Operation::get_op::<Load>(using.op, ctx).is_none()
            });
            if calls && changes {
                let name = data.info(ctx).name;
                let message = format!(
                    "the construct has its own `{name}`, and a function that it calls uses the variable itself"
                );
                let help = format!(
                    "let the clause name a local variable with the value of `{name}`, or the function have it as an argument"
                );
                state.error(ctx, op, message, "2.5", &help);
            }
        }
    }
}

/// Whether the address of a global is there for a function that the region calls.
fn is_of_helper(ctx: &Context, address: Value) -> bool {
    let op = address.defining_op();
    op.is_some_and(|op| OF_HELPER.get(ctx, op).is_some())
}

/// Makes the private object in `region` and lets the region use it. Extents of the variable stay those of the original.
fn replace(
    ctx: &mut Context,
    construct: Ptr<Operation>,
    region: Ptr<Region>,
    private: &dyn DataOp,
    root: &Root,
    state: &mut State,
) {
    let Some(var) = private.var(ctx) else { return };
    let uses: Vec<_> = uses_of(ctx, region, root)
        .into_iter()
        .filter(|u| Operation::get_op::<Extent>(u.op, ctx).is_none())
        .filter(|u| !is_of_helper(ctx, u.value))
        .collect();
    let Some(new) = storage(ctx, construct, region, private, var, state) else {
        return;
    };
    for u in uses {
        Operation::replace_operand(u.op, ctx, u.index, new);
    }
}

/// The address of the new object, made at the start of `region`. `None` after an error.
fn storage(
    ctx: &mut Context,
    construct: Ptr<Operation>,
    region: Ptr<Region>,
    private: &dyn DataOp,
    var: Value,
    state: &mut State,
) -> Option<Value> {
    let info = private.info(ctx);
    let block = region.deref(ctx).get_entry_block()?;
    let mut variable = describe(ctx, var);
    if variable.name.is_empty() {
        variable = Variable {
            name: info.name.clone(),
            shape: info.shape.clone(),
        };
    }
    let ty = pointee(ctx, var)?;
    let bounds = private.bounds(ctx);
    if is_pointer(&info.shape) && !bounds.is_empty() {
        let section = section(ctx, construct, block, private, state)?;
        return section_storage(ctx, &section, info.clause, var, ty, variable);
    }
    let mut e = Emitter::new(ctx, OpInsertionPoint::AtBlockStart(block), construct);
    if is_vla(&info.shape) {
        let count = element_count(&mut e, var, &info.shape);
        return Some(e.alloca_dynamic(ty, count, Some(variable)));
    }
    Some(e.alloca(ty, Some(variable)))
}

/// The bounds of a section, computed at the start of a block.
struct Section {
    lower: Value,
    extent: Value,
    /// The operation after which they are known.
    after: Ptr<Operation>,
}

/// Computes the bounds of the section that `private` names at the start of `block`. `None` after an error.
fn section(
    ctx: &mut Context,
    construct: Ptr<Operation>,
    block: Ptr<BasicBlock>,
    private: &dyn DataOp,
    state: &mut State,
) -> Option<Section> {
    let bounds = private.bounds(ctx);
    let entry = private.get_operation();
    let first = bounds.first().map(|b| {
        (
            b.clause(ctx, Group::LowerBound),
            b.clause(ctx, Group::Extent),
        )
    });
    let (lower, extent) = first.unwrap_or_default();
    let name = private.info(ctx).name;
    let (1, Some(extent)) = (bounds.len(), extent.first().copied()) else {
        state.error(
            ctx,
            entry,
            format!("the private section `{name}` must have one dimension and a length"),
            "2.7.1",
            "declare an array inside the loop instead",
        );
        return None;
    };
    // Everything goes in front of this zero, in order.
    let zero = Emitter::new(ctx, OpInsertionPoint::AtBlockStart(block), construct).i64(0);
    let after = zero.defining_op()?;
    let point = OpInsertionPoint::BeforeOperation(after);
    let mut mapping = IrMapping::new();
    let extent = recompute(ctx, extent, point, entry, &mut mapping);
    let lower = lower
        .first()
        .map_or(Ok(zero), |l| recompute(ctx, *l, point, entry, &mut mapping));
    match (extent, lower) {
        (Ok(extent), Ok(lower)) => Some(Section {
            lower,
            extent,
            after,
        }),
        (Err(_), _) | (_, Err(_)) => {
            state.error(
                ctx,
                entry,
                format!("the bounds of the private section `{name}` are too complicated"),
                "2.7.1",
                "compute them into variables before the construct",
            );
            None
        }
    }
}

/// The address of a pointer variable to a new section of its own; `firstprivate` copies the elements.
fn section_storage(
    ctx: &mut Context,
    section: &Section,
    clause: DataClause,
    var: Value,
    ty: TypeHandle,
    variable: Variable,
) -> Option<Value> {
    let elem = pointee_of(ctx, ty)?;
    let mut e = Emitter::after(ctx, section.after);
    // Elements before the section are there too, so that the user's subscripts stay inside one object.
    let count = e.bin(BinKind::Add, section.lower, section.extent);
    let storage = e.alloca_dynamic(elem, count, None);
    if clause == DataClause::Firstprivate {
        let original = e.load(var);
        let (to, from) = (
            e.ptr_add(storage, section.lower),
            e.ptr_add(original, section.lower),
        );
        copy_elements(&mut e, to, from, section.extent);
    }
    let pointer = e.alloca(ty, Some(variable));
    e.store(storage, pointer);
    Some(pointer)
}
