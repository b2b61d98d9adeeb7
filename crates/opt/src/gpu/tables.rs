//! Pass `tables`: small arrays that loops look up by what they compute are copied into the gang's memory, on GPUs.
//!
//! Lanes that look up different elements of a table come to several lines of the cache, one after the other, and wait for each before
//! they know which element is next. The gang's memory gives each lane its element at once, and what else the loop reads does not
//! drive the table out:
//!
//! ```text
//!                                                 par.fork gang 1
//!                                                 %t = core.alloca [256]                       the gang's copy
//! par.fork gang 1                                 par.fork vector 2;  for k = lane …: t[k] = table[k];  par.join vector 2
//! par.fork vector 1                               par.fork vector 1
//!   for …                                  →        for …
//!     c = load table[(c ^ byte) & 255] ^ …            c = load t[(c ^ byte) & 255] ^ …
//! ```
//! 1. The arrays of the program are found that are only read, at places that are known to be among their elements. What pointers lead to
//!    is left alone: there may be nothing, where a condition says so.
//! 2. At least one is read in a loop of the thread with many iterations, at a place that depends on what is loaded in it: where lanes
//!    read next to each other, or all the same, the cache is as good.
//! 3. Nothing that the kernel writes may be in the table ([`crate::analysis::overlap`]): by a type, by `restrict`, or as another variable.
//!    What an iteration alone writes behind its own look-ups would be right as well, but gangs that begin later would read what it writes.
//!
//! Results are the same bits. Cost: linear in the size of the kernel, times its stores for each table.

use crate::{
    State, Switch,
    analysis::{
        affine::Affine, gang_trip::note_gang_cost, overlap::Overlap, records::Records,
        variables::is_in_variable,
    },
    transform::privatized_atomics::elements::{element_of, over_elements},
};
use accrue_dialects::{
    core::{
        Alloca, ArrayType, Atomic, Decay, For, Load, Loop, PtrAdd, Store, array_parts,
        emit::Emitter, float_width, fold::constant, int_width, pointee,
    },
    par::{
        Barrier, Fork, Level,
        kernels::{PARAMETERS, Parameter, VERSION, VersionKind, is_kernel_itself},
    },
};
use accrue_ir::{
    effects::{Effect, effects_of},
    walk::{nested, nested_ops, operands_of},
};
use pliron::{
    builtin::{
        op_interfaces::OneResultInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::TypeHandle,
    value::Value,
};

const NAME: &str = "tables";

/// Bytes of a table, and of all tables of a kernel: so many that gangs do not lack the memory.
const MOST_BYTES: u64 = 4 << 10;
const MOST_TOGETHER: u64 = 8 << 10;
/// With fewer elements, lanes of a warp share most lines of the cache.
const LEAST_ELEMENTS: u64 = 32;
/// Iterations of a loop whose look-ups are worth a copy.
const MANY: i128 = 64;

/// Copies the tables of all kernels.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let target = &state.target;
    let has_memory = target.gang_copy_bytes > 0 && target.gangs.most_lanes > 1;
    if !has_memory || target.finisher.promotes_memory || state.off.is_off(Switch::Tables) {
        return;
    }
    let records = Records::of_module(ctx, module);
    for func in nested::<FuncOp>(ctx, module.get_operation()) {
        let version = VERSION.get(ctx, func.get_operation());
        let covers = version.is_some_and(|version| match version.kind {
            VersionKind::Grid { .. } => true,
            VersionKind::EachGang { .. } | VersionKind::ShortRows | VersionKind::LongRows => false,
        });
        if !covers && !is_kernel_itself(ctx, func) {
            continue;
        }
        let mut left = MOST_TOGETHER;
        let mut overlap = Overlap::new(ctx, module, &records);
        for table in tables(ctx, func, &mut overlap) {
            let Some(rest) = left.checked_sub(table.bytes) else {
                continue;
            };
            left = rest;
            let Parameter { name, .. } = &table.parameter;
            let message = format!(
                "`{name}` is copied into the gang's memory: a loop looks up its {} elements by what it computes",
                table.length
            );
            state.remark(ctx, func.get_operation(), NAME, message);
            copy(ctx, func, &table);
        }
    }
}

