//! Which clauses of one directive exclude each other for a variable (part of the pass `check-clauses`).
//!
//! Clauses are of three kinds, data clauses (`copy`, `present`, `use_device` …), `private` and `firstprivate`, and
//! `reduction`. [`excluded`] is the whole table; in brackets what it does not say:
//!
//! | | data clause | `private`, `firstprivate` | `reduction` |
//! | --- | --- | --- | --- |
//! | data clause | excluded (parts of a variable may be in several) | excluded | allowed: the variable has to be mapped |
//! | `private`, `firstprivate` | | excluded (but `private` twice is harmless) | excluded |
//! | `reduction` | | | excluded: one copy has one operator; several parts of an array are not supported |
//!
//! `deviceptr` says something of what the pointer leads to, and excludes other data clauses for sections of it, too.
//!
//! `attach` and `detach` say nothing about what is mapped, and go with everything. What a pointer leads to is another
//! object than the pointer.
//!
//! ```text
//! #pragma acc parallel loop reduction(+:s) reduction(max:s)     error: `s` is twice in `reduction` clauses …
//! ```
//!
//! A combined construct means a compute construct and the loop in it, and each has its clauses (section 2.11); so
//! `private` may stand beside `copy` there. But the loop's `reduction` brings `copy` for the construct, which excludes
//! `firstprivate`.

use accrue_dialects::{
    acc::{ClauseOp, DataClause, DataInfo, DataOp, Group, Loop, Parallel, RegionOp, Serial},
    core::ShapeDim,
};
use pliron::{
    context::{Context, Ptr},
    op::op_cast,
    operation::Operation,
    value::Value,
};

use crate::check_clauses::constant;
use accrue_opt::{
    State,
    analysis::variables::{Root, member_path, root_of},
};

/// The groups of operands that hold variables.
const VARIABLE_GROUPS: [Group; 4] = [
    Group::Data,
    Group::Private,
    Group::Firstprivate,
    Group::Reduction,
];

/// A variable or a member of one.
type Place = (Root, Vec<u32>);

/// A variable or a part of it in a clause.
struct Mention {
    op: Ptr<Operation>,
    place: Place,
    /// What the place's pointer leads to.
    behind_pointer: bool,
    /// First element and number of elements in each dimension, where they are constants. Empty: all of it.
    section: Vec<(Option<i128>, Option<i128>)>,
    info: DataInfo,
}

/// Reports variables that are in clauses of `construct` that exclude each other.
pub fn check(ctx: &Context, construct: &dyn ClauseOp, state: &mut State) {
    let op = construct.get_operation();
    let mentions = mentions(ctx, construct, &VARIABLE_GROUPS);
    let mut kept: Vec<&Mention> = vec![];
    for mention in &mentions {
        let with = |m: &&&Mention| same_object(m, mention) && excluded(m, mention);
        match kept.iter().find(with) {
            Some(earlier) => report(ctx, mention, earlier, section_of(ctx, op, mention), state),
            None => kept.push(mention),
        }
    }
    several_parts(ctx, op, &kept, state);
    for reduction in of_clause(&mentions, DataClause::Reduction) {
        let firstprivate = firstprivate_of_construct(ctx, op);
        if let Some(earlier) = firstprivate.iter().find(|m| same_object(m, reduction)) {
            report(ctx, reduction, earlier, "2.11", state);
        }
    }
}

/// Uses of an array with a subscript that is not constant may mean any of its parts.
fn several_parts(ctx: &Context, op: Ptr<Operation>, kept: &[&Mention], state: &mut State) {
    let reductions = || {
        kept.iter()
            .filter(|m| m.info.clause == DataClause::Reduction)
    };
    for (index, part) in reductions().enumerate() {
        let same = |m: &&&Mention| m.place == part.place;
        if let Some(earlier) = reductions().take(index).find(same) {
            let message = format!(
                "`{}` and `{}`, parts of one array, in `reduction` clauses of one directive are not supported",
                earlier.info.name, part.info.name
            );
            let help = "reduce a section with both, or a local variable for each part that is added to it afterwards";
            state.error(ctx, part.op, message, section_of(ctx, op, part), help);
        }
    }
}

