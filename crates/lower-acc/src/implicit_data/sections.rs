//! Pointers of a compute construct that have no section: what the region accesses ([`crate::inferred_sections`]).

use super::{
    A_POINTER, NAME,
    reached::{Through, one_object},
};
use crate::{
    implicit_clause::{Section, add_section, attach},
    inferred_sections::infer,
};
use accrue_dialects::{
    acc::{ComputeOp, DataClause, DataOp, Group},
    core::Variable,
};
use accrue_opt::{
    State,
    analysis::variables::{Root, is_pointer, root_of},
};
use pliron::{
    context::{Context, Ptr},
    op::op_cast,
    operation::Operation,
    region::Region,
    value::Value,
};

/// Gives a pointer that no clause names its attribute. `by_value` are the variables that the kernel gets by value, `through` those
/// through which clauses name something.
pub(super) fn attach_pointer(
    ctx: &mut Context,
    construct: &dyn ComputeOp,
    region: Ptr<Region>,
    (root, var, variable): (&Root, Value, Variable),
    by_value: &[Root],
    through: &[Through],
    state: &mut State,
) {
    let is_by_value = |root: &Root| by_value.contains(root);
    match infer(ctx, region, root, &variable.shape, &is_by_value) {
        Ok(inferred) => {
            let why = "a pointer; the section is what the region accesses";
            let section = Some(Section::Inferred(inferred.section));
            attach(
                ctx,
                construct,
                var,
                variable,
                (inferred.clause, why),
                section,
                state,
            );
        }
        Err(unbounded) => {
            let named = through.iter().filter(|it| it.root == *root);
            let clauses: Vec<_> = named.map(|it| it.clause).collect();
            if let Some(first) = clauses.first() {
                let writes = clauses.contains(&DataClause::Copy);
                let clause = if writes { DataClause::Copy } else { *first };
                let why = "a pointer; what a clause names is reached through it";
                let section = Some(Section::Inferred(one_object()));
                attach(ctx, construct, var, variable, (clause, why), section, state);
                return;
            }
            let unbounded = unbounded.shown(ctx);
            let message = format!(
                "what `{}` leads to must be present: {unbounded}",
                variable.name
            );
            let pointer = (DataClause::Pointer, A_POINTER);
            attach(ctx, construct, var, variable, pointer, None, state);
            state.remark(ctx, construct.get_operation(), NAME, message);
        }
    }
}

/// Pointers that clauses of the construct name without a section: what the region accesses, if that can be said.
pub(super) fn sections_of_clauses(
    ctx: &mut Context,
    construct: &dyn ComputeOp,
    region: Ptr<Region>,
    by_value: &[Root],
    state: &mut State,
) {
    for entry in construct.clause(ctx, Group::Data) {
        let Some(op) = entry.defining_op() else {
            continue;
        };
        let object = Operation::get_op_dyn(op, ctx);
        let Some(data) = op_cast::<dyn DataOp>(&*object) else {
            continue;
        };
        let info = data.info(ctx);
        let maps = matches!(
            info.clause,
            DataClause::Copy | DataClause::Copyin | DataClause::Copyout | DataClause::Create
        );
        let bare = is_pointer(&info.shape) && data.bounds(ctx).is_empty();
        let root = data.var(ctx).and_then(|var| root_of(ctx, var));
        let Some(root) = root.filter(|_| maps && bare && !info.implicit) else {
            continue;
        };
        let by_value = |root: &Root| by_value.contains(root);
        if let Ok(inferred) = infer(ctx, region, &root, &info.shape, &by_value) {
            add_section(ctx, construct, data, &inferred.section, state);
        }
    }
}
