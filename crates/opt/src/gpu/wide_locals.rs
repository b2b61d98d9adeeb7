//! Pass `wide-locals`: variables of 8 and 16 bits that are always read extended are kept extended, on GPUs.
//!
//! C computes with `int` whatever is narrower, and a register has 32 bits: a variable of 8 bits is cut at each store and extended at
//! each load, twice an operation where the work is one.
//!
//! ```text
//! unsigned char least = 255;             %least : i8                           %least : i32
//! for (…)                                %a = zext (load %p)                   %a = zext (load %p)
//!     if (p[k] < least)             …    %b = zext (load %least)          →    %b = load %least
//!         least = p[k];                  %c = select (%a < %b), %a, %b         %c = select (%a < %b), %a, %b
//!                                        store (trunc %c), %least              store %c, %least
//! ```
//! A variable is kept as most of its loads are extended, with its sign or without. What is stored is extended from the low bits as
//! before, and that goes away where the number is known to fit ([`Affine::is_whole`]).
//!
//! Cost: linear in the function.

use accrue_dialects::core::{
    Alloca, Cast, CastKind, Load, Store, emit::Emitter, fold::fold, int, int_width,
};
use accrue_dialects::par::ReductionOp;
use accrue_ir::walk::nested;
use pliron::{
    builtin::{op_interfaces::OneResultInterface, ops::ModuleOp},
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
    r#type::Typed,
    value::Value,
};

use crate::{
    State,
    analysis::{
        affine::{Affine, Range},
        variables::is_local_scalar,
    },
    transform::inline::device_functions,
};

/// Bits of a register.
const REGISTER: u32 = 32;

/// Widens in kernels and the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.promotes_memory {
        return;
    }
    for func in device_functions(ctx, module) {
        let function = func.get_operation();
        let narrow: Vec<Narrow> = nested::<Alloca>(ctx, function)
            .into_iter()
            .filter_map(|alloca| narrow(ctx, alloca))
            .collect();
        let mut affine = Affine::default();
        for variable in &narrow {
            widen(ctx, variable, &mut affine);
        }
        if !narrow.is_empty() {
            drop_extensions(ctx, function, &mut affine);
            fold(ctx, function);
        }
    }
}

/// A variable of fewer bits than a register.
struct Narrow {
    alloca: Alloca,
    width: u32,
    kept: CastKind,
    loads: Vec<Load>,
    stores: Vec<Store>,
}

/// The variable, if it is one, and is extended wherever it is read, but for stores.
fn narrow(ctx: &Context, alloca: Alloca) -> Option<Narrow> {
    let address = alloca.get_result(ctx);
    let width = int_width(ctx, alloca.var_type(ctx)).filter(|w| matches!(w, 8 | 16))?;
    if !is_local_scalar(ctx, address) {
        return None;
    }
    let users: Vec<_> = address.uses(ctx).iter().map(|u| u.user_op()).collect();
    let of = |op: &Ptr<Operation>| Operation::get_op::<Load>(*op, ctx);
    let loads: Vec<Load> = users.iter().filter_map(of).collect();
    let stores = users
        .iter()
        .filter_map(|op| Operation::get_op::<Store>(*op, ctx));
    let stores: Vec<Store> = stores.collect();
    // What a lane has of a reduction stays what the builtins give and take.
    let reduced = |store: &Store| {
        let given = store.get_operand_value(ctx).defining_op();
        given.is_some_and(|op| {
            op_cast::<dyn ReductionOp>(&*Operation::get_op_dyn(op, ctx)).is_some()
        })
    };
    if stores.iter().any(reduced) {
        return None;
    }
    let extensions: Vec<CastKind> = loads
        .iter()
        .flat_map(|load| load.get_result(ctx).uses(ctx))
        .filter_map(|using| Operation::get_op::<Cast>(using.user_op(), ctx))
        .map(|cast| cast.kind(ctx))
        .collect();
    let count = |kind| extensions.iter().filter(|it| **it == kind).count();
    let (unsigned, signed) = (count(CastKind::ZExt), count(CastKind::SExt));
    let kept = match unsigned >= signed {
        true => CastKind::ZExt,
        false => CastKind::SExt,
    };
    (unsigned + signed > 0).then_some(Narrow {
        alloca,
        width,
        kept,
        stores,
        loads,
    })
}

/// Gives the variable the bits of a register.
fn widen(ctx: &mut Context, narrow: &Narrow, affine: &mut Affine) {
    let op = narrow.alloca.get_operation();
    let (wide, before) = (int(ctx, REGISTER), narrow.alloca.var_type(ctx));
    let variable = narrow.alloca.variable(ctx);
    let new = Emitter::before(ctx, op).alloca(wide, variable);
    for store in &narrow.stores {
        let value = store.get_operand_value(ctx);
        let mut e = Emitter::before(ctx, store.get_operation());
        let value = e.int_cast(narrow.kept, value, wide);
        e.store(value, new);
        Operation::erase(store.get_operation(), ctx);
    }
    for load in &narrow.loads {
        let old = load.get_result(ctx);
        let mut e = Emitter::before(ctx, load.get_operation());
        let value = e.load(new);
        let low = e.int_cast(CastKind::Trunc, value, before);
        old.replace_all_uses_with(ctx, &low);
        Operation::erase(load.get_operation(), ctx);
        let half = 1 << (narrow.width - 1);
        match narrow.kept {
            CastKind::ZExt => affine.assume(value, Range::below(2 * half)),
            _ => affine.assume_signed(
                value,
                Range {
                    min: -half,
                    max: half - 1,
                },
            ),
        }
    }
    Operation::erase(op, ctx);
}

/// Takes what is cut and extended again for what it was, where that is the same number.
fn drop_extensions(ctx: &mut Context, function: Ptr<Operation>, affine: &mut Affine) {
    for extension in nested::<Cast>(ctx, function) {
        let Some(number) = uncut(ctx, extension, affine) else {
            continue;
        };
        let result = extension.get_result(ctx);
        let to = result.get_type(ctx);
        let (from, width) = (int_width(ctx, number.get_type(ctx)), int_width(ctx, to));
        let op = extension.get_operation();
        let kind = extension.kind(ctx);
        let mut e = Emitter::before(ctx, op);
        let number = match from.cmp(&width) {
            std::cmp::Ordering::Less => e.int_cast(kind, number, to),
            std::cmp::Ordering::Equal => number,
            std::cmp::Ordering::Greater => e.int_cast(CastKind::Trunc, number, to),
        };
        result.replace_all_uses_with(ctx, &number);
        Operation::erase(op, ctx);
    }
}

/// What an extension extends the low bits of, if the number is in them.
fn uncut(ctx: &Context, extension: Cast, affine: &mut Affine) -> Option<Value> {
    let signed = match extension.kind(ctx) {
        CastKind::SExt => true,
        CastKind::ZExt => false,
        _ => return None,
    };
    let low = extension.get_operand_value(ctx);
    let width = int_width(ctx, low.get_type(ctx)).filter(|w| matches!(w, 8 | 16))?;
    let cut = Operation::get_op::<Cast>(low.defining_op()?, ctx)?;
    if cut.kind(ctx) != CastKind::Trunc {
        return None;
    }
    let number = cut.get_operand_value(ctx);
    affine
        .is_whole(ctx, number, width, signed)
        .then_some(number)
}
