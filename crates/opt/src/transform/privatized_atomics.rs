//! Pass `histogram`: a small array that a loop only updates atomically gets a copy per gang.
//!
//! Thousands of lanes that count into a few hundred elements wait for each other at the memory of the whole device. Their
//! sums can be made in the gang's own memory and added up at the end, one atomic update per element and gang:
//!
//! ```text
//! par.fork gang 1                                  par.fork gang 1
//!                                                  %c = core.alloca [256]                      the gang's copy
//!                                                  par.fork vector 2;  for k = lane …: c[k] = 0;  par.join vector 2
//! par.fork vector 1                           →    par.fork vector 1
//!   for …: atomic h[key[i]] += 1                     for …: atomic c[key[i]] += 1
//! par.join vector 1                                par.join vector 1
//!                                                  par.fork vector 3;  for k = lane …: if (c[k] != 0) atomic h[k] += c[k]
//!                                                  par.join vector 3
//! ```
//!
//! It is done for parameters of kernels that are arrays, or pointers with a constant section `h[0:256]`, of at most
//! [`crate::Target::gang_copy_bytes`], if a loop over gangs and lanes contains
//! all their uses, these are updates by `+`, `-`, `|` or `^`, and no update's value is looked at. Nobody can see the array
//! between the updates then: accesses that are not atomic would be data races (OpenACC 3.4, section 2.12). What a pointer
//! leads to may be larger than the section, so elements outside it are still updated where they are.
//!
//! Cost: linear in the number of uses of the kernel's parameters.

use accrue_dialects::{
    core::{
        Alloca, ArrayType, AtomicUpdate, Bin, BinKind, Cmp, CmpKind, Decay, For, ForInfo, If, Load,
        PtrAdd, Store, array_parts, float_width, int_width, pointee,
    },
    par::{DimPos, DimSize, Fork, Join, Level, kernel_of},
};
use accrue_ir::walk::{nested, ops_of_block};
use pliron::{
    builtin::{
        op_interfaces::OneResultInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};

use crate::{
    State,
    analysis::atomics::{Commuting, atomic_access},
    attributes::{self, LENGTHS, ParameterLengths},
    emit::Emitter,
};

const NAME: &str = "histogram";

/// Gives arrays that are updated atomically a copy per gang, on targets where gangs have memory of their own.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let most = state.target.gang_copy_bytes;
    if most == 0 {
        return;
    }
    for func in nested::<FuncOp>(ctx, module.get_operation()) {
        if kernel_of(ctx, &func).is_none() {
            continue;
        }
        for histogram in histograms(ctx, func, most) {
            remark(ctx, func, &histogram, state);
            let added = privatize(ctx, func, &histogram);
            state.added_loops.extend(added);
            state.gang_trips.note_gang_cost(ctx, func);
        }
    }
}

fn remark(ctx: &Context, func: FuncOp, histogram: &Histogram, state: &mut State) {
    let names = kernel_of(ctx, &func).and_then(|kernel| state.parameter_names.get(&kernel.site));
    let name = names.and_then(|names| names.get(histogram.parameter));
    let message = format!(
        "`{}` gets a copy per gang, which is added up at the end: its {} elements are only updated atomically",
        name.map_or("", String::as_str),
        histogram.length
    );
    state.remark(ctx, func.get_operation(), NAME, message);
}

/// An array and the loop that updates it.
struct Histogram {
    /// Which of the kernel's parameters it is.
    parameter: usize,
    first: First,
    length: u64,
    element: TypeHandle,
    merge: BinKind,
    updates: Vec<Ptr<Operation>>,
    fork: Ptr<Operation>,
    join: Ptr<Operation>,
}

/// How the kernel gets at the first element.
#[derive(Clone, Copy)]
enum First {
    /// The parameter is the array's address.
    Array(Value),
    /// The parameter points to the first of at least `length` elements.
    Pointer(Value),
}

fn histograms(ctx: &Context, func: FuncOp, most: u64) -> Vec<Histogram> {
    let entry = func.get_entry_block(ctx);
    let parameters: Vec<_> = entry.deref(ctx).arguments().collect();
    let lengths = attributes::get::<ParameterLengths>(ctx, func.get_operation(), &LENGTHS);
    let lengths = lengths.unwrap_or_default().0;
    let lengths = lengths.into_iter().chain(std::iter::repeat(0));
    parameters
        .into_iter()
        .zip(lengths)
        .enumerate()
        .filter_map(|(index, (parameter, length))| {
            histogram(ctx, func, index, parameter, length, most)
        })
        .collect()
}

