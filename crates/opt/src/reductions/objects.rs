//! The objects of a reduction: RESULT, LOCAL, and the region's uses of the variable, which become uses of LOCAL.

use accrue_dialects::core::{emit::Emitter, fold::constant};
use accrue_dialects::{
    core::{self, Shape, ShapeDim, array_parts, is_scalar, pointee, record_tag},
    par::{
        Elements, Level, Reduce, Reduced, ReductionId, ReductionInfo, ReductionOperator, declared,
    },
};
use accrue_ir::{diagnostic::Result, walk};
use pliron::{
    builtin::ops::FuncOp,
    context::{Context, Ptr},
    irbuild::inserter::Inserter,
    linked_list::LinkedList,
    operation::Operation,
    r#type::TypeHandle,
    value::Value,
};

use crate::{
    analysis::variables::is_parameter,
    reductions::{
        members::{Leaf, Records},
        other_elements::Section,
    },
};

/// Numbers that objects of a declared reduction in one clause's item consist of, at most: all of them move between threads together.
pub const MOST_NUMBERS: usize = 64;

/// A reduced variable.
pub struct Object {
    loop_id: u32,
    /// The address of the user's variable.
    variable: Value,
    /// For a section: where it starts.
    lower: Option<Value>,
    /// The address of LOCAL, as a whole.
    local: Value,
    /// What it consists of: one scalar or array, or the members of a struct.
    pub items: Vec<Item>,
}

/// A scalar or array on its way through the levels: a reduction of its own.
pub struct Item {
    pub info: ReductionInfo,
    /// The address of RESULT.
    pub result: Value,
    pub mapped: bool,
    pub by_address: bool,
    /// The address of LOCAL.
    pub local: Value,
    /// LOCAL as the last builtin gave it (for an array its address).
    pub current: Value,
    /// Of a declared reduction: what RESULT held before.
    pub original: Option<Value>,
}

/// What becomes of a variable in a `reduction` clause.
pub enum Form {
    /// Its threads are one: they use it as it is.
    Plain,
    Object(Object),
    /// No thread can have a LOCAL of its own: how many elements there are, or which, only the program knows.
    WithoutLocal,
    /// A declared reduction of what does not consist of few numbers.
    TooMuch,
}

/// The levels of the loop that the reduction is on.
#[derive(Clone, Copy)]
pub struct LoopLevels {
    pub id: u32,
    pub gang: bool,
    /// Also workers or lanes.
    pub inner: bool,
}

/// Makes the LOCAL, before `first`. `next_id`: the first free reduction identifier of the loop.
pub fn form(
    ctx: &mut Context,
    reduction: Reduce,
    reduced: &Reduced,
    records: &Records,
    levels: LoopLevels,
    next_id: &mut u32,
    first: Ptr<Operation>,
) -> Form {
    let variable = reduction.var(ctx);
    let mut mapped = is_mapped(ctx, variable);
    let declared = declared::number_of(reduced.operator);
    if !mapped && !levels.inner && declared.is_none() {
        return Form::Plain;
    }
    let section = !is_parameter(ctx, variable) || reduced.elements != Elements::Whole;
    if mapped && section && enclosing_loop(ctx, first) {
        // A section may be another one each time. A gang has one slot to reduce into; without gangs nothing is shared.
        if levels.gang {
            return Form::WithoutLocal;
        }
        mapped = false;
    }
    let Some(target) = target(ctx, reduction, reduced, first) else {
        return Form::WithoutLocal;
    };
    let leaves = match (declared, record_tag(ctx, target.ty)) {
        (Some(_), _) => records.numbers(ctx, target.ty, MOST_NUMBERS),
        (None, Some(_)) => records.leaves(ctx, target.ty),
        (None, None) => Some(vec![Leaf::whole(target.ty, reduced.signed)]),
    };
    let Some(leaves) = leaves else {
        return match declared {
            Some(_) => Form::TooMuch,
            None => Form::WithoutLocal,
        };
    };
    let mut e = Emitter::before(ctx, first);
    let local = e.alloca(target.ty, Some(reduced.variable.clone()));
    let mut items = vec![];
    for leaf in leaves {
        // The level is set at each place.
        let info = ReductionInfo {
            level: Level::Gang,
            operator: reduced.operator,
            signed: leaf.signed,
            id: ReductionId {
                loop_id: levels.id,
                reduction_id: *next_id,
            },
        };
        *next_id += 1;
        items.extend(item(&mut e, info, &leaf, local, target.result, mapped));
    }
    if let Some(number) = declared
        && begin(&mut e, number, &mut items).is_err()
    {
        return Form::TooMuch;
    }
    Form::Object(Object {
        loop_id: levels.id,
        variable,
        lower: target.lower,
        local,
        items,
    })
}

