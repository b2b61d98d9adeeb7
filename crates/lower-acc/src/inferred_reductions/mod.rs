//! Pass `inferred-reductions`: reductions that programs leave out.
//!
//! ```text
//! double error = 0;
//! #pragma acc parallel loop                       →     #pragma acc parallel loop reduction(max : error)
//! for (…) error = fmax(error, fabs(a[i] - b[i]));
//! ```
//!
//! By the letter `error` is firstprivate, and what the gangs find is lost (OpenACC 3.4, section 2.6.2); with `copy(error)` its
//! updates are a race. Programs leave the clause out because other compilers infer it, and mean what a reduction gives. In
//! `kernels` and in loops with `auto` the clause makes iterations independent that would have to run in order.
//!
//! Steps, for each loop that may be shared out, outermost first, and each scalar from outside of it:
//! 1. no clause reduces it around or on the loop, and none but data clauses names it;
//! 2. all that the loop does with it are updates by one associative operator ([`update`]), and in `parallel` nothing else in
//!    the construct uses it, but for a loop around that assigns it first;
//! 3. the loop gets the clause. Where the standard says otherwise, there is a warning.
//!
//! What a clause around the loop reduces, this one's or the user's, is reduced by the loop as well if it only updates it by the same
//! operator, and nobody says that its iterations are independent: they would be in each other's way by that variable alone, and
//! the inner loop of a nest would run in order. Loops that are independent by the user's word get such clauses with
//! their levels ([`crate::implied_reductions`]).
//!
//! Small structs and arrays of an iteration: [`aggregates`]. Other elements of arrays and members of structs, which no clause can name:
//! [`elements`]. Sums of loops that run in order: [`in_memory`].
//!
//! Cost: the size of each loop's body.

mod aggregates;
mod classes;
pub(crate) mod elements;
mod gathered;
pub mod in_memory;
mod update;
mod varying;

use self::update::{Update, common_update, is_extremum};
use accrue_dialects::core::emit::Emitter;
use accrue_dialects::{
    acc::{
        self, ComputeOp, DataClause, DataInfo, DataOp, DeviceType, Group, ImplicitRules, Loop,
        Parallel, Reduction, Serial,
    },
    core::{Externs, int_width, is_scalar, pointee},
};
use accrue_ir::walk;
use pliron::{
    builtin::{op_interfaces::OneRegionInterface, ops::ModuleOp},
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
    value::Value,
};

use crate::{
    dependence::needs_proof,
    device_types::applies,
    implicit_clause::address_outside,
    implicit_data::{clause_roots, loop_that_owns},
    implied_reductions::{around, reductions},
};
use accrue_opt::{
    State,
    analysis::variables::{AddressUse, Root, defined_inside, describe, root_of, uses_in, uses_of},
};

const NAME: &str = "inferred-reductions";

/// Adds the clauses to the loops of all compute constructs and routines.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let externs = Externs::of_module(ctx, module.get_operation());
    for lp in walk::nested::<Loop>(ctx, module.get_operation()) {
        if !may_be_shared_out(ctx, lp) {
            continue;
        }
        for (root, uses) in scalars_from_outside(ctx, lp) {
            let Some(said) = said_of(ctx, lp, &root) else {
                continue;
            };
            let own = |value| root_of(ctx, value).as_ref() == Some(&root);
            let ops: Vec<_> = uses.iter().map(|at| at.op).collect();
            let Some(update) = common_update(ctx, &externs, &own, &ops) else {
                continue;
            };
            let reduces = match said {
                Said::Nothing => !is_used_elsewhere(ctx, lp, &root),
                Said::ReducedAround(around) => agree(ctx, around, update),
            };
            if let Some(first) = uses.first().filter(|_| reduces) {
                add(ctx, lp, first, &root, (update, said), state);
            }
        }
    }
    aggregates::run(ctx, module, &externs, state);
    elements::run(ctx, module, &externs, state);
}

/// Whether several threads may run the iterations of the loop: those of a gang, in routines, which cannot bring together what
/// gangs have.
fn may_be_shared_out(ctx: &Context, lp: Loop) -> bool {
    let one_thread = walk::enclosing::<Serial>(ctx, lp.get_operation()).is_some();
    let in_routine = construct_of(ctx, lp).is_none();
    let parallel = walk::enclosing::<Parallel>(ctx, lp.get_operation());
    let by_openmp = parallel.is_some_and(|it| it.rules(ctx) == ImplicitRules::OpenMp);
    !one_thread
        && !by_openmp
        && !applies(&lp.clauses(ctx).seq)
        && (!in_routine || is_of_gang(ctx, lp))
}

/// Whether the loop is for the workers or lanes of one gang.
fn is_of_gang(ctx: &Context, lp: Loop) -> bool {
    let clauses = lp.clauses(ctx);
    (applies(&clauses.worker) || applies(&clauses.vector)) && !applies(&clauses.gang)
}

/// The scalars from outside of the loop that it uses, with their uses.
fn scalars_from_outside(ctx: &Context, lp: Loop) -> Vec<(Root, Vec<AddressUse>)> {
    let region = lp.get_region(ctx);
    let outside = |ctx: &Context, value| match root_of(ctx, value) {
        Some(Root::Local(alloca)) => !defined_inside(ctx, alloca, region),
        Some(Root::Global(_)) => true,
        None => false,
    };
    let scalar = |value| pointee(ctx, value).is_some_and(|ty| is_scalar(ctx, ty));
    let mut found: Vec<(Root, Vec<AddressUse>)> = vec![];
    for at in uses_in(ctx, region, outside) {
        let Some(root) = root_of(ctx, at.value).filter(|_| scalar(at.value)) else {
            continue;
        };
        match found.iter_mut().find(|(known, _)| *known == root) {
            Some((_, uses)) => uses.push(at),
            None => found.push((root, vec![at])),
        }
    }
    found
}