fn of_clause(mentions: &[Mention], clause: DataClause) -> impl Iterator<Item = &Mention> {
    mentions.iter().filter(move |m| m.info.clause == clause)
}

/// The variables that `groups` of the construct name, in order.
fn mentions(ctx: &Context, construct: &dyn ClauseOp, groups: &[Group]) -> Vec<Mention> {
    let operands = groups
        .iter()
        .flat_map(|group| construct.clause(ctx, *group));
    let operands: Vec<Value> = operands.collect();
    operands
        .into_iter()
        .filter_map(|o| mention(ctx, o))
        .collect()
}

fn mention(ctx: &Context, operand: Value) -> Option<Mention> {
    let op = operand.defining_op()?;
    let object = Operation::get_op_dyn(op, ctx);
    let data = op_cast::<dyn DataOp>(&*object)?;
    let info = data.info(ctx);
    if info.implicit {
        return None;
    }
    let place = place_of(ctx, data.var(ctx)?)?;
    let bounds = data.bounds(ctx);
    let section: Vec<_> = bounds
        .iter()
        .map(|b| {
            let from_start = b.clause(ctx, Group::LowerBound).is_empty().then_some(0);
            let lower = from_start.or_else(|| constant(ctx, b, Group::LowerBound));
            (lower, constant(ctx, b, Group::Extent))
        })
        .collect();
    let pointer = info.shape.dims.first() == Some(&ShapeDim::Pointer);
    Some(Mention {
        op,
        place,
        behind_pointer: pointer && !section.is_empty(),
        section,
        info,
    })
}

fn place_of(ctx: &Context, var: Value) -> Option<Place> {
    match root_of(ctx, var) {
        Some(root) => Some((root, vec![])),
        None => member_path(ctx, var),
    }
}

/// The `firstprivate` variables of the compute construct that `op` is combined with.
fn firstprivate_of_construct(ctx: &Context, op: Ptr<Operation>) -> Vec<Mention> {
    if Operation::get_op::<Loop>(op, ctx).is_none() {
        return vec![];
    }
    let Some(parent) = op.deref(ctx).get_parent_op(ctx) else {
        return vec![];
    };
    let combined = |c: &dyn RegionOp| match c.is_combined(ctx) {
        true => mentions(ctx, c, &[Group::Firstprivate]),
        false => vec![],
    };
    let parallel = Operation::get_op::<Parallel>(parent, ctx).map(|c| combined(&c));
    let serial = || Operation::get_op::<Serial>(parent, ctx).map(|c| combined(&c));
    parallel.or_else(serial).unwrap_or_default()
}

/// Whether both name the same elements, some of them at least. Sections that are not constant are taken to be the same
/// if they are written the same.
fn same_object(one: &Mention, other: &Mention) -> bool {
    if one.place != other.place {
        return false;
    }
    if is_of_device(one) != is_of_device(other) && one.behind_pointer != other.behind_pointer {
        return true;
    }
    if one.behind_pointer != other.behind_pointer {
        return false;
    }
    if one.info.name == other.info.name {
        return true;
    }
    let mut known = true;
    for ((a, n), (b, m)) in one.section.iter().zip(&other.section) {
        match (a, n, b, m) {
            (Some(a), Some(n), Some(b), Some(m)) if a + n <= *b || b + m <= *a => return false,
            (Some(_), Some(_), Some(_), Some(_)) => {}
            _ => known = false,
        }
    }
    known
}

