//! Pass `implicit-data`: gives every variable of a compute construct a data attribute (OpenACC 3.4, section 2.6.2).
//!
//! Steps, for each compute construct:
//! 1. values that are computed before the construct are computed again inside ([`accrue_opt::analysis::slice`]), so that the region
//!    depends on variables only;
//! 2. variables that the region uses and no clause of the construct names get a data operation with `implicit`:
//!
//! | variable | attribute |
//! | --- | --- |
//! | named by a clause of an enclosing `data` construct, or of `declare` | `present`, a pointer with a section: `pointer` |
//! | in `link` of `declare` | as without it, but a scalar is `copy`: functions on the device may use it, too |
//! | the same, and the construct's `if` may be false | `copy`, which copies nothing where the `if` was true |
//! | member of a struct that such a construct names | `present` by itself; what else of the struct is only read: `firstprivate` |
//! | in a `reduction` clause of the construct or of a loop inside | `copy` (2.5.15, 2.9.11); private if a loop around assigns it first |
//! | pointer | `copyin` or `copy` of what the region accesses, if that can be said ([`crate::inferred_sections`]) |
//! | other pointer, array without a length (`extern double a[]`) | `pointer`: translated if what it points to is present |
//! | array, struct, union | `copy`, with `default(present)` `present`; `copyin` if the region only reads it or it is `const`, a small local struct by value |
//! | what OpenMP's `defaultmap` is about | what it says ([`defaultmap`]) |
//! | scalar, by OpenMP's rules | `firstprivate`, whatever is mapped, unless it is declared |
//! | scalar | `firstprivate`; in `kernels` `copy`, by value if nobody can see the difference |
//!
//! Pointers in structs that the region follows: [`followed`].
//!
//! With `default(none)` a variable that would need one is an error (2.5.16).

mod declared;
mod defaultmap;
mod enclosing;
mod followed;
mod nested;
mod reached;
mod sections;
use self::enclosing::{
    Enclosing, enclosing_clause, leads_to_member, named_members, pass_attached_members,
    take_enclosing_members, visible_default,
};
use self::followed::{attach_followed, attach_in_clauses, mark_followed};
use self::sections::{attach_pointer, note_reach, sections_of_clauses};
pub use self::{declared::Declares, enclosing::may_be_enclosed};
use accrue_dialects::core::emit::Emitter;
use accrue_dialects::{
    acc::{
        self, ClauseOp, ComputeOp, DataClause, DataOp, DefaultClause, Group, ImplicitRules,
        Kernels, Origin, Reduction, as_data_info,
    },
    core::{
        Copy, Extent, Load, Member, Store, Variable, Zero, is_scalar,
        layout::{Records, records},
        pointee,
    },
};
use accrue_ir::walk;
use pliron::{
    builtin::{
        op_interfaces::{OneRegionInterface, OneResultInterface, SingleBlockRegionInterface},
        ops::ModuleOp,
    },
    context::{Context, Ptr},
    irbuild::{cloning::IrMapping, inserter::OpInsertionPoint},
    op::{Op, op_cast},
    operation::Operation,
    region::Region,
    value::Value,
};

use crate::{
    device_types::applies,
    implicit_clause::{Section, attach},
    pieces::{Piece, pieces},
};
use accrue_opt::{
    State,
    analysis::read_only::{Functions, functions, is_constant, only_reads},
    analysis::slice::{may_write, recompute},
    analysis::variables::{
        Root, defined_inside, describe, is_open_array, is_pointer, root_of, uses_in, uses_of,
    },
};

const NAME: &str = "implicit-data";

/// Why a pointer without any clause is one.
const A_POINTER: &str = "a pointer";

/// Why a struct of which clauses name members is copied.
const OTHER_MEMBERS: &str = "the other members are only read";

/// The same of one of which nothing else can have a copy on the device.
const UNMAPPED: &str = "a struct that is only read and that nothing can have mapped";

/// Why OpenMP's declared pointers are themselves what regions read and change: the device's pointer is not the host's.
const KEPT: &str = "a pointer that devices keep for the whole program";

/// What is known of the module.
struct Known {
    functions: Functions,
    declares: Declares,
    records: Records,
}

