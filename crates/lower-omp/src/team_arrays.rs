//! Arrays of variable length that the threads of a team share: memory of the device's, where that has no stack for a team.
//!
//! ```text
//! teams {                                    teams {
//!   %s = core.alloca f64, %n                   %p = core.call @malloc(%n * 8);  %s = core.cast %p
//!   parallel { … %s … } }              →       parallel { … %s … };  core.call @free(%p) }
//! ```
//! A core has one thread at a time, on whose stack the array stays.
//!
//! Cost: linear in the region.

use accrue_dialects::{
    acc::as_data_info,
    core::{
        Alloca, BinKind, Call, Cast, CastKind, Extent, Extern, ExternFunc, ExternTraits, VoidType,
        emit::Emitter,
        int,
        layout::{records, size_of},
        pointer,
    },
    omp::{LoopNest, Parallel, Share, Target},
};
use accrue_ir::walk;
use accrue_opt::State;
use pliron::{
    builtin::{
        op_interfaces::{OneRegionInterface, OneResultInterface, SymbolOpInterface},
        ops::ModuleOp,
        types::FunctionType,
    },
    context::{Context, Ptr},
    ident,
    identifier::Identifier,
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
};

/// Replaces the arrays of a region.
pub fn lower(ctx: &mut Context, target: Target, state: &State) {
    if state.target.gangs.most_lanes <= 1 {
        return;
    }
    for alloca in walk::nested::<Alloca>(ctx, target.get_operation()) {
        if alloca.count(ctx).is_some()
            && !is_in_threads(ctx, alloca.get_operation())
            && is_shared(ctx, alloca)
        {
            replace(ctx, target, alloca);
        }
    }
}

/// Whether threads of a team run an operation.
fn is_in_threads(ctx: &Context, op: Ptr<Operation>) -> bool {
    let mut nest = walk::enclosing::<LoopNest>(ctx, op);
    while let Some(around) = nest {
        if around.is_shared_by(ctx, Share::For) || around.is_shared_by(ctx, Share::Simd) {
            return true;
        }
        nest = walk::enclosing::<LoopNest>(ctx, around.get_operation());
    }
    walk::enclosing::<Parallel>(ctx, op).is_some()
}

/// Whether threads use the array, and nothing but threads and the team does.
fn is_shared(ctx: &Context, alloca: Alloca) -> bool {
    let uses = alloca.get_result(ctx).uses(ctx);
    let mut users = uses.iter().map(|using| using.user_op());
    let is_plain = |op: Ptr<Operation>| {
        as_data_info(ctx, op).is_none() && !Operation::is_op::<Extent>(op, ctx)
    };
    users.clone().all(is_plain) && users.any(|op| is_in_threads(ctx, op))
}

fn replace(ctx: &mut Context, target: Target, alloca: Alloca) {
    let op = alloca.get_operation();
    let Some(module) = walk::enclosing::<ModuleOp>(ctx, target.get_operation()) else {
        return;
    };
    let records = records(ctx, module);
    let size = size_of(ctx, &records, alloca.var_type(ctx));
    let end = op
        .deref(ctx)
        .get_parent_block()
        .and_then(|block| walk::ops_of_block(ctx, block).last().copied());
    let (Some(size), Some(count), Some(end)) = (size, alloca.count(ctx), end) else {
        return;
    };
    let void = VoidType::get(ctx).into();
    let void = pointer(ctx, void);
    let word = int(ctx, 64);
    declare(ctx, module, ident!("malloc"), vec![word], vec![void]);
    declare(ctx, module, ident!("free"), vec![void], vec![]);
    let array = alloca.get_result(ctx);
    let ty = array.get_type(ctx);
    let mut e = Emitter::before(ctx, op);
    let (count, size) = (e.widen(count, false), e.i64(i128::from(size)));
    let bytes = e.bin(BinKind::Mul, count, size);
    let call = e.op(|c| Call::new(c, ident!("malloc"), vec![bytes], Some(void)));
    let memory = call.get_operation().deref(e.ctx).get_result(0);
    let start = e.make(|c| Cast::new(c, CastKind::PtrCast, memory, ty));
    Emitter::before(ctx, end).op(|c| Call::new(c, ident!("free"), vec![memory], None));
    array.replace_all_uses_with(ctx, &start);
    Operation::erase(op, ctx);
}

/// Declares a function of C's library, if the module does not.
fn declare(
    ctx: &mut Context,
    module: ModuleOp,
    name: Identifier,
    arguments: Vec<TypeHandle>,
    results: Vec<TypeHandle>,
) {
    let known = walk::directly_in::<ExternFunc>(ctx, module.get_operation());
    if known.iter().any(|it| it.get_symbol_name(ctx) == name) {
        return;
    }
    let allocates = !results.is_empty();
    let declared = Extern {
        ty: FunctionType::get(ctx, arguments, results).into(),
        traits: ExternTraits {
            allocates,
            keeps_no_address: true,
            writes_arguments_only: true,
            ..ExternTraits::default()
        },
        known: None,
    };
    let op = ExternFunc::new(ctx, name, declared).get_operation();
    let first = module.get_region(ctx).deref(ctx).get_entry_block();
    if let Some(block) = first {
        op.insert_at_front(block, ctx);
    }
}