/// A parameter that leads to a table.
struct Table {
    parameter: Parameter,
    value: Value,
    /// Elements, and what they are.
    length: u64,
    element: TypeHandle,
    bytes: u64,
    /// Where addresses of elements are computed.
    places: Vec<PtrAdd>,
}

/// The tables of a kernel with one loop over gangs.
fn tables(ctx: &Context, func: FuncOp, overlap: &mut Overlap) -> Vec<Table> {
    let all = nested_ops(ctx, func.get_operation());
    let forks = nested::<Fork>(ctx, func.get_operation());
    let of_level = |level| {
        forks
            .iter()
            .filter(move |fork| fork.level(ctx) == level)
            .count()
    };
    let waits = all.iter().any(|op| Operation::is_op::<Barrier>(*op, ctx));
    if of_level(Level::Gang) != 1 || of_level(Level::Worker) != 0 || waits {
        return vec![];
    }
    let entry = func.get_entry_block(ctx);
    let values: Vec<Value> = entry.deref(ctx).arguments().collect();
    let described = PARAMETERS
        .get(ctx, func.get_operation())
        .unwrap_or_default();
    let described = values.into_iter().zip(described.0);
    let found = described.filter_map(|(value, parameter)| table(ctx, value, parameter));
    found
        .filter(|table| {
            let loads = loads(ctx, table);
            loads.iter().any(|load| is_looked_up(ctx, *load)) && stays(ctx, func, &loads, overlap)
        })
        .collect()
}

/// What `value` leads to, if it is few elements of which all are only read, where they are known to be.
fn table(ctx: &Context, value: Value, parameter: Parameter) -> Option<Table> {
    // Of what a pointer leads to it is not known whether there is anything: it may be null, and looked at under a condition.
    let object = pointee(ctx, value).filter(|_| parameter.variable)?;
    let (length, element) = array_parts(ctx, object)?;
    let starts: Option<Vec<Value>> = (value.uses(ctx).into_iter())
        .map(|u| Some(Operation::get_op::<Decay>(u.user_op(), ctx)?.get_result(ctx)))
        .collect();
    let bits = int_width(ctx, element).or_else(|| float_width(ctx, element))?;
    let bytes = length.checked_mul(u64::from(bits.div_ceil(8)))?;
    if length < LEAST_ELEMENTS || bytes > MOST_BYTES {
        return None;
    }
    let mut affine = Affine::default();
    let mut places = vec![];
    for start in starts? {
        for using in start.uses(ctx) {
            let place = Operation::get_op::<PtrAdd>(using.user_op(), ctx)?;
            let index = affine.range(ctx, place.get_operand_index(ctx))?;
            let inside = 0 <= index.min && index.max < i128::from(length);
            let only_read = place.get_result(ctx).uses(ctx).into_iter().all(|u| {
                let load = Operation::get_op::<Load>(u.user_op(), ctx);
                load.is_some_and(|load| !load.is_volatile(ctx))
            });
            if place.get_operand_base(ctx) != start || !inside || !only_read {
                return None;
            }
            places.push(place);
        }
    }
    Some(Table {
        parameter,
        value,
        length,
        element,
        bytes,
        places,
    })
}

/// The loads of a table's elements.
fn loads(ctx: &Context, table: &Table) -> Vec<Load> {
    let users = table
        .places
        .iter()
        .flat_map(|place| place.get_result(ctx).uses(ctx));
    users
        .filter_map(|u| Operation::get_op::<Load>(u.user_op(), ctx))
        .collect()
}

