//! Small arrays that each thread looks up by numbers of its own move into memory of the group.
//!
//! What a thread has in an array is in local memory, where the same element of all threads lies side by side: an access by a counter is one
//! line of the cache for all of them. Where each thread has another index, as in a histogram, a stack or a permutation, it is a line for
//! each, up to 32 one after the other. In memory of the group, each thread has a column, and so a bank of its own:
//!
//! ```text
//! int count[16];                     local:  count[k] of thread t          shared:  count[k * threads + t]
//! count[level[i]]++;
//! ```
//! A bank is a word wide: elements of 8 and 16 bits stay together in words, so that threads next to each other do not meet in one.
//!
//! What is done: in kernels, arrays of numbers that are only loaded from and stored to, up to [`MOST_OF_THREAD`] bytes for a thread and
//! [`MOST_OF_GROUP`] for the group together, so that as many groups as before have room on a multiprocessor, where an index is made of
//! more than constants and counters of loops.
//!
//! It comes behind [`super::barriers`]: nobody else sees a thread's column. Cost: linear in the uses of arrays.

use super::{
    at::{Emitter, GpuAt},
    expanded::Storage,
    unit::Unit,
};
use crate::{
    dialect::{Shared, SharedVariable},
    layout::{Records, extent},
};
use accrue_dialects::core::{
    Alloca, ArrayType, BinKind, Cast, CastKind, Decay, Load, PtrAdd, Store, Zero, array_parts,
    fold::constant, int_width, is_scalar, pointer,
};
use accrue_ir::walk::{nested, operands_of, ops_of_block};
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};

/// Bytes of a thread's arrays.
const MOST_OF_THREAD: u64 = 64;
/// Bytes of a group's.
const MOST_OF_GROUP: u64 = 16 * 1024;

/// Moves those of the unit's kernel.
pub fn expand(ctx: &mut Context, unit: &mut Unit, records: &Records) {
    let threads = u64::from(unit.limits.max_workers) * u64::from(unit.limits.max_vector);
    if unit.kernel.is_none() || threads == 1 {
        return;
    }
    let mut of_thread = 0;
    for alloca in nested::<Alloca>(ctx, unit.function.get_operation()) {
        let local = unit.storage.get(&alloca.get_operation()) == Some(&Storage::Local);
        let Some(table) = table(ctx, alloca, records).filter(|_| local) else {
            continue;
        };
        let bytes = of_thread + table.bytes;
        let start = unit.shared_bytes.next_multiple_of(ALIGNMENT);
        let end = start + table.bytes * threads;
        let fits = bytes <= MOST_OF_THREAD && bytes * threads <= MOST_OF_GROUP;
        if fits && end <= unit.target.shared_bytes {
            of_thread = bytes;
            unit.shared_bytes = end;
            unit.storage.remove(&alloca.get_operation());
            // All threads write, each its own column, also in single modes.
            for store in &table.stores {
                unit.single.remove(store);
            }
            move_table(ctx, unit, &table, threads);
        }
    }
}

/// Bytes of a bank of the group's memory.
const BANK: u64 = 4;
/// Of the group's array, in bytes.
const ALIGNMENT: u64 = 16;

/// An array that may move.
struct Table {
    alloca: Alloca,
    element: TypeHandle,
    length: u64,
    /// Bytes of an element, and of all, in whole words.
    size: u64,
    bytes: u64,
    /// What zeros it as a whole, and the first elements that are taken.
    zeros: Vec<Ptr<Operation>>,
    starts: Vec<Decay>,
    /// The elements that are computed from those, and what writes them.
    elements: Vec<PtrAdd>,
    stores: Vec<Ptr<Operation>>,
}

fn table(ctx: &Context, alloca: Alloca, records: &Records) -> Option<Table> {
    let (length, element) = array_parts(ctx, alloca.var_type(ctx))?;
    let size = extent(ctx, records, element)?.size;
    let mut table = Table {
        alloca,
        element,
        length,
        size,
        bytes: length.checked_mul(size)?.next_multiple_of(BANK),
        zeros: vec![],
        starts: vec![],
        elements: vec![],
        stores: vec![],
    };
    if alloca.count(ctx).is_some() || !is_scalar(ctx, element) || table.bytes > MOST_OF_THREAD {
        return None;
    }
    for using in alloca.get_result(ctx).uses(ctx) {
        let op = using.user_op();
        if let Some(decay) = Operation::get_op::<Decay>(op, ctx) {
            table.starts.push(decay);
            table.note_elements(ctx, decay.get_result(ctx))?;
        } else if Operation::is_op::<Zero>(op, ctx) {
            table.zeros.push(op);
        } else {
            return None;
        }
    }
    let indices = table.elements.iter().map(|add| add.get_operand_index(ctx));
    let differs = |index| is_found_at_run_time(ctx, index);
    indices.into_iter().any(differs).then_some(table)
}

