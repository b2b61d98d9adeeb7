//! What the data constructs around a compute construct, and their default clauses, say about a variable.

use super::declared::Declares;
use crate::{
    arguments::{Argument, Passing, argument, arguments},
    implicit_clause::attach,
};
use accrue_dialects::{
    acc::{
        ClauseOp, ComputeOp, Data, DataClause, DataInfo, DataOp, DefaultClause, Group, RegionOp,
    },
    core::{Member, Variable, fold::constant},
};
use accrue_hostcall::Action;
use accrue_ir::walk;
use accrue_opt::{
    State,
    analysis::variables::{Root, member_path, root_of},
};
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
    region::Region,
    value::Value,
};

/// The members of variables that clauses of `construct` pass to its kernels, but for what they point to. `attach` passes none.
pub(super) fn named_members(ctx: &Context, construct: &dyn ComputeOp) -> Vec<(Root, Vec<u32>)> {
    arguments(ctx, construct)
        .into_iter()
        .filter(|a| a.passing != Passing::Unused)
        .filter_map(|a| a.member)
        .collect()
}

/// Members that the region uses and an enclosing `data` construct names are present, like variables. Of a pointer that is a member
/// and whose section the construct names, the device's copy is made to lead there: the member itself comes to the device with the
/// variable, maybe only for the region.
pub(super) fn take_enclosing_members(
    ctx: &mut Context,
    construct: &dyn ComputeOp,
    region: Ptr<Region>,
    state: &mut State,
) {
    let mut used = vec![];
    walk::nested_in_region(ctx, region, &mut used);
    let paths: Vec<_> = used
        .into_iter()
        .filter_map(|op| Operation::get_op::<Member>(op, ctx))
        .filter_map(|m| member_path(ctx, m.get_result(ctx)))
        .collect();
    let mut at = walk::enclosing::<Data>(ctx, construct.get_operation());
    while let Some(data) = at {
        for entry in data
            .clause(ctx, Group::Data)
            .into_iter()
            .filter_map(|v| v.defining_op())
        {
            let Some(argument) = argument(ctx, entry) else {
                continue;
            };
            let Some(path) = member_path(ctx, argument.var).filter(|path| paths.contains(path))
            else {
                continue;
            };
            let attribute = match argument.member {
                _ if matches!(argument.action, Action::Attach | Action::Pointer) => continue,
                Some(_) if named_members(ctx, construct).contains(&path) => continue,
                Some(_) => in_data(ctx, data),
                None if names(ctx, construct, &path) => continue,
                None => (
                    DataClause::Attach,
                    "what it points to is in a clause of the enclosing data construct",
                ),
            };
            let (variable, var) = (member_itself(&argument), argument.var);
            attach(ctx, construct, var, variable, attribute, None, state);
        }
        at = walk::enclosing::<Data>(ctx, data.get_operation());
    }
}

/// The member whose name, or section, a clause has.
fn member_itself(argument: &Argument) -> Variable {
    let name = argument.info.name.split('[').next();
    Variable {
        name: name.unwrap_or_default().trim().to_string(),
        shape: argument.info.shape.clone(),
    }
}

/// Pointers in the struct `root`, of which the region has a copy, that are attached, or whose sections are mapped: the device's
/// addresses come to the region by themselves, since the copy has the host's.
pub(super) fn pass_attached_members(
    ctx: &mut Context,
    construct: &dyn ComputeOp,
    root: &Root,
    state: &mut State,
) {
    let mut passed: Vec<Vec<u32>> = vec![];
    for argument in arguments(ctx, construct) {
        let path = member_path(ctx, argument.var);
        let Some((_, path)) = path.filter(|(of, _)| of == root) else {
            continue;
        };
        if argument.passing != Passing::Unused || passed.contains(&path) {
            continue;
        }
        let (variable, var) = (member_itself(&argument), argument.var);
        let attribute = (DataClause::Pointer, "what it points to is mapped");
        attach(ctx, construct, var, variable, attribute, None, state);
        passed.push(path);
    }
}

/// Whether a clause of the construct names the member, or what it points to.
pub(super) fn names(ctx: &Context, construct: &dyn ComputeOp, path: &(Root, Vec<u32>)) -> bool {
    arguments(ctx, construct)
        .into_iter()
        .any(|a| member_path(ctx, a.var).as_ref() == Some(path))
}

/// Whether `op` computes the address of one of `members`, or one from which nothing else is computed.
pub(super) fn leads_to_member(
    ctx: &Context,
    op: Ptr<Operation>,
    members: &[(Root, Vec<u32>)],
) -> bool {
    let Some(member) = Operation::get_op::<Member>(op, ctx) else {
        return false;
    };
    let address = member.get_result(ctx);
    let named = member_path(ctx, address).is_some_and(|path| members.contains(&path));
    let uses = address.uses(ctx);
    named
        || (!uses.is_empty()
            && uses
                .into_iter()
                .all(|u| leads_to_member(ctx, u.user_op(), members)))
}