/// The part `leaf` of the objects at `local` and `result`. `None` when it has no zero, which a number always has.
fn item(
    e: &mut Emitter,
    info: ReductionInfo,
    leaf: &Leaf,
    local: Value,
    result: Value,
    mapped: bool,
) -> Option<Item> {
    let (local, result) = (leaf.address(e, local), leaf.address(e, result));
    let by_address = array_parts(e.ctx, leaf.ty).is_some();
    let current = if by_address {
        if !mapped {
            let copy = core::Copy::new(e.ctx, local, result);
            e.push(copy);
        }
        local
    } else if mapped {
        e.zero(leaf.ty)
    } else {
        e.load(result)
    };
    Some(Item {
        info,
        result,
        mapped,
        by_address,
        local,
        current,
        original: None,
    })
}

/// Objects of a declared reduction start with what their initializer makes of the original ones.
fn begin(e: &mut Emitter, number: u64, items: &mut [Item]) -> Result<()> {
    let near = e.inserter.get_insertion_block(e.ctx);
    let Some(near) = near.and_then(|block| block.deref(e.ctx).get_parent_op(e.ctx)) else {
        return Ok(());
    };
    let together = declared::together(e.ctx, near, ReductionOperator::Declared(number))?;
    for object in items.chunks_mut(together.max(1)) {
        let original: Vec<Value> = object.iter().map(|item| e.load(item.result)).collect();
        let begun = declared::begin(e, number, &original)?;
        for ((item, original), begun) in object.iter_mut().zip(original).zip(begun) {
            item.original = Some(original);
            item.current = begun;
        }
    }
    Ok(())
}

/// Whether `op` is in a loop or branch of the kernel.
fn enclosing_loop(ctx: &Context, op: Ptr<Operation>) -> bool {
    let parent = op.deref(ctx).get_parent_op(ctx);
    parent.is_none_or(|p| Operation::get_op::<FuncOp>(p, ctx).is_none())
}

/// What is reduced.
struct Target {
    /// Type of RESULT and LOCAL: a scalar, an array of them, or a struct.
    ty: TypeHandle,
    /// Address of RESULT.
    result: Value,
    /// For a section: where it starts.
    lower: Option<Value>,
}

/// The object that `reduction` names: the variable, or a section of constant length. `None`: its length is not constant.
fn target(
    ctx: &mut Context,
    reduction: Reduce,
    reduced: &Reduced,
    first: Ptr<Operation>,
) -> Option<Target> {
    let variable = reduction.var(ctx);
    let declared = declared::number_of(reduced.operator).is_some();
    let ty = pointee(ctx, variable)?;
    let dims = &reduced.variable.shape.dims;
    let pointer = core::pointee_of(ctx, ty);
    if pointer.is_none() && reduced.elements == Elements::Whole {
        let element = innermost(ctx, ty);
        // Rows of an array whose length is not constant are arrays, too.
        let fixed = dims.iter().all(|dim| matches!(dim, ShapeDim::Fixed(_)));
        let record = record_tag(ctx, ty).is_some() || declared;
        return (fixed && (record || is_scalar(ctx, element))).then_some(Target {
            ty,
            result: variable,
            lower: None,
        });
    }
    let (lower, extent) = reduction.section(ctx)?;
    let length = u64::try_from(constant(ctx, extent)?).ok();
    let length = length.filter(|l| *l > 0)?;
    let element = pointer.or_else(|| array_parts(ctx, ty).map(|(_, of)| of))?;
    let is_number = is_scalar(ctx, element) && core::pointee_of(ctx, element).is_none();
    let is_reduced = is_number || declared && record_tag(ctx, element).is_some();
    if !is_reduced || dims.len() != 1 {
        return None;
    }
    let mut e = Emitter::before(ctx, first);
    let base = if pointer.is_some() {
        e.load(variable)
    } else {
        let decay = core::Decay::new(e.ctx, variable)?;
        e.value(decay)
    };
    let start = e.ptr_add(base, lower);
    if length == 1 {
        return Some(Target {
            ty: element,
            result: start,
            lower: Some(lower),
        });
    }
    let ty: TypeHandle = core::ArrayType::get(e.ctx, length, element).into();
    let to = core::pointer(e.ctx, ty);
    let cast = core::Cast::new(e.ctx, core::CastKind::PtrCast, start, to);
    Some(Target {
        ty,
        result: e.value(cast),
        lower: Some(lower),
    })
}

/// What the elements of an array type are, at the bottom.
fn innermost(ctx: &Context, ty: TypeHandle) -> TypeHandle {
    match array_parts(ctx, ty) {
        Some((_, of)) => innermost(ctx, of),
        None => ty,
    }
}

