//! Pass `lost-values`: warns of values that a compute region computes and nobody gets.
//!
//! ```text
//! double error = 0;
//! #pragma acc parallel loop             `error` is firstprivate: each gang has a copy of its own
//! for (…) error = fmax(error, …);       ← the value is lost
//! if (error < tolerance) …              ← this is still 0
//! ```
//!
//! A scalar without a clause is firstprivate in `parallel` and `serial` (OpenACC 3.4, section 2.6.2). A program that reads it
//! behind the region before it assigns it again does not mean that. An explicit `firstprivate` clause is the user's will.
//!
//! Steps, for each scalar that the pass `implicit-data` made firstprivate: the first write to it in the region; the first read
//! of the host's variable on the paths from the end of the region, through the loops around it ([`crate::host_flow`]).

use accrue_diag::Specification;
use accrue_dialects::acc::{ComputeOp, DataClause, DataOp, Group, ImplicitRules, MapBehavior};
use accrue_ir::walk;
use pliron::{
    builtin::ops::{FuncOp, ModuleOp},
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
};

use std::collections::HashMap;

use crate::{host_code::HostCode, host_flow::HostFlow};
use accrue_opt::{
    State,
    analysis::read_only::{Functions, first_write, functions},
    analysis::variables::{Root, root_of},
};

/// Looks at all compute constructs.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let functions = functions(ctx, module.get_operation());
    for function in walk::directly_in::<FuncOp>(ctx, module.get_operation()) {
        let written = written_copies(ctx, function, &functions);
        if written.is_empty() {
            continue;
        }
        let code = HostCode::new(ctx, function, &functions.externs);
        let mut flows: HashMap<Root, HostFlow> = HashMap::new();
        for copy in written {
            let flow = flows
                .entry(copy.root.clone())
                .or_insert_with(|| HostFlow::new(ctx, &code, copy.root.clone()));
            if let Some(read) = flow.read_behind(copy.construct) {
                warn(ctx, &copy, read, state);
            }
        }
    }
}

/// A region's own copy of a variable.
struct WrittenCopy {
    construct: Ptr<Operation>,
    root: Root,
    name: String,
    /// Where the region first writes to it.
    write: Ptr<Operation>,
    /// By whose rules it is one.
    openmp: bool,
}

/// The copies that the regions of a function write to.
fn written_copies(ctx: &Context, function: FuncOp, functions: &Functions) -> Vec<WrittenCopy> {
    let mut found = vec![];
    for op in walk::nested_ops(ctx, function.get_operation()) {
        let object = Operation::get_op_dyn(op, ctx);
        let Some(construct) = op_cast::<dyn ComputeOp>(&*object) else {
            continue;
        };
        if construct.defaultmap(ctx).scalar == MapBehavior::Firstprivate {
            continue;
        }
        let region = op.deref(ctx).get_region(0);
        for (root, name) in copies(ctx, construct) {
            if let Some(write) = first_write(ctx, functions, region, &root) {
                found.push(WrittenCopy {
                    construct: op,
                    root,
                    name,
                    write,
                    openmp: construct.rules(ctx) == ImplicitRules::OpenMp,
                });
            }
        }
    }
    found
}

/// The variables of which `construct` has copies without a clause that says so, with their names.
fn copies(ctx: &Context, construct: &dyn ComputeOp) -> Vec<(Root, String)> {
    let mut entries = construct.clause(ctx, Group::Data);
    entries.extend(construct.clause(ctx, Group::Firstprivate));
    let copy = |entry: Ptr<Operation>| {
        let object = Operation::get_op_dyn(entry, ctx);
        let data = op_cast::<dyn DataOp>(&*object)?;
        let info = data.info(ctx);
        let by_value = matches!(info.clause, DataClause::Firstprivate | DataClause::Pointer);
        let root = root_of(ctx, data.var(ctx)?)?;
        (info.implicit && by_value).then_some((root, info.name))
    };
    let entries = entries.into_iter().filter_map(|v| v.defining_op());
    entries.filter_map(copy).collect()
}

fn warn(ctx: &Context, copy: &WrittenCopy, read: Ptr<Operation>, state: &mut State) {
    let name = &copy.name;
    if copy.openmp {
        let message = format!(
            "what the region assigns to `{name}` is lost: `{name}` is firstprivate in the `target`, as no clause names it"
        );
        let help = format!(
            "add a `reduction` clause for `{name}` if iterations combine their values, else `map(tofrom: {name})`; `firstprivate({name})` says that a copy is meant"
        );
        let warned = state.warnings.len();
        state.lost_value(
            ctx,
            (copy.write, "the region assigns its own copy"),
            (read, "the old value is read"),
            message,
            "5.8.1",
            &help,
        );
        for warning in state.warnings.iter_mut().skip(warned) {
            warning.details.specification = Specification::OpenMp;
        }
        return;
    }
    state.lost_value(
        ctx,
        (copy.write, "the region assigns its own copy"),
        (read, "the old value is read"),
        format!(
            "what the region assigns to `{name}` is lost: `{name}` has no data clause, so that the region has a copy of its own"
        ),
        "2.6.2",
        &format!(
            "add a `reduction` clause for `{name}` if iterations combine their values, else `copy({name})`; `firstprivate({name})` says that a copy is meant"
        ),
    );
}
