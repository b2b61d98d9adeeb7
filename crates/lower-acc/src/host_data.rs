//! Directives inside `host_data` constructs (OpenACC 3.4, section 2.8).
//!
//! In the construct's statement the name of an array in `use_device` is a pointer to the device's data, which has lost
//! the array's type: a directive inside cannot map the array by that name, only pass the pointer on.

use accrue_dialects::acc::{ClauseOp, DataClause, DataOp, Group, HostData, PRESENCE, Presence};
use accrue_ir::walk;
use pliron::{
    builtin::ops::ModuleOp,
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
};
use std::collections::{HashMap, HashSet};

use accrue_opt::{
    State,
    analysis::variables::{Root, is_pointer, root_of},
};

/// Reports directives that name an array of a `use_device` clause around them, one for each construct.
pub fn check(ctx: &Context, module: ModuleOp, state: &mut State) {
    let mut around = Around::default();
    visit(ctx, module.get_operation(), &mut around, state);
}

/// The constructs around an operation.
#[derive(Default)]
struct Around {
    /// By array, the constructs that use it, innermost last.
    users: HashMap<Root, Vec<Ptr<Operation>>>,
    reported: HashSet<Ptr<Operation>>,
}

fn visit(ctx: &Context, op: Ptr<Operation>, around: &mut Around, state: &mut State) {
    if !around.users.is_empty() {
        check_operation(ctx, op, around, state);
    }
    let construct = Operation::get_op::<HostData>(op, ctx);
    let arrays = construct.map_or_else(Vec::new, |construct| used_arrays(ctx, &construct));
    for array in &arrays {
        around.users.entry(array.clone()).or_default().push(op);
    }
    for region in walk::regions_of(ctx, op) {
        for inner in walk::ops_of_region(ctx, region) {
            visit(ctx, inner, around, state);
        }
    }
    for array in arrays {
        if let Some(users) = around.users.get_mut(&array) {
            users.pop();
            if users.is_empty() {
                around.users.remove(&array);
            }
        }
    }
}

fn check_operation(ctx: &Context, op: Ptr<Operation>, around: &mut Around, state: &mut State) {
    let object = Operation::get_op_dyn(op, ctx);
    let Some(data) = op_cast::<dyn DataOp>(&*object) else {
        return;
    };
    let info = data.info(ctx);
    let root = data.var(ctx).and_then(|var| root_of(ctx, var));
    let users = root.and_then(|root| around.users.get(&root));
    let is_on_device = PRESENCE.get(ctx, op) == Some(Presence::OnDevice);
    let passes_pointer = info.clause == DataClause::Deviceptr || is_on_device;
    let Some(users) = users.filter(|_| !passes_pointer) else {
        return;
    };
    let reported = users.iter().all(|user| around.reported.contains(user));
    around.reported.extend(users);
    if !reported {
        let message = format!(
            "`{}` is in a `use_device` clause around this directive, where it means the device's",
            info.name
        );
        let help = "name it in `deviceptr`, in OpenMP `has_device_addr`, or move the directive out of the construct";
        state.error(ctx, op, message, "2.8", help);
    }
}

/// The arrays in the construct's `use_device` clauses.
fn used_arrays(ctx: &Context, construct: &HostData) -> Vec<Root> {
    let operands = construct.clause(ctx, Group::Data).into_iter();
    let roots = operands.filter_map(|value| {
        let object = Operation::get_op_dyn(value.defining_op()?, ctx);
        let data = op_cast::<dyn DataOp>(&*object)?;
        let info = data.info(ctx);
        let is_object = PRESENCE.get(ctx, value.defining_op()?) == Some(Presence::OnDevice);
        let is_array = is_object || !info.shape.dims.is_empty() && !is_pointer(&info.shape);
        // OpenMP's construct may map others as well.
        let is_used = info.clause == DataClause::UseDevice;
        root_of(ctx, data.var(ctx)?).filter(|_| is_used && is_array)
    });
    roots.collect()
}