/// Whether a load is in a loop of the thread with many iterations, at a place that depends on what is loaded in it.
fn is_looked_up(ctx: &Context, load: Load) -> bool {
    let loops = loops_around(ctx, load.get_operation()).into_iter();
    let long = loops.filter(|op| match Operation::get_op::<For>(*op, ctx) {
        Some(lp) => {
            let bounds = [lp.get_operand_lower(ctx), lp.get_operand_upper(ctx)];
            let [lower, upper] = bounds.map(|bound| constant(ctx, bound));
            let long = lower
                .zip(upper)
                .is_none_or(|(lower, upper)| upper - lower >= MANY);
            long && !lp.info(ctx).independent
        }
        None => true,
    });
    let address = load.get_operand_address(ctx);
    long.into_iter()
        .any(|lp| depends_on_loads(ctx, address, lp))
}

/// The loops that an operation is in.
fn loops_around(ctx: &Context, op: Ptr<Operation>) -> Vec<Ptr<Operation>> {
    let mut found = vec![];
    let mut at = op;
    while let Some(around) = at.deref(ctx).get_parent_op(ctx) {
        if Operation::is_op::<For>(around, ctx) || Operation::is_op::<Loop>(around, ctx) {
            found.push(around);
        }
        at = around;
    }
    found
}

/// Whether a value is computed from what a loop loads in each iteration.
fn depends_on_loads(ctx: &Context, value: Value, lp: Ptr<Operation>) -> bool {
    let Some(op) = value.defining_op() else {
        return false;
    };
    if !loops_around(ctx, op).contains(&lp) {
        return false;
    }
    Operation::is_op::<Load>(op, ctx)
        || operands_of(ctx, op)
            .into_iter()
            .any(|operand| depends_on_loads(ctx, operand, lp))
}

/// Whether the kernel writes nothing that these loads may read.
fn stays(ctx: &Context, func: FuncOp, loads: &[Load], overlap: &mut Overlap) -> bool {
    nested_ops(ctx, func.get_operation()).into_iter().all(|op| {
        let effects = effects_of(ctx, op);
        let writes = effects.expected().iter().any(|effect| match effect {
            Effect::Write(_) | Effect::Free(_) => true,
            Effect::Read(_) | Effect::Alloc | Effect::Convergent | Effect::Structure => false,
        });
        if !writes {
            return true;
        }
        let address = match Operation::get_op::<Store>(op, ctx) {
            Some(store) => Some(store.get_operand_address(ctx)),
            None => Atomic::of(ctx, op).map(|atomic| atomic.address(ctx)),
        };
        address.is_some_and(|address| {
            let made = address.defining_op();
            is_in_variable(ctx, address)
                || made.is_some_and(|op| Operation::is_op::<Alloca>(op, ctx))
                || loads
                    .iter()
                    .all(|load| overlap.are_apart(ctx, address, load.get_operand_address(ctx)))
        })
    })
}

/// Copies the table in front of what the gang does, and lets all look it up there.
fn copy(ctx: &mut Context, func: FuncOp, table: &Table) {
    let forks = nested::<Fork>(ctx, func.get_operation());
    let last = forks.iter().map(|f| f.loop_id(ctx)).max().unwrap_or(0);
    let gang = forks.iter().find(|fork| fork.level(ctx) == Level::Gang);
    let Some(gang) = gang.map(|fork| fork.get_operation()) else {
        return;
    };
    let object = ArrayType::get(ctx, table.length, table.element).into();
    let mut e = Emitter::after(ctx, gang);
    let own = e.alloca(object, None);
    over_elements(&mut e, last + 1, table.length, |e, k| {
        let place = element_of(e, table.value, k);
        let value = e.load(place);
        let place = element_of(e, own, k);
        e.store(value, place);
    });
    for place in &table.places {
        let mut e = Emitter::before(e.ctx, place.get_operation());
        let Some(first) = Decay::new(e.ctx, own) else {
            continue;
        };
        let first = e.value(first);
        Operation::replace_operand(place.get_operation(), e.ctx, 0, first);
    }
    note_gang_cost(ctx, func);
}