fn histogram(
    ctx: &Context,
    func: FuncOp,
    index: usize,
    parameter: Value,
    length: u64,
    most: u64,
) -> Option<Histogram> {
    let to = pointee(ctx, parameter)?;
    let (first, length, element) = match array_parts(ctx, to) {
        Some((length, element)) => (First::Array(parameter), length, element),
        None if length > 0 => (First::Pointer(parameter), length, to),
        None => return None,
    };
    let width = int_width(ctx, element).or_else(|| float_width(ctx, element))?;
    if length.checked_mul(u64::from(width.div_ceil(8)))? > most {
        return None;
    }
    let mut updates = vec![];
    for elements in first_elements(ctx, first)? {
        for using in elements.uses(ctx) {
            let place = Operation::get_op::<PtrAdd>(using.user_op(), ctx)?.get_result(ctx);
            updates.extend(place.uses(ctx).into_iter().map(|u| u.user_op()));
        }
    }
    let kind = kind_of(ctx, *updates.first()?)?;
    let alike = updates.iter().all(|u| kind_of(ctx, *u) == Some(kind));
    let merge = match (kind, float_width(ctx, element)) {
        (Commuting::Sum, Some(_)) => BinKind::FAdd,
        (Commuting::Sum, None) => BinKind::Add,
        (Commuting::Or, None) => BinKind::Or,
        (Commuting::Xor, None) => BinKind::Xor,
        _ => return None,
    };
    let (fork, join) = loop_around(ctx, func, &updates).filter(|_| alike)?;
    Some(Histogram {
        parameter: index,
        first,
        length,
        element,
        merge,
        updates,
        fork,
        join,
    })
}

/// All values that are the address of the first element; `None` if the parameter is used for something else, too.
fn first_elements(ctx: &Context, first: First) -> Option<Vec<Value>> {
    match first {
        First::Array(array) => array
            .uses(ctx)
            .into_iter()
            .map(|using| {
                let decay = Operation::get_op::<Decay>(using.user_op(), ctx)?;
                Some(decay.get_result(ctx))
            })
            .collect(),
        // The parameter is put into a local variable, which is read wherever the source names the pointer.
        First::Pointer(pointer) => {
            let uses = pointer.uses(ctx);
            let [only] = uses.as_slice() else { return None };
            let store = Operation::get_op::<Store>(only.user_op(), ctx)?;
            let variable = store.get_operand_address(ctx);
            Operation::get_op::<Alloca>(variable.defining_op()?, ctx)?;
            let mut found = vec![];
            for using in variable.uses(ctx) {
                if using.user_op() == store.get_operation() {
                    continue;
                }
                found.push(Operation::get_op::<Load>(using.user_op(), ctx)?.get_result(ctx));
            }
            Some(found)
        }
    }
}

/// What the update `op` of the array commutes with.
fn kind_of(ctx: &Context, op: Ptr<Operation>) -> Option<Commuting> {
    Operation::get_op::<AtomicUpdate>(op, ctx)?;
    atomic_access(ctx, op)?.2
}

/// Fork and join of the lanes of the loop over gangs and lanes that all of `ops` are in.
fn loop_around(
    ctx: &Context,
    func: FuncOp,
    ops: &[Ptr<Operation>],
) -> Option<(Ptr<Operation>, Ptr<Operation>)> {
    let forks = nested::<Fork>(ctx, func.get_operation());
    let joins = nested::<Join>(ctx, func.get_operation());
    forks.iter().find_map(|fork| {
        let id = fork.loop_id(ctx);
        let with = |level| {
            let same = |f: &&Fork| f.loop_id(ctx) == id && f.level(ctx) == level;
            forks.iter().any(|f| same(&f))
        };
        if fork.level(ctx) != Level::Vector || !with(Level::Gang) || with(Level::Worker) {
            return None;
        }
        let join = joins
            .iter()
            .find(|j| j.loop_id(ctx) == id && j.level(ctx) == Level::Vector)?;
        let (fork, join) = (fork.get_operation(), join.get_operation());
        ops.iter()
            .all(|op| is_between(ctx, *op, fork, join))
            .then_some((fork, join))
    })
}

/// Whether `op`, or an operation around it, stands between `fork` and `join` in their block.
fn is_between(
    ctx: &Context,
    op: Ptr<Operation>,
    fork: Ptr<Operation>,
    join: Ptr<Operation>,
) -> bool {
    let Some(block) = fork.deref(ctx).get_parent_block() else {
        return false;
    };
    let inside: Vec<_> = ops_of_block(ctx, block)
        .into_iter()
        .skip_while(|o| *o != fork)
        .take_while(|o| *o != join)
        .collect();
    let mut around = Some(op);
    while let Some(o) = around {
        if inside.contains(&o) {
            return true;
        }
        around = o.deref(ctx).get_parent_op(ctx);
    }
    false
}