/// Whether the object of a reduction is memory that all gangs share: a parameter, or what a pointer parameter points to.
fn is_mapped(ctx: &Context, variable: Value) -> bool {
    if is_parameter(ctx, variable) {
        return true;
    }
    let is_pointer = pointee(ctx, variable).is_some_and(|t| core::pointee_of(ctx, t).is_some());
    is_pointer
        && variable.uses(ctx).into_iter().any(|u| {
            let store = Operation::get_op::<core::Store>(u.user_op(), ctx);
            store.is_some_and(|s| {
                s.get_operand_address(ctx) == variable
                    && is_parameter(ctx, s.get_operand_value(ctx))
            })
        })
}

/// Lets everything after `first` and before `last`, at any depth, use the LOCAL. False when it uses a section in a way
/// that cannot be redirected.
pub fn redirect_uses(
    ctx: &mut Context,
    object: &Object,
    first: Ptr<Operation>,
    last: Ptr<Operation>,
) -> bool {
    let mut ops = between(ctx, first, last);
    let own = |op| {
        Operation::get_op::<Reduce>(op, ctx)
            .is_some_and(|r| r.reduced(ctx).loop_id == object.loop_id)
    };
    ops.retain(|op| !own(*op));
    let mut uses = vec![];
    for op in ops {
        let operands = walk::operands_of(ctx, op).into_iter().enumerate();
        uses.extend(
            operands
                .filter(|(_, v)| *v == object.variable)
                .map(|(index, _)| (op, index)),
        );
    }
    let Some(lower) = object.lower else {
        for (op, index) in uses {
            Operation::replace_operand(op, ctx, index, object.local);
        }
        return true;
    };
    let array = pointee(ctx, object.local).and_then(|t| array_parts(ctx, t));
    let section = Section {
        local: object.local,
        is_array: array.is_some(),
        lower,
        length: array.map_or(1, |(length, _)| i128::from(length)),
    };
    let mut elements = vec![];
    for (op, _) in uses {
        match Operation::get_op::<Reduce>(op, ctx) {
            Some(inner) => {
                if !redirect_inner(ctx, &section, inner) {
                    return false;
                }
            }
            None => match subscripts(ctx, op) {
                Some(found) => elements.extend(found),
                None => return false,
            },
        }
    }
    section.redirect(ctx, &elements).is_some()
}

/// The operations after `first` and before `last` in their block, at any depth.
pub fn between(ctx: &Context, first: Ptr<Operation>, last: Ptr<Operation>) -> Vec<Ptr<Operation>> {
    let mut ops = vec![];
    let mut at = first.deref(ctx).get_next();
    while let Some(op) = at.filter(|op| *op != last) {
        ops.push(op);
        ops.extend(walk::nested_ops(ctx, op));
        at = op.deref(ctx).get_next();
    }
    ops
}

/// First element and number of elements of a constant section in a `reduction` clause.
fn part(ctx: &Context, reduction: Reduce) -> Option<(i128, i128)> {
    let (first, length) = reduction.section(ctx)?;
    Some((constant(ctx, first)?, constant(ctx, length)?))
}

/// Makes the reduction of an inner loop one of the whole LOCAL.
fn redirect_inner(ctx: &mut Context, section: &Section, inner: Reduce) -> bool {
    // Of other elements: which of the two a subscript means is not known.
    let start = constant(ctx, section.lower);
    if part(ctx, inner)
        .zip(start)
        .is_some_and(|(inner, start)| inner != (start, section.length))
    {
        return false;
    }
    let length = pointee(ctx, section.local)
        .and_then(|t| array_parts(ctx, t))
        .map(|(length, _)| length);
    let shape = Shape {
        dims: length.into_iter().map(ShapeDim::Fixed).collect(),
        ..inner.reduced(ctx).variable.shape
    };
    inner.redirect(ctx, section.local, shape);
    true
}

/// The subscripts of what a use of the variable gives: its decayed address, or the pointer that it holds. `None`: it is used in another way.
fn subscripts(ctx: &Context, user: Ptr<Operation>) -> Option<Vec<core::PtrAdd>> {
    let is_base =
        Operation::is_op::<core::Load>(user, ctx) || Operation::is_op::<core::Decay>(user, ctx);
    let uses: Vec<_> = user.deref(ctx).uses().map(|u| u.user_op()).collect();
    let subscripts = uses
        .iter()
        .map(|u| Operation::get_op::<core::PtrAdd>(*u, ctx));
    subscripts.collect::<Option<Vec<_>>>().filter(|_| is_base)
}
