//! What `declare` directives say of a variable where a compute construct stands (OpenACC 3.4, sections 2.6.2 and 2.13).
//!
//! ```text
//! declare create(g)       outside of functions: the address of g says so wherever it is taken
//! { double t[8];
//!   parallel              t is not declared yet
//!   declare create(t)     acc.declare_enter
//!   parallel }            t is present: the enter stands before it in a block around it, and no exit in between
//! ```

use accrue_dialects::acc::{
    ClauseOp, DataClause, DataInfo, DataOp, DeclareEnter, DeclareExit, Group, declared,
};
use accrue_dialects::core::{AddressOf, Variable};
use accrue_ir::walk;
use accrue_opt::analysis::variables::{Root, describe, root_of};
use pliron::{
    builtin::{op_interfaces::OneResultInterface, ops::FuncOp},
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
    value::Value,
};

/// The clause about the variable, unless it is `link`, which maps nothing. `var` is the variable's address in the region.
pub(super) fn declared_info(
    ctx: &Context,
    construct: Ptr<Operation>,
    root: &Root,
    var: Value,
) -> Option<DataInfo> {
    let of_program = declared(ctx, var).filter(|_| is_global(ctx, var));
    let info = match of_program {
        Some(said) => {
            let Variable { name, shape } = describe(ctx, var);
            DataInfo::new(said.clause, &name, shape)
        }
        None => entered(ctx, construct, root)?,
    };
    (info.clause != DataClause::Link).then_some(info)
}

fn is_global(ctx: &Context, var: Value) -> bool {
    var.defining_op()
        .is_some_and(|op| Operation::is_op::<AddressOf>(op, ctx))
}

/// The clause of a directive in the function whose scope the construct is in.
fn entered(ctx: &Context, construct: Ptr<Operation>, root: &Root) -> Option<DataInfo> {
    let function = walk::enclosing::<FuncOp>(ctx, construct)?;
    let enters = walk::nested::<DeclareEnter>(ctx, function.get_operation());
    let about = enters.into_iter().filter_map(|enter| {
        let entries = enter.clause(ctx, Group::Data).into_iter();
        let info = entries
            .filter_map(|value| value.defining_op())
            .find_map(|entry| {
                let object = Operation::get_op_dyn(entry, ctx);
                let data = op_cast::<dyn DataOp>(&*object)?;
                (root_of(ctx, data.var(ctx)?).as_ref() == Some(root)).then(|| data.info(ctx))
            })?;
        Some((enter, info))
    });
    let mut open = about.filter(|(enter, _)| is_open(ctx, *enter, construct));
    open.next().map(|(_, info)| info)
}

/// Whether the scope that begins at `enter` is open at `construct`.
fn is_open(ctx: &Context, enter: DeclareEnter, construct: Ptr<Operation>) -> bool {
    let Some(block) = enter.get_operation().deref(ctx).get_parent_block() else {
        return false;
    };
    // What the construct is, or is in, in the block of the enter.
    let mut at = Some(construct);
    while let Some(op) = at
        && op.deref(ctx).get_parent_block() != Some(block)
    {
        at = op.deref(ctx).get_parent_op(ctx);
    }
    let Some(place) = at else { return false };
    let token = enter.get_result(ctx);
    let ends = |op: Ptr<Operation>| {
        Operation::get_op::<DeclareExit>(op, ctx)
            .is_some_and(|exit| exit.clause(ctx, Group::Token).contains(&token))
    };
    let between = walk::ops_of_block(ctx, block).into_iter();
    let mut between = between
        .skip_while(|op| *op != enter.get_operation())
        .take_while(|op| !ends(*op));
    between.any(|op| op == place)
}
