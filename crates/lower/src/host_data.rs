//! Directives inside `host_data` constructs (OpenACC 3.4, section 2.8).
//!
//! In the construct's statement the name of an array in `use_device` is a pointer to the device's data, which has lost
//! the array's type: a directive inside cannot map the array by that name, only pass the pointer on.

use accrue_dialects::acc::{ClauseOp, DataClause, DataOp, HostData};
use accrue_ir::walk;
use pliron::{
    builtin::ops::ModuleOp,
    context::Context,
    op::{Op, op_cast},
    operation::Operation,
};

use crate::{
    State,
    variables::{Root, is_pointer, root_of},
};

/// Reports directives that name an array of a `use_device` clause around them.
pub fn check(ctx: &Context, module: ModuleOp, state: &mut State) {
    for construct in walk::nested::<HostData>(ctx, module.get_operation()) {
        let arrays = used_arrays(ctx, &construct);
        for op in walk::nested_ops(ctx, construct.get_operation()) {
            let object = Operation::get_op_dyn(op, ctx);
            let Some(data) = op_cast::<dyn DataOp>(&*object) else {
                continue;
            };
            let info = data.info(ctx);
            let passes_pointer = info.clause == DataClause::Deviceptr;
            let root = data.var(ctx).and_then(|var| root_of(ctx, var));
            if !passes_pointer && root.is_some_and(|root| arrays.contains(&root)) {
                let message = format!(
                    "`{}` is in a `use_device` clause around this directive, where it is a pointer",
                    info.name
                );
                let help = "name it in `deviceptr`, or move the directive out of the construct";
                state.error(ctx, op, message, "2.8", help);
                break;
            }
        }
    }
}

/// The arrays in the construct's `use_device` clauses.
fn used_arrays(ctx: &Context, construct: &HostData) -> Vec<Root> {
    let operands = construct.clause(ctx, "dataOperands").into_iter();
    let roots = operands.filter_map(|value| {
        let object = Operation::get_op_dyn(value.defining_op()?, ctx);
        let data = op_cast::<dyn DataOp>(&*object)?;
        let shape = data.info(ctx).shape;
        let is_array = !shape.dims.is_empty() && !is_pointer(&shape);
        root_of(ctx, data.var(ctx)?).filter(|_| is_array)
    });
    roots.collect()
}