/// The table: whether clauses exclude each other for the same object.
fn excluded(one: &Mention, other: &Mention) -> bool {
    let whole = one.section.is_empty() && other.section.is_empty();
    match (kind(one.info.clause), kind(other.info.clause)) {
        (Kind::Attachment, _) | (_, Kind::Attachment) => false,
        // OpenMP's `target data` may map what it uses.
        (Kind::Data, Kind::Data) => {
            whole && uses_device(one) == uses_device(other)
                || is_of_device(one) != is_of_device(other)
        }
        (Kind::Data, Kind::Reduction) | (Kind::Reduction, Kind::Data) => false,
        // The directive's own check has a warning of it.
        (Kind::Private, Kind::Private) if whole && both_private(one, other) => false,
        (Kind::Private, Kind::Data | Kind::Private | Kind::Reduction)
        | (Kind::Data | Kind::Reduction, Kind::Private)
        | (Kind::Reduction, Kind::Reduction) => true,
    }
}

fn both_private(one: &Mention, other: &Mention) -> bool {
    [one, other]
        .iter()
        .all(|it| it.info.clause == DataClause::Private)
}

/// Whether a clause says that a pointer leads to the device's memory: that cannot be copied as what it leads to on the host.
fn is_of_device(mention: &Mention) -> bool {
    mention.info.clause == DataClause::Deviceptr
}

fn uses_device(mention: &Mention) -> bool {
    mention.info.clause == DataClause::UseDevice
}

/// Rows and columns of the table.
enum Kind {
    Data,
    Private,
    Reduction,
    Attachment,
}

fn kind(clause: DataClause) -> Kind {
    match clause {
        DataClause::Copy
        | DataClause::Copyin
        | DataClause::Copyout
        | DataClause::Create
        | DataClause::NoCreate
        | DataClause::Present
        | DataClause::Deviceptr
        | DataClause::Delete
        | DataClause::UseDevice
        | DataClause::UpdateSelf
        | DataClause::UpdateDevice
        | DataClause::DeviceResident
        | DataClause::Link
        | DataClause::Pointer => Kind::Data,
        DataClause::Attach | DataClause::Detach => Kind::Attachment,
        DataClause::Private | DataClause::Firstprivate => Kind::Private,
        DataClause::Reduction => Kind::Reduction,
    }
}

/// The section that says what a variable of this clause is.
fn section_of(ctx: &Context, op: Ptr<Operation>, mention: &Mention) -> &'static str {
    let of_loop = Operation::get_op::<Loop>(op, ctx).is_some();
    match (mention.info.clause, of_loop) {
        (DataClause::Private, true) => "2.9.10",
        (DataClause::Private, false) => "2.5.13",
        (DataClause::Firstprivate, _) => "2.5.14",
        (DataClause::Reduction, true) => "2.9.11",
        (DataClause::Reduction, false) => "2.5.15",
        (
            DataClause::Copy
            | DataClause::Copyin
            | DataClause::Copyout
            | DataClause::Create
            | DataClause::NoCreate
            | DataClause::Present
            | DataClause::Deviceptr
            | DataClause::Attach
            | DataClause::Detach
            | DataClause::Delete
            | DataClause::UseDevice
            | DataClause::UpdateSelf
            | DataClause::UpdateDevice
            | DataClause::DeviceResident
            | DataClause::Link
            | DataClause::Pointer,
            _,
        ) => "2.7",
    }
}

fn report(
    ctx: &Context,
    mention: &Mention,
    earlier: &Mention,
    section: &'static str,
    state: &mut State,
) {
    let (name, clause) = (&mention.info.name, mention.info.clause.spelling());
    let message = if *name != earlier.info.name {
        format!(
            "`{}` in a `{}` clause and `{name}` in a `{clause}` clause of this directive overlap",
            earlier.info.name,
            earlier.info.clause.spelling()
        )
    } else if earlier.info.clause == mention.info.clause {
        format!("`{name}` is twice in `{clause}` clauses of this directive")
    } else {
        format!(
            "`{name}` is in a `{}` and in a `{clause}` clause of this directive",
            earlier.info.clause.spelling()
        )
    };
    let help = match (earlier.info.clause, mention.info.clause) {
        (DataClause::Reduction, DataClause::Reduction) => {
            "keep one of them; two results need two variables"
        }
        _ => "keep one of them",
    };
    state.error(ctx, mention.op, message, section, help);
}