/// Does it; the loops that are added for it.
fn privatize(ctx: &mut Context, func: FuncOp, histogram: &Histogram) -> [Ptr<Operation>; 2] {
    let forks = nested::<Fork>(ctx, func.get_operation());
    let last = forks.iter().map(|f| f.loop_id(ctx)).max().unwrap_or(0);
    let object = ArrayType::get(ctx, histogram.length, histogram.element).into();
    let mut e = Emitter::before(ctx, histogram.fork);
    let copy = e.alloca(object, None);
    let clear = over_elements(&mut e, last + 1, histogram.length, |e, k| {
        let place = element_at(e, First::Array(copy), k);
        if let Some(zero) = e.zero(histogram.element) {
            e.store(zero, place);
        }
    });
    let mut e = Emitter::after(e.ctx, histogram.join);
    let add_up = over_elements(&mut e, last + 2, histogram.length, |e, k| {
        let place = element_at(e, First::Array(copy), k);
        let part = e.load(place);
        add_part(e, histogram, k, part);
    });
    for update in &histogram.updates {
        redirect(ctx, histogram, *update, copy);
    }
    [clear, add_up]
}

/// Lets `update` change the gang's copy.
fn redirect(ctx: &mut Context, histogram: &Histogram, update: Ptr<Operation>, copy: Value) {
    let place = update.deref(ctx).get_operand(0);
    let Some(place) = place.defining_op() else {
        return;
    };
    let index = place.deref(ctx).get_operand(1);
    let mut e = Emitter::before(ctx, update);
    match histogram.first {
        First::Array(_) => {
            let place = element_at(&mut e, First::Array(copy), index);
            Operation::replace_operand(update, ctx, 0, place);
        }
        First::Pointer(_) => {
            let (wide, length) = (e.widen(index, false), e.i64(i128::from(histogram.length)));
            let inside = Cmp::new(e.ctx, CmpKind::LtU, wide, length);
            let inside = e.value(inside);
            let (op, yes, no) = If::new(e.ctx, inside, vec![]);
            e.push(op);
            e.at_end(yes);
            let mut mapping = IrMapping::new();
            let place = element_at(&mut e, First::Array(copy), index);
            mapping.map_value(update.deref(e.ctx).get_operand(0), place);
            e.copy(update, &mut mapping);
            e.finish(vec![]);
            update.unlink(e.ctx);
            e.at_end(no);
            e.push_operation(update);
            e.finish(vec![]);
        }
    }
}

/// `for k = lane to length step lanes { body(k) }`, over the lanes of the gang; gives the loop.
fn over_elements(
    e: &mut Emitter,
    id: u32,
    length: u64,
    body: impl FnOnce(&mut Emitter, Value),
) -> Ptr<Operation> {
    let fork = Fork::new(e.ctx, Level::Vector, id);
    e.push(fork);
    let lane = DimPos::new(e.ctx, Level::Vector);
    let lane = e.value(lane);
    let lanes = DimSize::new(e.ctx, Level::Vector);
    let lanes = e.value(lanes);
    let end = e.i64(i128::from(length));
    let info = ForInfo {
        independent: true,
        unsigned: false,
    };
    let (lp, block) = For::new(e.ctx, lane, end, lanes, info);
    e.push(lp);
    e.at_end(block);
    let k = block.deref(e.ctx).get_argument(0);
    body(e, k);
    e.finish(vec![]);
    e.go_after(lp.get_operation());
    let join = Join::new(e.ctx, Level::Vector, id);
    e.push(join);
    lp.get_operation()
}

fn element_at(e: &mut Emitter, first: First, k: Value) -> Value {
    let first = match first {
        First::Pointer(first) => first,
        First::Array(array) => match Decay::new(e.ctx, array) {
            Some(decay) => e.value(decay),
            None => array,
        },
    };
    e.ptr_add(first, k)
}

/// Updates the array's element `k` by `part`, unless it is zero.
fn add_part(e: &mut Emitter, histogram: &Histogram, k: Value, part: Value) {
    let Some(zero) = e.zero(histogram.element) else {
        return;
    };
    let kind = match float_width(e.ctx, part.get_type(e.ctx)) {
        Some(_) => CmpKind::FNe,
        None => CmpKind::Ne,
    };
    let cmp = Cmp::new(e.ctx, kind, part, zero);
    let counted = e.value(cmp);
    let (op, yes, no) = If::new(e.ctx, counted, vec![]);
    e.push(op);
    e.at_end(yes);
    let place = element_at(e, histogram.first, k);
    let (update, block) = AtomicUpdate::new(e.ctx, place);
    e.push(update);
    e.at_end(block);
    let old = block.deref(e.ctx).get_argument(0);
    let sum = Bin::new(e.ctx, histogram.merge, old, part);
    let sum = e.value(sum);
    e.finish(vec![sum]);
    e.at_end(yes);
    e.finish(vec![]);
    e.at_end(no);
    e.finish(vec![]);
    e.go_after(op.get_operation());
}
