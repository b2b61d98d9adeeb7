//! What operations of loops do to memory, and where they may be done in vain.

use accrue_dialects::{
    View,
    address_use::{UseKind, use_of},
    core::{
        Bin, BinKind, CoreOp, For, Load, Store, float_width, fold::constant, int_width, pointee,
        pointee_of,
    },
    flow::Flow,
    par::ParOp,
};
use accrue_ir::{
    effects::is_pure,
    walk::{is_inside, operands_of},
};
use pliron::{
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::TypeHandle,
};

use crate::analysis::{straight::PureFunctions, variables::is_in_variable};

/// Registers that a value of the type takes; `None` if it is no word.
pub fn words(ctx: &Context, ty: TypeHandle) -> Option<usize> {
    let bits = int_width(ctx, ty).or_else(|| float_width(ctx, ty));
    match bits {
        Some(8 | 16 | 32) => Some(1),
        Some(64) => Some(2),
        Some(_) => None,
        None => pointee_of(ctx, ty).map(|_| 2),
    }
}

/// Whether the address is computed in the loop without memory and branches, so that it can be computed ahead.
pub fn is_plain_address(ctx: &Context, lp: For, load: Load) -> bool {
    let region = lp.get_operation().deref(ctx).get_region(0);
    let mut open = vec![load.get_operand_address(ctx)];
    while let Some(value) = open.pop() {
        let inside = value.defining_op().filter(|op| is_inside(ctx, *op, region));
        let Some(op) = inside else {
            continue;
        };
        if !is_pure(ctx, op) || op.deref(ctx).num_regions() > 0 {
            return false;
        }
        open.extend(operands_of(ctx, op));
    }
    !load.is_volatile(ctx)
}

/// Whether arrays may be others behind `op`, without what is inside it: other lanes may have written, too, where it waits for them.
pub fn may_change_memory(ctx: &Context, op: Ptr<Operation>, pure: &PureFunctions) -> bool {
    match View::of(ctx, op) {
        View::Core(core) => match core {
            CoreOp::For(_) | CoreOp::Loop(_) | CoreOp::If(_) | CoreOp::Switch(_) => false,
            CoreOp::Yield(_) | CoreOp::Break(_) | CoreOp::Continue(_) | CoreOp::Return(_) => false,
            CoreOp::Alloca(_) => false,
            CoreOp::Load(load) => load.is_volatile(ctx),
            CoreOp::LoadBits(_) => false,
            CoreOp::Call(_) => !pure.is_called(ctx, op),
            CoreOp::AtomicLoad(_) | CoreOp::AtomicStore(_) | CoreOp::AtomicUpdate(_) => true,
            CoreOp::Opaque(_) => true,
            CoreOp::Store(_) | CoreOp::StoreBits(_) | CoreOp::Copy(_) | CoreOp::Zero(_) => {
                let operands = operands_of(ctx, op).into_iter().enumerate();
                let mut written = operands.filter(|(index, _)| match use_of(ctx, op, *index) {
                    UseKind::Write { .. } | UseKind::Update { .. } => true,
                    UseKind::Read { .. } | UseKind::Derive | UseKind::Look => false,
                    UseKind::Pass | UseKind::Clause | UseKind::Keep => false,
                });
                !written.all(|(_, address)| is_in_variable(ctx, address))
            }
            CoreOp::Const(_)
            | CoreOp::FConst(_)
            | CoreOp::Null(_)
            | CoreOp::Bin(_)
            | CoreOp::Un(_)
            | CoreOp::Cmp(_)
            | CoreOp::Cast(_)
            | CoreOp::ComplexMake(_)
            | CoreOp::Real(_)
            | CoreOp::Imag(_)
            | CoreOp::Select(_)
            | CoreOp::AddressOf(_)
            | CoreOp::StringConst(_)
            | CoreOp::PtrAdd(_)
            | CoreOp::PtrDiff(_)
            | CoreOp::Decay(_)
            | CoreOp::Member(_)
            | CoreOp::Extent(_)
            | CoreOp::ExternFunc(_)
            | CoreOp::RecordDef(_) => false,
        },
        View::Par(par) => match par {
            ParOp::DimPos(_) | ParOp::DimSize(_) | ParOp::Fork(_) | ParOp::Join(_) => false,
            ParOp::Lock(_) | ParOp::Unlock(_) => false,
            // Of objects they have the addresses.
            ParOp::RedSetup(_) | ParOp::RedInit(_) | ParOp::RedFini(_) | ParOp::RedTeardown(_) => {
                let mut operands = operands_of(ctx, op).into_iter();
                operands.any(|o| pointee(ctx, o).is_some() && !is_in_variable(ctx, o))
            }
            ParOp::Barrier(_) | ParOp::Loop(_) | ParOp::Reduce(_) => true,
        },
        View::Source(_) | View::Simt(_) | View::Other => true,
    }
}

/// Whether `op`, without what is inside it, may read arrays, or what follows may not be come to.
pub fn may_read_memory(ctx: &Context, op: Ptr<Operation>, pure: &PureFunctions) -> bool {
    if let Some(load) = Operation::get_op::<Load>(op, ctx) {
        return !is_in_variable(ctx, load.get_operand_address(ctx));
    }
    let reads = match View::of(ctx, op) {
        View::Core(_) => {
            let operands = 0..operands_of(ctx, op).len();
            let mut uses = operands.map(|index| use_of(ctx, op, index));
            uses.any(|use_| match use_ {
                UseKind::Read { .. } | UseKind::Update { .. } => true,
                UseKind::Write { .. } | UseKind::Derive | UseKind::Look => false,
                UseKind::Pass | UseKind::Clause | UseKind::Keep => false,
            })
        }
        View::Par(_) | View::Source(_) | View::Simt(_) | View::Other => false,
    };
    let stores = Operation::is_op::<Store>(op, ctx);
    let other = !stores && (reads || may_change_memory(ctx, op, pure));
    other || Flow::of(ctx, op).is_jump()
}

/// Whether `op` may be computed from numbers that are no element's: it is pure, and no division that has no result for some.
pub fn is_harmless(ctx: &Context, op: Ptr<Operation>) -> bool {
    let divides = Operation::get_op::<Bin>(op, ctx).is_some_and(|bin| match bin.kind(ctx) {
        BinKind::DivS | BinKind::DivU | BinKind::RemS | BinKind::RemU => {
            constant(ctx, bin.get_operand_rhs(ctx)).is_none_or(|divisor| divisor == 0)
        }
        _ => false,
    });
    !divides && is_pure(ctx, op) && op.deref(ctx).num_regions() == 0
}
