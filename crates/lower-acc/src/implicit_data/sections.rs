//! Pointers of a compute construct that have no section: what the region accesses ([`crate::inferred_sections`]).

use super::{
    A_POINTER, NAME,
    reached::{Through, one_object},
};
use crate::{
    attributes::{REACH, SectionText},
    implicit_clause::{Section, add_section, attach},
    inferred_sections::{infer, reach},
};
use accrue_dialects::{
    acc::{ComputeOp, DataClause, DataOp, Group, ImplicitRules},
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

/// Pointers that clauses of the construct name without a section: what the region accesses, if that can be said. In OpenMP, such a
/// clause means the pointer itself (5.8.3).
pub(super) fn sections_of_clauses(
    ctx: &mut Context,
    construct: &dyn ComputeOp,
    region: Ptr<Region>,
    by_value: &[Root],
    state: &mut State,
) {
    if construct.rules(ctx) == ImplicitRules::OpenMp {
        return;
    }
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

/// Notes of variables whose data operations have no section what the region accesses: which of several parts that are present is
/// meant, where other directives have mapped them.
pub(super) fn note_reach(
    ctx: &mut Context,
    construct: &dyn ComputeOp,
    region: Ptr<Region>,
    by_value: &[Root],
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
        let root = data.var(ctx).and_then(|var| root_of(ctx, var));
        let Some(root) = root.filter(|_| data.bounds(ctx).is_empty()) else {
            continue;
        };
        let leads = is_pointer(&info.shape);
        let elsewhere = match info.clause {
            DataClause::Pointer | DataClause::NoCreate => leads,
            DataClause::Present => leads || info.implicit,
            DataClause::Copy | DataClause::Copyin => !leads && info.implicit,
            DataClause::Copyout
            | DataClause::Create
            | DataClause::Deviceptr
            | DataClause::Attach
            | DataClause::Detach
            | DataClause::Delete
            | DataClause::Firstprivate
            | DataClause::Private
            | DataClause::UseDevice
            | DataClause::UpdateSelf
            | DataClause::UpdateDevice
            | DataClause::DeviceResident
            | DataClause::Link
            | DataClause::Reduction => false,
        };
        let by_value = |root: &Root| by_value.contains(root);
        if elsewhere && let Some(section) = reach(ctx, region, &root, &info.shape, &by_value) {
            let text = SectionText {
                lower: section.lower.to_string(),
                length: section.length.to_string(),
            };
            REACH.set(ctx, op, text);
        }
    }
}