/// Completes the data clauses of all compute constructs.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let known = Known {
        functions: functions(ctx, module.get_operation()),
        declares: Declares::of_module(ctx, module),
        records: records(ctx, module),
    };
    for op in walk::nested_ops(ctx, module.get_operation()) {
        let object = Operation::get_op_dyn(op, ctx);
        let Some(construct) = op_cast::<dyn ComputeOp>(&*object) else {
            continue;
        };
        let region = op.deref(ctx).get_region(0);
        if nested::has_directives(ctx, region, state) {
            continue;
        }
        compute_inside(ctx, op, region, state);
        complete(ctx, construct, region, &known, state);
    }
}

/// Computes values from above inside the region.
fn compute_inside(
    ctx: &mut Context,
    construct: Ptr<Operation>,
    region: Ptr<Region>,
    state: &mut State,
) {
    let values = walk::used_from_above(ctx, region);
    let computed: Vec<_> = values
        .into_iter()
        .filter(|v| root_of(ctx, *v).is_none() && !is_clause(ctx, *v))
        .collect();
    let Some(block) = region.deref(ctx).get_entry_block() else {
        return;
    };
    if computed.is_empty() {
        return;
    }
    let Some(first) = walk::ops_of_block(ctx, block).first().copied() else {
        return;
    };
    let mut mapping = IrMapping::new();
    for value in computed {
        match recompute(ctx, value, OpInsertionPoint::BeforeOperation(first), construct, &mut mapping) {
            Ok(new) => value.replace_some_uses_with(
                ctx, |ctx, u| walk::is_inside(ctx, u.user_op(), region), &new,
            ),
            Err(op) => state.error(
                ctx, op.unwrap_or(construct),
                "the region uses a value that was computed before it in a way that cannot be repeated inside".to_string(),
                "", "store it in a variable before the construct",
            ),
        }
    }
}

/// Whether `value` is the result of a data entry operation.
fn is_clause(ctx: &Context, value: Value) -> bool {
    value
        .defining_op()
        .is_some_and(|op| acc::as_data_info(ctx, op).is_some())
}

fn complete(
    ctx: &mut Context,
    construct: &dyn ComputeOp,
    region: Ptr<Region>,
    known: &Known,
    state: &mut State,
) {
    let Known {
        functions,
        declares,
        records,
    } = known;
    take_enclosing_members(ctx, construct, region, state);
    let through = reached::attach_paths(ctx, construct, region, state);
    let named = named_roots(ctx, construct);
    let mut reduced = clause_roots(ctx, construct, Group::Reduction);
    // Those that `inferred-reductions` has added.
    let mut inferred = vec![];
    for reduction in walk::nested::<Reduction>(ctx, construct.get_operation()) {
        let root = reduction.var(ctx).and_then(|var| root_of(ctx, var));
        if reduction.info(ctx).implicit {
            inferred.extend(root.clone());
        }
        reduced.extend(root);
    }
    let default = visible_default(ctx, construct);
    let mut decided = vec![];
    for (root, var) in live_in(ctx, construct, region) {
        if named.contains(&root) {
            continue;
        }
        let variable = describe(ctx, var);
        if reduced.contains(&root)
            && let Some(lp) = loop_that_owns(ctx, construct, region, &root)
        {
            own_in_loop(ctx, lp, var, &root, variable, state);
            continue;
        }
        if variable.name.is_empty() {
            state.error(
                ctx,
                construct.get_operation(),
                "the region uses a temporary that was made before it".to_string(),
                "",
                "store it in a variable",
            );
            continue;
        }
        let enclosing = enclosing_clause(ctx, construct.get_operation(), &root, var, declares);
        let listed = reduced.contains(&root) && !inferred.contains(&root);
        if default == Some(DefaultClause::None) && enclosing.is_none() && !listed {
            state.error(
                ctx,
                construct.get_operation(),
                format!(
                    "`{}` has no data clause, and default(none) is given",
                    variable.name
                ),
                "2.5.16",
                &format!(
                    "add copyin({0}), copy({0}), firstprivate({0}) or another data clause",
                    variable.name
                ),
            );
            continue;
        }
        let kept = enclosing.as_ref().is_some_and(Enclosing::is_declared);
        let said = match reduced.contains(&root) || kept {
            true => None,
            false => defaultmap::said(ctx, construct, region, (&root, var), &variable, state),
        };
        let (clause, why) = said.unwrap_or_else(|| {
            decide(
                ctx, construct, region, &root, var, &variable, default, enclosing, &reduced,
                functions,
            )
        });
        let section = reduced_section(ctx, construct, &root).filter(|_| clause == DataClause::Copy);
        let clause = match (clause, is_pointer(&variable.shape), section) {
            // The section is mapped by a clause of another directive.
            (DataClause::Copy, true, None) if ![defaultmap::WHY, KEPT].contains(&why) => {
                DataClause::Pointer
            }
            (clause, _, _) => clause,
        };
        let section = section.map(|(origin, dims)| Section::OfClause(origin, dims));
        decided.push((root, var, variable, (clause, why), section));
    }
    let copied = clause_roots(ctx, construct, Group::Firstprivate).into_iter();
    let implied = decided
        .iter()
        .filter(|one| one.3.0 == DataClause::Firstprivate);
    let by_value: Vec<Root> = copied.chain(implied.map(|one| one.0.clone())).collect();
    sections_of_clauses(ctx, construct, region, &by_value, state);
    for (root, var, variable, (clause, why), section) in decided {
        if [OTHER_MEMBERS, UNMAPPED].contains(&why) {
            pass_attached_members(ctx, construct, &root, state);
        }
        match why == A_POINTER && default != Some(DefaultClause::Present) {
            true => {
                let pointer = (&root, var, variable);
                attach_pointer(ctx, construct, region, pointer, &by_value, &through, state);
            }
            false => {
                attach(ctx, construct, var, variable, (clause, why), section, state);
            }
        }
        if matches!(clause, DataClause::Copy | DataClause::Copyin) && why != KEPT {
            attach_followed(ctx, construct, region, (&root, var), records, state);
        }
    }
    attach_in_clauses(ctx, construct, region, records, state);
    mark_followed(ctx, construct, region, records);
    note_reach(ctx, construct, region, &by_value);
}

