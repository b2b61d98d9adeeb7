//! Directives that a compute construct cannot contain.

use accrue_dialects::acc::{self, DirectiveOp};
use accrue_ir::walk;
use accrue_opt::State;
use pliron::{
    context::{Context, Ptr},
    op::op_cast,
    operation::Operation,
    region::Region,
};

/// Reports directives that a compute construct cannot contain (2.5.4, 2.6.5, 2.14).
pub fn has_directives(ctx: &Context, region: Ptr<Region>, state: &mut State) -> bool {
    let mut ops = vec![];
    walk::nested_in_region(ctx, region, &mut ops);
    let mut found = false;
    for op in ops {
        let object = Operation::get_op_dyn(op, ctx);
        let is_loop = Operation::get_op::<acc::Loop>(op, ctx).is_some();
        if op_cast::<dyn DirectiveOp>(&*object).is_some() && !is_loop {
            found = true;
            let name = object
                .get_opid()
                .to_string()
                .replace("acc.", "")
                .replace('_', " ");
            let message = format!("`{name}` inside a compute construct");
            state.error(ctx, op, message, "2.5.4", "move it out of the region");
        }
    }
    found
}
