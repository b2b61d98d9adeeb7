//! Pass `check-clauses`: restrictions on the variables of a directive's clauses that need types and values (OpenACC 3.4,
//! sections 2.5.11, 2.7 and 2.7.1).
//!
//! - A variable is in one data, private or firstprivate clause of a directive. (A reduction variable may be in a data
//!   clause too; parts of a variable may be in several.)
//! - A section with constant bounds lies inside the array, and its length is not negative.
//! - A section is contiguous, but for `update`: only the outermost dimension that has more than one element may be cut.
//!
//! The pass changes nothing.

use accrue_dialects::{
    acc::{Bounds, ClauseOp, DataClause, DataInfo, DataOp},
    core::{Cast, Const, ShapeDim},
};
use accrue_ir::walk;
use pliron::{
    builtin::ops::ModuleOp,
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
    value::Value,
};

use crate::{
    State,
    variables::{Root, member_path, root_of},
};

/// Checks all clauses of the module.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    for op in walk::nested_ops(ctx, module.get_operation()) {
        let object = Operation::get_op_dyn(op, ctx);
        if let Some(data) = op_cast::<dyn DataOp>(&*object) {
            check_section(ctx, data, state);
        } else if let Some(construct) = op_cast::<dyn ClauseOp>(&*object) {
            check_repeated(ctx, construct, state);
        }
    }
}

/// The groups of operands that hold variables.
const VARIABLE_GROUPS: [&str; 4] = ["dataOperands", "private", "firstprivate", "reduction"];

/// A variable or a member of one.
type Place = (Root, Vec<u32>);

/// A whole variable in a clause.
struct Mention {
    place: Place,
    clause: DataClause,
}

fn check_repeated(ctx: &Context, construct: &dyn ClauseOp, state: &mut State) {
    let groups = construct.clause_names();
    let present = VARIABLE_GROUPS
        .iter()
        .filter(|group| groups.contains(group));
    let operands: Vec<Value> = present
        .flat_map(|group| construct.clause(ctx, group))
        .collect();
    let mut mentions: Vec<Mention> = vec![];
    for operand in operands {
        let Some(op) = operand.defining_op() else {
            continue;
        };
        let object = Operation::get_op_dyn(op, ctx);
        let Some(data) = op_cast::<dyn DataOp>(&*object) else {
            continue;
        };
        let info = data.info(ctx);
        let place = data.var(ctx).and_then(|var| place_of(ctx, var));
        let Some(place) = place.filter(|_| !info.implicit && data.bounds(ctx).is_empty()) else {
            continue;
        };
        let earlier = mentions
            .iter()
            .find(|m| m.place == place && exclude_each_other(m.clause, info.clause));
        match earlier {
            Some(earlier) => report_repeated(ctx, op, &info, earlier.clause, state),
            None => mentions.push(Mention {
                place,
                clause: info.clause,
            }),
        }
    }
}

fn place_of(ctx: &Context, var: Value) -> Option<Place> {
    match root_of(ctx, var) {
        Some(root) => Some((root, vec![])),
        None => member_path(ctx, var),
    }
}

/// `attach` and `detach` say nothing about what is mapped, and a reduction needs its variable mapped.
fn exclude_each_other(one: DataClause, other: DataClause) -> bool {
    let private = |c| matches!(c, DataClause::Private | DataClause::Firstprivate);
    match (one, other) {
        (DataClause::Attach | DataClause::Detach, _) => false,
        (_, DataClause::Attach | DataClause::Detach) => false,
        (DataClause::Reduction, clause) | (clause, DataClause::Reduction) => private(clause),
        _ => true,
    }
}

fn report_repeated(
    ctx: &Context,
    op: Ptr<Operation>,
    info: &DataInfo,
    earlier: DataClause,
    state: &mut State,
) {
    let (name, clause) = (&info.name, spelling(info.clause));
    let message = if earlier == info.clause {
        format!("`{name}` is twice in `{clause}` clauses of this directive")
    } else {
        format!(
            "`{name}` is in a `{}` and in a `{clause}` clause of this directive",
            spelling(earlier)
        )
    };
    state.error(ctx, op, message, "2.7", "keep one of them");
}

fn check_section(ctx: &Context, data: &dyn DataOp, state: &mut State) {
    let info = data.info(ctx);
    let op = data.get_operation();
    let mut cut = false;
    for (index, bounds) in data.bounds(ctx).into_iter().enumerate() {
        let lower = constant(ctx, &bounds, "lowerbound").unwrap_or(0);
        let length = constant(ctx, &bounds, "extent");
        if length.is_some_and(|length| length < 0) {
            let message = format!("the section `{}` has a negative length", info.name);
            state.error(ctx, op, message, "2.7.1", "write `[first:length]`");
            return;
        }
        let extent = match info.shape.dims.get(index) {
            Some(ShapeDim::Fixed(extent)) => i128::from(*extent),
            Some(ShapeDim::Pointer | ShapeDim::Variable) | None => {
                cut = length != Some(1);
                continue;
            }
        };
        let known_lower = bounds.clause(ctx, "lowerbound").is_empty()
            || constant(ctx, &bounds, "lowerbound").is_some();
        let end = length.map(|length| lower + length);
        if known_lower && (lower < 0 || end.is_some_and(|end| end > extent)) {
            let message = format!(
                "the section `{}` leaves the array, which has {extent} elements here",
                info.name
            );
            state.error(
                ctx,
                op,
                message,
                "2.7.1",
                "write `[first:length]`, not `[first:last]`",
            );
            return;
        }
        let part = known_lower && (lower > 0 || end.is_some_and(|end| end < extent));
        if cut && part && !is_update(info.clause) {
            let message = format!("the section `{}` is not contiguous in memory", info.name);
            state.error(
                ctx,
                op,
                message,
                "2.7.1",
                "take whole rows: only the first dimension may be cut",
            );
            return;
        }
        cut |= length != Some(1);
    }
}

/// The value of an operand of `bounds` that is a constant.
fn constant(ctx: &Context, bounds: &Bounds, group: &str) -> Option<i128> {
    let mut value = *bounds.clause(ctx, group).first()?;
    loop {
        let op = value.defining_op()?;
        if let Some(constant) = Operation::get_op::<Const>(op, ctx) {
            return Some(constant.value(ctx));
        }
        value = Operation::get_op::<Cast>(op, ctx)?.get_operand_value(ctx);
    }
}

fn is_update(clause: DataClause) -> bool {
    matches!(clause, DataClause::UpdateSelf | DataClause::UpdateDevice)
}

fn spelling(clause: DataClause) -> &'static str {
    match clause {
        DataClause::Copy => "copy",
        DataClause::Copyin => "copyin",
        DataClause::Copyout => "copyout",
        DataClause::Create => "create",
        DataClause::NoCreate => "no_create",
        DataClause::Present => "present",
        DataClause::Deviceptr => "deviceptr",
        DataClause::Attach => "attach",
        DataClause::Detach => "detach",
        DataClause::Delete => "delete",
        DataClause::UseDevice => "use_device",
        DataClause::UpdateSelf => "self",
        DataClause::UpdateDevice => "device",
        DataClause::Private => "private",
        DataClause::Firstprivate => "firstprivate",
        DataClause::Reduction => "reduction",
        DataClause::Pointer => "pointer",
    }
}