/// The parallel loop in whose body alone a reduction variable is used, and assigned before anything else:
///
/// ```text
/// parallel loop gang …  { sum = 0;  loop vector reduction(+:sum) …;  row[i] = sum; }
/// ```
///
/// A shared `sum` would be a race between the gangs that nobody means.
pub fn loop_that_owns(
    ctx: &Context,
    construct: &dyn ComputeOp,
    region: Ptr<Region>,
    root: &Root,
) -> Option<acc::Loop> {
    Operation::get_op::<acc::Parallel>(construct.get_operation(), ctx)?;
    let is_root = |ctx: &Context, value| root_of(ctx, value).as_ref() == Some(root);
    let uses = uses_of(ctx, region, root);
    let loops = walk::nested::<acc::Loop>(ctx, construct.get_operation());
    loops.into_iter().find(|lp| {
        let clauses = lp.clauses(ctx);
        let body = lp.get_region(ctx);
        let parallel = !applies(&clauses.seq) && !applies(&clauses.auto) && !clauses.implicit;
        let first = walk::ops_of_block(ctx, lp.get_body(ctx, 0))
            .into_iter()
            .find(|op| {
                uses.iter()
                    .any(|u| u.op == *op || walk::nested_ops(ctx, *op).contains(&u.op))
            });
        let assigned = first
            .and_then(|op| Operation::get_op::<Store>(op, ctx))
            .is_some_and(|s| is_root(ctx, s.get_operand_address(ctx)));
        parallel && assigned && uses.iter().all(|u| walk::is_inside(ctx, u.op, body))
    })
}

/// Gives each iteration of `lp` the variable as its own.
fn own_in_loop(
    ctx: &mut Context,
    lp: acc::Loop,
    var: Value,
    root: &Root,
    variable: Variable,
    state: &mut State,
) {
    let Some(ty) = pointee(ctx, var) else { return };
    let uses = uses_of(ctx, lp.get_region(ctx), root);
    let message = format!(
        "`{}` is private to the loop: each iteration assigns it before it is used",
        variable.name
    );
    state.remark(ctx, lp.get_operation(), NAME, message);
    let point = OpInsertionPoint::AtBlockStart(lp.get_body(ctx, 0));
    let new = Emitter::new(ctx, point, lp.get_operation()).alloca(ty, Some(variable));
    for u in uses {
        Operation::replace_operand(u.op, ctx, u.index, new);
    }
}