/// The `default` clause of the construct, or of the nearest `data` construct around it that has one (2.5.16).
pub(super) fn visible_default(ctx: &Context, construct: &dyn ComputeOp) -> Option<DefaultClause> {
    let mut default = construct.default_clause(ctx);
    let mut at = walk::enclosing::<Data>(ctx, construct.get_operation());
    while let (None, Some(data)) = (default, at) {
        default = data.default_clause(ctx);
        at = walk::enclosing::<Data>(ctx, data.get_operation());
    }
    default
}

/// What an enclosing `data` construct, or a `declare` directive, says about a variable.
pub(super) struct Enclosing {
    pub(super) info: DataInfo,
    by: By,
}

/// Who says it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Data,
    /// The construct's `if` may be false.
    UncertainData,
    Declare,
}

impl Enclosing {
    /// Whether a `declare` directive says it.
    pub(super) fn is_declared(&self) -> bool {
        self.by == By::Declare
    }
}

/// The nearest enclosing `data` construct that names the variable and certainly has an effect; else a `declare` directive about
/// it; else the nearest construct that may have an effect. `var` is the variable's address in the region.
pub(super) fn enclosing_clause(
    ctx: &Context,
    construct: Ptr<Operation>,
    root: &Root,
    var: Value,
    declares: &Declares,
) -> Option<Enclosing> {
    let mut uncertain = None;
    let mut at = walk::enclosing::<Data>(ctx, construct);
    while let Some(data) = at {
        if let Some(info) = clause_about(ctx, data, root) {
            if has_effect(ctx, data) {
                let by = By::Data;
                return Some(Enclosing { info, by });
            }
            let by = By::UncertainData;
            uncertain = uncertain.or(Some(Enclosing { info, by }));
        }
        at = walk::enclosing::<Data>(ctx, data.get_operation());
    }
    let by = By::Declare;
    let declared = declares.clause_about(ctx, construct, root, var);
    let declared = declared.map(|info| Enclosing { info, by });
    declared.or(uncertain)
}

/// Whether a clause of an enclosing `data` construct that may have no effect names the variable, and none of one that has.
pub fn may_be_enclosed(
    ctx: &Context,
    construct: Ptr<Operation>,
    root: &Root,
    var: Value,
    declares: &Declares,
) -> bool {
    enclosing_clause(ctx, construct, root, var, declares)
        .is_some_and(|found| found.by == By::UncertainData)
}

fn clause_about(ctx: &Context, data: Data, root: &Root) -> Option<DataInfo> {
    let entries = data.clause(ctx, Group::Data).into_iter();
    entries.filter_map(|v| v.defining_op()).find_map(|entry| {
        let object = Operation::get_op_dyn(entry, ctx);
        let op = op_cast::<dyn DataOp>(&*object)?;
        let same = root_of(ctx, op.var(ctx)?).as_ref() == Some(root);
        (same && op.info(ctx).clause != DataClause::Attach).then(|| op.info(ctx))
    })
}

/// Whether the construct's `if` is absent or certainly true.
fn has_effect(ctx: &Context, data: Data) -> bool {
    let conditions = data.clause(ctx, Group::If);
    conditions
        .into_iter()
        .all(|condition| constant(ctx, condition).is_some_and(|value| value != 0))
}

/// The attribute of what the construct's clauses name.
fn in_data(ctx: &Context, data: Data) -> (DataClause, &'static str) {
    match has_effect(ctx, data) {
        true => By::Data.attribute(),
        false => By::UncertainData.attribute(),
    }
}

impl By {
    fn attribute(self) -> (DataClause, &'static str) {
        match self {
            By::Data => (
                DataClause::Present,
                "in a clause of the enclosing data construct",
            ),
            By::UncertainData => (
                DataClause::Copy,
                "in a clause of an enclosing data construct whose `if` may be false",
            ),
            By::Declare => (DataClause::Present, "in a clause of a declare directive"),
        }
    }
}

impl Enclosing {
    /// The attribute of the variable, which is a pointer or not.
    pub(super) fn attribute(&self, pointer: bool) -> (DataClause, &'static str) {
        let (clause, why) = self.by.attribute();
        match (pointer, self.info.clause) {
            (false, _) => (clause, why),
            (true, DataClause::Deviceptr) if self.by == By::Declare => {
                (DataClause::Deviceptr, "deviceptr in a declare directive")
            }
            (true, DataClause::Deviceptr) => (
                DataClause::Deviceptr,
                "deviceptr in the enclosing data construct",
            ),
            (true, _) if self.by == By::Declare => (DataClause::Pointer, why),
            (true, _) => (
                DataClause::Pointer,
                "in a clause of the enclosing data construct",
            ),
        }
    }
}