/// What clauses say of a variable that a loop may reduce.
#[derive(Clone, Copy)]
enum Said {
    Nothing,
    /// A loop around, or the construct, reduces it; whether this one may run in parallel has to be proven.
    ReducedAround(Reduction),
}

/// Whether a clause reduces what is updated so by the same operator. How numbers compare is a question to integers only.
fn agree(ctx: &Context, clause: Reduction, update: Update) -> bool {
    let ty = clause.var(ctx).and_then(|var| pointee(ctx, var));
    let integer = ty.is_some_and(|ty| int_width(ctx, ty).is_some());
    let compares = integer && is_extremum(update.operator);
    clause.operator(ctx) == update.operator && (!compares || clause.signed(ctx) == update.signed)
}

/// What clauses leave open of the variable for the loop; `None` if they say what it is: the loop reduces it, or each gang has one by the
/// user's will.
fn said_of(ctx: &Context, lp: Loop, root: &Root) -> Option<Said> {
    let own = reductions(ctx, &lp);
    if own.iter().any(|(known, _)| known == root) {
        return None;
    }
    let mut all = around(ctx, lp).into_iter();
    if let Some((_, reduction)) = all.find(|(known, _)| known == root) {
        return needs_proof(ctx, lp).then_some(Said::ReducedAround(reduction));
    }
    let of_gang = construct_of(ctx, lp).is_some_and(|construct| {
        let object = Operation::get_op_dyn(construct, ctx);
        op_cast::<dyn ComputeOp>(&*object).is_some_and(|construct| {
            clause_roots(ctx, construct, Group::Firstprivate).contains(root)
        })
    });
    (!of_gang).then_some(Said::Nothing)
}

/// The compute construct that the loop is in; `None` in routines.
fn construct_of(ctx: &Context, lp: Loop) -> Option<Ptr<Operation>> {
    let mut at = lp.get_operation().deref(ctx).get_parent_op(ctx);
    while let Some(op) = at {
        let object = Operation::get_op_dyn(op, ctx);
        if op_cast::<dyn ComputeOp>(&*object).is_some() {
            return Some(op);
        }
        at = op.deref(ctx).get_parent_op(ctx);
    }
    None
}

/// Whether gangs use the variable in another way than the loop does: what they have in it is not what the loop leaves.
fn is_used_elsewhere(ctx: &Context, lp: Loop, root: &Root) -> bool {
    let Some(parallel) = walk::enclosing::<Parallel>(ctx, lp.get_operation()) else {
        return false;
    };
    let region = parallel.get_region(ctx);
    if let Root::Local(alloca) = root
        && defined_inside(ctx, *alloca, region)
    {
        // Of the iterations of a loop around, or of each gang: then gangs have nothing to bring together.
        return !is_inside_loop(ctx, *alloca) && !is_of_gang(ctx, lp);
    }
    let inside = lp.get_region(ctx);
    let elsewhere = uses_of(ctx, region, root)
        .into_iter()
        .any(|at| !walk::is_inside(ctx, at.op, inside));
    elsewhere && loop_that_owns(ctx, &parallel, region, root).is_none()
}

/// Whether the variable is one of a loop's iterations.
fn is_inside_loop(ctx: &Context, variable: Value) -> bool {
    let op = variable.defining_op();
    op.is_some_and(|op| walk::enclosing::<Loop>(ctx, op).is_some())
}

/// Gives `lp` the clause.
fn add(
    ctx: &mut Context,
    lp: Loop,
    first: &AddressUse,
    root: &Root,
    (update, said): (Update, Said),
    state: &mut State,
) {
    let variable = describe(ctx, first.value);
    let (name, operator) = (variable.name.clone(), update.operator.spelling());
    if name.is_empty() {
        return;
    }
    let message = format!(
        "`{name}` is reduced by `{operator}`: all that iterations do with it are such updates"
    );
    state.remark(ctx, lp.get_operation(), NAME, message);
    let clauses = lp.clauses(ctx);
    let parallel = walk::enclosing::<Parallel>(ctx, lp.get_operation()).is_some();
    if matches!(said, Said::Nothing) && parallel && !applies(&clauses.auto) {
        state.left_out(
            ctx,
            (first.op, "iterations update it"),
            (lp.get_operation(), "the loop"),
            format!("`{name}` is reduced by `{operator}` over this loop, which has no `reduction` clause for it"),
            "2.9.11",
            &format!("add `reduction({operator} : {name})`; `firstprivate({name})` on the construct says that each gang is to have its own"),
        );
    }
    let mut info = DataInfo::new(DataClause::Reduction, &name, variable.shape);
    info.implicit = true;
    let mut e = Emitter::before(ctx, lp.get_operation());
    let var = match root {
        Root::Local(variable) => *variable,
        Root::Global(_) => address_outside(&mut e, first.value),
    };
    let reduction = Reduction::new(e.ctx, update.operator, update.signed, info, var, vec![]);
    let value = e.value(reduction);
    acc::push(&lp, ctx, Group::Reduction, value, DeviceType::None);
}