/// For a pointer in the `reduction` clause of a combined construct: where the clause is, and how many dimensions the
/// section has.
fn reduced_section(
    ctx: &Context,
    construct: &dyn ComputeOp,
    root: &Root,
) -> Option<(Origin, usize)> {
    let directive = construct.directive(ctx);
    walk::nested::<Reduction>(ctx, construct.get_operation())
        .into_iter()
        .find_map(|r| {
            let same =
                root_of(ctx, r.var(ctx)?).as_ref() == Some(root) && is_pointer(&r.info(ctx).shape);
            let origin = r
                .origin(ctx)
                .filter(|o| same && o.directive == directive.0)?;
            Some((origin, r.bounds(ctx).len()))
        })
}

/// The variables that clauses of `construct` give an attribute. `attach` gives none.
fn named_roots(ctx: &Context, construct: &dyn ComputeOp) -> Vec<Root> {
    let mut found = clause_roots(ctx, construct, Group::Data);
    found.extend(clause_roots(ctx, construct, Group::Firstprivate));
    found
}

/// The variables in a group of the construct's clauses.
pub fn clause_roots(ctx: &Context, construct: &dyn ClauseOp, group: Group) -> Vec<Root> {
    let entries = construct
        .clause(ctx, group)
        .into_iter()
        .filter_map(|v| v.defining_op());
    let roots = entries.filter_map(|op| {
        let object = Operation::get_op_dyn(op, ctx);
        let data = op_cast::<dyn DataOp>(&*object)?;
        if data.info(ctx).clause == DataClause::Attach {
            return None;
        }
        root_of(ctx, data.var(ctx)?)
    });
    roots.collect()
}

/// Variables defined outside the region that it uses other than for their extents, and those in the construct's own
/// `reduction` clause, in order of first use.
fn live_in(ctx: &Context, construct: &dyn ComputeOp, region: Ptr<Region>) -> Vec<(Root, Value)> {
    let uses = uses_in(ctx, region, |ctx, value| match root_of(ctx, value) {
        Some(Root::Local(alloca)) => !defined_inside(ctx, alloca, region),
        Some(Root::Global(_)) => true,
        None => false,
    });
    let members = named_members(ctx, construct);
    let uses = uses.into_iter().filter(|u| {
        Operation::get_op::<Extent>(u.op, ctx).is_none() && !leads_to_member(ctx, u.op, &members)
    });
    let mut values: Vec<Value> = uses.map(|u| u.value).collect();
    let entries = construct
        .clause(ctx, Group::Reduction)
        .into_iter()
        .filter_map(|v| v.defining_op());
    let entries = entries.filter_map(|op| Operation::get_op::<Reduction>(op, ctx));
    values.extend(entries.filter_map(|r| r.var(ctx)));
    let mut found: Vec<(Root, Value)> = vec![];
    for value in values {
        if let Some(root) = root_of(ctx, value)
            && !found.iter().any(|(r, _)| *r == root)
        {
            found.push((root, value));
        }
    }
    found
}