impl Table {
    /// How many elements of a thread are in a word, and stay there: 1 where the index of an element is a sum of several.
    fn packed(&self, ctx: &Context) -> u64 {
        let first = |add: &PtrAdd| {
            let base = add.get_operand_base(ctx).defining_op();
            base.is_some_and(|op| Operation::is_op::<Decay>(op, ctx))
        };
        match self.elements.iter().all(first) {
            true => (BANK / self.size.max(1)).max(1),
            false => 1,
        }
    }

    /// Follows the address of an element; `None` if it is more than loaded from and stored to.
    fn note_elements(&mut self, ctx: &Context, address: Value) -> Option<()> {
        for using in address.uses(ctx) {
            let op = using.user_op();
            if let Some(add) = Operation::get_op::<PtrAdd>(op, ctx) {
                self.elements.push(add);
                self.note_elements(ctx, add.get_result(ctx))?;
                continue;
            }
            let load = Operation::get_op::<Load>(op, ctx);
            let store = Operation::get_op::<Store>(op, ctx);
            let plain = load.is_some_and(|it| !it.is_volatile(ctx))
                || store
                    .is_some_and(|it| !it.is_volatile(ctx) && it.get_operand_value(ctx) != address);
            plain.then_some(())?;
            self.stores.extend(store.map(|it| it.get_operation()));
        }
        Some(())
    }
}

/// How far behind the first element of a column the element `index` is, of which `packed` are next to each other.
fn in_column(at: &mut Emitter, index: Value, width: u32, (packed, threads): (u64, u64)) -> Value {
    let pitch = at.int(width, i128::from(threads));
    if packed == 1 {
        return at.bin(BinKind::Mul, index, pitch);
    }
    let mask = at.int(width, i128::from(packed - 1));
    let in_word = at.bin(BinKind::And, index, mask);
    let words = at.bin(BinKind::Sub, index, in_word);
    let before = at.bin(BinKind::Mul, words, pitch);
    at.bin(BinKind::Add, before, in_word)
}

/// Whether a number is made of more than constants and counters of loops: threads may have different ones.
fn is_found_at_run_time(ctx: &Context, number: Value) -> bool {
    match number.defining_op() {
        None => false,
        Some(_) if constant(ctx, number).is_some() => false,
        Some(op) if Operation::is_op::<Load>(op, ctx) => true,
        Some(op) if op.deref(ctx).num_regions() > 0 => true,
        Some(op) => {
            let operands = operands_of(ctx, op);
            operands.is_empty() || operands.into_iter().any(|it| is_found_at_run_time(ctx, it))
        }
    }
}

/// Gives each thread a column of an array of the group.
fn move_table(ctx: &mut Context, unit: &Unit, table: &Table, threads: u64) {
    let op = table.alloca.get_operation();
    let name = table
        .alloca
        .variable(ctx)
        .map_or_else(String::new, |it| it.name);
    let variable = SharedVariable {
        name: format!("{}_{name}_of_threads{}", unit.name, unit.shared_bytes),
        bytes: table.bytes * threads,
        align: ALIGNMENT,
    };
    let first = ops_of_block(ctx, unit.function.get_entry_block(ctx))[0];
    let mut at = Emitter::before(ctx, first);
    let length = table.bytes / table.size.max(1) * threads;
    let array: TypeHandle = ArrayType::get(at.ctx, length, table.element).into();
    let shared = at.make(|c| Shared::new(c, array, variable));
    let start = at.pointer_to(shared, table.element);
    let (thread, _) = at.threads(true);
    let packed = table.packed(at.ctx);
    let each = at.i64(i128::from(packed));
    let before = at.bin(BinKind::Mul, thread, each);
    let column = at.ptr_add(start, before);
    let generic = pointer(at.ctx, table.element);
    let column = at.make(|c| Cast::new(c, CastKind::PtrCast, column, generic));
    for add in &table.elements {
        let index = add.get_operand_index(ctx);
        let width = int_width(ctx, index.get_type(ctx)).unwrap_or(64);
        let mut at = Emitter::before(ctx, add.get_operation());
        let place = in_column(&mut at, index, width, (packed, threads));
        let (add, number) = (add.get_operation(), 1);
        Operation::replace_operand(add, ctx, number, place);
    }
    for zero in &table.zeros {
        let mut at = Emitter::before(ctx, *zero);
        for k in 0..table.length {
            let index = at.i64(i128::from(k));
            let place = in_column(&mut at, index, 64, (packed, threads));
            let element = at.ptr_add(column, place);
            let nothing = at.zero(table.element);
            at.store(nothing, element);
        }
        Operation::erase(*zero, ctx);
    }
    for start in &table.starts {
        let old = start.get_result(ctx);
        old.replace_all_uses_with(ctx, &column);
        Operation::erase(start.get_operation(), ctx);
    }
    Operation::erase(op, ctx);
}