/// The attribute of a variable, and the reason for a remark.
#[allow(clippy::too_many_arguments)]
fn decide(
    ctx: &Context,
    construct: &dyn ComputeOp,
    region: Ptr<Region>,
    root: &Root,
    var: Value,
    variable: &Variable,
    default: Option<DefaultClause>,
    enclosing: Option<Enclosing>,
    reduced: &[Root],
    functions: &Functions,
) -> (DataClause, &'static str) {
    let pointer = is_pointer(&variable.shape);
    let scalar =
        pointee(ctx, var).is_some_and(|t| is_scalar(ctx, t)) && variable.shape.dims.is_empty();
    let by_openmp = construct.rules(ctx) == ImplicitRules::OpenMp;
    // What devices keep for the whole program is theirs.
    let kept = enclosing.as_ref().is_some_and(Enclosing::is_declared);
    let linked = acc::declared(ctx, var).is_some_and(|said| said.clause == DataClause::Link);
    if by_openmp && scalar && !pointer && !kept && !linked && !reduced.contains(root) {
        return (DataClause::Firstprivate, "a scalar, by OpenMP's rules");
    }
    if by_openmp && pointer && kept && !linked {
        return (DataClause::Copy, KEPT);
    }
    if let Some(enclosing) = enclosing {
        return enclosing.attribute(pointer);
    }
    if is_open_array(&variable.shape) && default != Some(DefaultClause::Present) {
        return (
            DataClause::Pointer,
            "an array whose length is not known here",
        );
    }
    if reduced.contains(root) {
        return (DataClause::Copy, "a reduction variable");
    }
    if pointer {
        return (DataClause::Pointer, A_POINTER);
    }
    let members = named_members(ctx, construct);
    let has_members = members.iter().any(|(r, _)| r == root);
    if has_members
        && only_reads(ctx, functions, region, root, |op| {
            leads_to_member(ctx, op, &members)
        })
    {
        return (DataClause::Firstprivate, OTHER_MEMBERS);
    }
    if !scalar {
        return match default {
            Some(DefaultClause::Present) => (
                DataClause::Present,
                "an aggregate, and default(present) is given",
            ),
            Some(DefaultClause::None) | None
                if only_reads(ctx, functions, region, root, |_| false) =>
            {
                if is_unmapped_record(ctx, construct, root, var) {
                    return (DataClause::Firstprivate, UNMAPPED);
                }
                (
                    DataClause::Copyin,
                    "an aggregate, copy by the rule; nothing writes to it",
                )
            }
            Some(DefaultClause::None) | None => (DataClause::Copy, "an aggregate"),
        };
    }
    if linked {
        return (DataClause::Copy, "in a link clause of a declare directive");
    }
    if Operation::get_op::<Kernels>(construct.get_operation(), ctx).is_none() {
        return (DataClause::Firstprivate, "a scalar");
    }
    match is_constant(ctx, var) || is_private_input(ctx, region, root) {
        true => (
            DataClause::Firstprivate,
            "a scalar that the construct only reads",
        ),
        false => (DataClause::Copy, "a scalar in a kernels construct"),
    }
}

/// Whether passing the struct by value cannot be told from `copy` where the region only reads it: it is a small local, without
/// arrays, whose address goes nowhere and which no data clause of the function maps. What its pointers lead to may be mapped.
fn is_unmapped_record(ctx: &Context, construct: &dyn ComputeOp, root: &Root, var: Value) -> bool {
    let Root::Local(alloca) = root else {
        return false;
    };
    let members = pieces(ctx, construct.get_operation(), var);
    members.is_some_and(|members| members.iter().all(Piece::is_member))
        && is_accessed_only(ctx, *alloca)
}

/// Whether all that happens to what is at `address` are loads, stores and copies.
fn is_accessed_only(ctx: &Context, address: Value) -> bool {
    address.uses(ctx).into_iter().all(|using| {
        let op = using.user_op();
        if let Some(store) = Operation::get_op::<Store>(op, ctx) {
            return store.get_operand_value(ctx) != address;
        }
        if let Some(member) = Operation::get_op::<Member>(op, ctx) {
            return is_accessed_only(ctx, member.get_result(ctx));
        }
        Operation::is_op::<Load>(op, ctx)
            || Operation::is_op::<Copy>(op, ctx)
            || Operation::is_op::<Zero>(op, ctx)
            || as_data_info(ctx, op).is_some_and(|i| i.clause == DataClause::Firstprivate)
            || is_section_of_pointer(ctx, op)
    })
}

/// Whether the data operation is about what a pointer leads to, and of the pointer itself only says that it is attached.
fn is_section_of_pointer(ctx: &Context, op: Ptr<Operation>) -> bool {
    let object = Operation::get_op_dyn(op, ctx);
    op_cast::<dyn DataOp>(&*object)
        .is_some_and(|data| is_pointer(&data.info(ctx).shape) && !data.bounds(ctx).is_empty())
}

/// Whether passing the scalar by value cannot be told from `copy`: it is a local that the region does not write, whose
/// address does not escape and which no data clause of the function maps.
fn is_private_input(ctx: &Context, region: Ptr<Region>, root: &Root) -> bool {
    let Root::Local(alloca) = root else {
        return false;
    };
    alloca.uses(ctx).into_iter().all(|u| {
        let op = u.user_op();
        if let Some(store) = Operation::get_op::<Store>(op, ctx) {
            return store.get_operand_value(ctx) != *alloca && !walk::is_inside(ctx, op, region);
        }
        let by_value = as_data_info(ctx, op).is_some_and(|i| i.clause == DataClause::Firstprivate);
        by_value || (Operation::get_op::<Load>(op, ctx).is_some() && !may_write(ctx, op))
    })
}
