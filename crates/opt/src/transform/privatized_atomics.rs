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
//! It is done for what parameters of kernels lead to: arrays of any number of dimensions, pointers with a section of constant
//! length, arrays in structs and structs in arrays, several of them at once, as long as the copies have at most
//! [`crate::Target::gang_copy_bytes`] together. Where nobody says before the launch how long a section is, its first elements get copies, as
//! many as [`UNKNOWN_BYTES`] hold: a histogram is short, and of a long array few updates are of these. All uses of the scalars must be updates by `+`, `-`, `|` or `^` whose values nobody looks at, in one loop over
//! gangs and in loops over lanes. No other iteration can see the array between the updates then: accesses that are not atomic would be data
//! races (OpenACC 3.4, section 2.12). The iteration itself can, by another pointer ([`seen`]). What a pointer leads to may be larger than the section, so elements outside it are still
//! updated where they are. Sums of integers have the same bits as without copies; those of floating-point numbers depend on the
//! order of the updates, with copies and without.
//!
//! A single number that lanes update, as a counter or a total, is no array: they add up in registers ([`scalars`]).
//!
//! Where a gang has one lane, as on cores, nobody else accesses its copy, and the updates of the copy are loads and stores: 2^20 points
//! added to 32 centres took 24 times as long with atomic additions of `float`s as with sums of each core's own. Loops are asked once
//! whether all of their updates are of elements that have a copy ([`in_range`]). At the end each gang begins with another element,
//! so that cores which are done at the same time do not wait for each other at every single one.
//!
//! Variables that are written once have become values before (`promote`), so that parameters of inlined functions are seen
//! through. Where an array is
//! updated atomically and gets no copy, a remark says why.
//!
//! Cost: linear in the number of uses of the kernel's parameters.

mod elements;
mod in_range;
mod places;
mod report;
mod scalars;
mod seen;
mod shape;

use accrue_dialects::{
    core::emit::Emitter,
    core::{ArrayType, AtomicUpdate, BinKind, CmpKind, If, float_width, int_width, layout},
    par::{
        Edge, Fork, Join, Level,
        kernels::{GANG_COPY, PARAMETERS, Parameter, is_kernel_itself},
    },
};
use accrue_ir::walk::{directly_in, nested, nested_ops, ops_of_block};
use elements::{add_part, element_of, over_elements, sum, turned};
use pliron::{
    builtin::{
        attributes::BoolAttr,
        op_interfaces::SingleBlockRegionInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    value::Value,
};
use std::collections::{HashMap, HashSet};

use crate::{
    State,
    analysis::{
        affine::Affine, atomics::Commuting, gang_trip::note_gang_cost, overlap::Overlap,
        records::Records, straight::PureFunctions,
    },
    gpu::{counted_loops::convert_all, promote::promote_all},
};
use in_range::{Guard, Usual, ask_once};
use places::{Found, Places, Unknown, Update, places, unions};
use report::{Why, remark};
use seen::Seen;

const NAME: &str = "histogram";

/// Bytes of a copy of the first elements of an array whose length nobody knows: 2048 numbers of 32 bits. Histograms and
/// sums of clusters have fewer; every gang clears them and looks at them in the end.
const UNKNOWN_BYTES: u64 = 8 << 10;
/// A copy of fewer elements is not worth its questions.
const LEAST_ELEMENTS: u64 = 16;
/// Accesses that may ask for the copy of an array of which nobody knows whether it is longer: with ten for each of two arrays, forces of atoms
/// took 1.7 times as long.
const MOST_ASKED: usize = 8;

/// Gives arrays that are updated atomically a copy per gang, on targets where gangs have memory of their own.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.gang_copy_bytes == 0 {
        return;
    }
    let unions = unions(ctx, module);
    let pure = PureFunctions::of(ctx, module);
    let records = Records::of_module(ctx, module);
    let layouts = layout::records(ctx, module);
    for func in directly_in::<FuncOp>(ctx, module.get_operation()) {
        if is_kernel_itself(ctx, func) {
            let updates = nested::<AtomicUpdate>(ctx, func.get_operation());
            if !updates.is_empty() && state.target.finisher.promotes_memory {
                promote_all(ctx, func.get_operation());
                convert_all(ctx, func);
            }
            let known = Known {
                unions: &unions,
                pure: &pure,
                records: &records,
                layouts: &layouts,
                module,
            };
            privatize_in(ctx, func, &known, state);
        }
    }
}

/// What is known of the module.
struct Known<'a> {
    unions: &'a HashSet<String>,
    pure: &'a PureFunctions,
    records: &'a Records,
    layouts: &'a layout::Records,
    module: ModuleOp,
}

fn privatize_in(ctx: &mut Context, func: FuncOp, known: &Known, state: &mut State) {
    let (unions, pure) = (known.unions, known.pure);
    let entry = func.get_entry_block(ctx);
    let parameters: Vec<_> = entry.deref(ctx).arguments().collect();
    let unnamed = Parameter {
        name: String::new(),
        length: 0,
        variable: false,
    };
    let described = PARAMETERS.get(ctx, func.get_operation());
    let described = described.unwrap_or_default().0.into_iter();
    let described = described.chain(std::iter::repeat(unnamed));
    let mut left = state.target.gang_copy_bytes;
    let mut guards = vec![];
    let shared = state.target.gangs.most_lanes > 1;
    for (parameter, described) in parameters.into_iter().zip(described) {
        let Parameter {
            name, mut length, ..
        } = described;
        let mut found = places(ctx, parameter, length, unions);
        if !found.updated {
            continue;
        }
        let first = match found.unknown {
            Some(Unknown::Length) => first_elements(ctx, &found, left),
            Some(Unknown::Escapes) | None => None,
        };
        if let Some(first) = first {
            length = first;
            found = places(ctx, parameter, length, unions);
        }
        in_program_order(ctx, func, &mut found);
        let room = left;
        let mut overlap = Overlap::new(ctx, known.module, known.records);
        let outcome = copies(ctx, func, (parameter, length), found, &mut left).and_then(|all| {
            let seen = |copy: PerGang| {
                let seen = seen::seen(ctx, func, &copy, shared, (&mut overlap, known))?;
                let is_worth = first.is_none() || seen.accesses.len() <= MOST_ASKED;
                is_worth.then_some((copy, seen))
            };
            let all: Option<Vec<_>> = all.into_iter().map(seen).collect();
            all.ok_or(Why::Seen)
        });
        if outcome.is_err() {
            left = room;
        }
        remark(ctx, func, (&name, first.is_some(), shared), &outcome, state);
        for (copy, seen) in outcome.unwrap_or_default() {
            match copy.in_registers(shared) {
                true => scalars::add_up(ctx, func, &copy),
                false => guards.extend(privatize(ctx, func, (&copy, &seen), shared)),
            }
            note_gang_cost(ctx, func);
        }
    }
    if state.target.finisher.promotes_memory {
        ask_once(ctx, &guards, pure);
    }
}

/// How many elements at the start of an array of unknown length get copies, of which there may be `left` bytes.
fn first_elements(ctx: &Context, found: &Found, left: u64) -> Option<u64> {
    let bytes = |places: &Places| {
        let (_, width) = merge_of(ctx, places)?;
        places.count()?.checked_mul(u64::from(width.div_ceil(8)))
    };
    let each: u64 = found.places.iter().filter_map(bytes).sum();
    let count = UNKNOWN_BYTES.min(left).checked_div(each)?;
    (count >= LEAST_ELEMENTS).then_some(count)
}

/// Sorts by where things stand: the order of a value's uses is not that of the program, and is another in IR that was read.
fn in_program_order(ctx: &Context, func: FuncOp, found: &mut Found) {
    let ops = nested_ops(ctx, func.get_operation());
    let order: HashMap<_, _> = ops.into_iter().zip(0..).collect();
    let place = |update: &Update| order.get(&update.op).copied().unwrap_or(0);
    for places in &mut found.places {
        places.updates.sort_by_key(place);
    }
    let first = |places: &Places| places.updates.first().map_or(0, place);
    found.places.sort_by_key(first);
}

/// Scalars that get a copy, and where.
struct PerGang {
    /// What leads to them, and the number of elements if that is a pointer.
    parameter: (Value, u64),
    places: Places,
    merge: BinKind,
    /// The copy is made behind this operation,
    begin: Ptr<Operation>,
    /// and added up behind that one.
    end: Ptr<Operation>,
}

impl PerGang {
    /// Lanes add up a single number in registers, if there are several in a gang: a copy that they share would be as contended.
    fn in_registers(&self, shared: bool) -> bool {
        shared && self.places.count() == Some(1)
    }
}

/// The copies that a parameter gets.
fn copies(
    ctx: &Context,
    func: FuncOp,
    parameter: (Value, u64),
    found: Found,
    left: &mut u64,
) -> Result<Vec<PerGang>, Why> {
    if let Some(unknown) = found.unknown {
        return Err(Why::Unknown(unknown));
    }
    let scalar = found.places.iter().all(|it| it.count() == Some(1));
    let mut copies = vec![];
    let mut bytes = 0_u64;
    for places in found.places {
        // One element of a section that may have more: what is updated behind it is not this one.
        if places.count() == Some(1) && !places.is_one_object() {
            continue;
        }
        let Some((merge, width)) = merge_of(ctx, &places) else {
            continue;
        };
        let size = places.count().unwrap_or(u64::MAX);
        bytes = bytes.saturating_add(size.saturating_mul(u64::from(width.div_ceil(8))));
        let (begin, end) = loops_around(ctx, func, &places.updates).ok_or(Why::Loops)?;
        copies.push(PerGang {
            parameter,
            places,
            merge,
            begin,
            end,
        });
    }
    if copies.is_empty() {
        return Err(if scalar { Why::UsedScalar } else { Why::Used });
    }
    *left = left.checked_sub(bytes).ok_or(Why::Large(bytes))?;
    Ok(copies)
}

/// How parts are added up, and how many bits an element has.
fn merge_of(ctx: &Context, places: &Places) -> Option<(BinKind, u32)> {
    let float = float_width(ctx, places.element);
    let merge = match (places.kind?, float) {
        (Commuting::Sum, Some(_)) => BinKind::FAdd,
        (Commuting::Sum, None) => BinKind::Add,
        (Commuting::Or, None) => BinKind::Or,
        (Commuting::Xor, None) => BinKind::Xor,
        (Commuting::Or | Commuting::Xor, Some(_)) => return None,
        (Commuting::Product | Commuting::And | Commuting::Min | Commuting::Max, _) => return None,
    };
    Some((merge, float.or_else(|| int_width(ctx, places.element))?))
}

/// The fork of the loop over gangs that all `updates` are in, each inside a loop over lanes, and the operation of the same block
/// behind which the lanes are done with them.
fn loops_around(
    ctx: &Context,
    func: FuncOp,
    updates: &[Update],
) -> Option<(Ptr<Operation>, Ptr<Operation>)> {
    let forks = nested::<Fork>(ctx, func.get_operation());
    let of_level = |level| forks.iter().filter(move |f| f.level(ctx) == level);
    let in_lanes = |u: &Update| {
        of_level(Level::Vector).any(|f| contains(&between(ctx, *f), ctx, u.op).is_some())
    };
    if !updates.iter().all(in_lanes) {
        return None;
    }
    of_level(Level::Gang).find_map(|fork| {
        let inside = between(ctx, *fork);
        let last = updates
            .iter()
            .map(|u| contains(&inside, ctx, u.op))
            .collect::<Option<Vec<_>>>()?
            .into_iter()
            .max()?;
        let end = behind_lanes(ctx, &inside, last)?;
        Some((fork.get_operation(), end))
    })
}

/// The operations between a fork and its join, in their block.
fn between(ctx: &Context, fork: Fork) -> Vec<Ptr<Operation>> {
    let Some(block) = fork.get_operation().deref(ctx).get_parent_block() else {
        return vec![];
    };
    let (id, level) = (fork.loop_id(ctx), fork.level(ctx));
    let is_join = |op: &Ptr<Operation>| {
        Operation::get_op::<Join>(*op, ctx)
            .is_some_and(|join| join.loop_id(ctx) == id && join.level(ctx) == level)
    };
    let behind = |op: &Ptr<Operation>| *op != fork.get_operation();
    ops_of_block(ctx, block)
        .into_iter()
        .skip_while(behind)
        .skip(1)
        .take_while(|op| !is_join(op))
        .collect()
}

/// Which of `ops` is `op` or has it inside.
fn contains(ops: &[Ptr<Operation>], ctx: &Context, op: Ptr<Operation>) -> Option<usize> {
    let mut around = Some(op);
    while let Some(op) = around {
        if let Some(found) = ops.iter().position(|o| *o == op) {
            return Some(found);
        }
        around = op.deref(ctx).get_parent_op(ctx);
    }
    None
}

/// The first operation from number `last` on behind which as many loops over threads have ended as have begun.
fn behind_lanes(ctx: &Context, ops: &[Ptr<Operation>], last: usize) -> Option<Ptr<Operation>> {
    let mut forks = 0;
    for (index, op) in ops.iter().enumerate() {
        match Edge::of(ctx, *op) {
            Some(Edge::Fork(_)) => forks += 1,
            Some(Edge::Join(_)) => forks -= 1,
            None => {}
        }
        if index >= last && forks == 0 {
            return Some(*op);
        }
    }
    None
}

/// Makes the copy, which lanes of a gang share or one lane has for itself; gives the questions whether an element has a copy.
/// `seen`: accesses that may be of what has been updated.
fn privatize(
    ctx: &mut Context,
    func: FuncOp,
    (copy, seen): (&PerGang, &Seen),
    shared: bool,
) -> Vec<Guard> {
    let forks = nested::<Fork>(ctx, func.get_operation());
    let last = forks.iter().map(|f| f.loop_id(ctx)).max().unwrap_or(0);
    let length = copy.places.count().unwrap_or_default();
    let object = ArrayType::get(ctx, length, copy.places.element).into();
    let mut e = Emitter::after(ctx, copy.begin);
    let own = e.alloca(object, None);
    if let Some(array) = own.defining_op() {
        GANG_COPY.set(e.ctx, array, BoolAttr::new(true));
    }
    over_elements(&mut e, last + 1, length, |e, k| {
        let place = element_of(e, own, k);
        let zero = e.zero(copy.places.element);
        e.store(zero, place);
    });
    let mut e = Emitter::after(e.ctx, copy.end);
    over_elements(&mut e, last + 2, length, |e, k| {
        let k = if shared { k } else { turned(e, k, length) };
        let place = element_of(e, own, k);
        let part = e.load(place);
        add_part(e, copy, k, part);
    });
    let mut guards = vec![];
    for access in &seen.accesses {
        guards.extend(seen::ask(ctx, *access, (copy, seen), own));
    }
    for update in &copy.places.updates {
        guards.extend(redirect(ctx, copy, update, own, shared));
    }
    guards
}

/// Lets `update` change the gang's copy, if the element is one that has one: the question, where it has to be asked.
fn redirect(
    ctx: &mut Context,
    copy: &PerGang,
    update: &Update,
    own: Value,
    shared: bool,
) -> Option<Guard> {
    let op = update.op;
    let mut e = Emitter::before(ctx, op);
    let indices: Vec<_> = update
        .index
        .iter()
        .map(|terms| sum(&mut e, terms))
        .collect();
    let mut k = e.i64(0);
    for (index, size) in indices.iter().zip(&copy.places.sizes) {
        let size = e.i64(i128::from(*size));
        let before = e.bin(BinKind::Mul, k, size);
        k = e.bin(BinKind::Add, before, *index);
    }
    let first = indices.first().copied().filter(|_| copy.parameter.1 > 0);
    // An index of few bits, as `x >> 28`, is inside in any case.
    let asked = first
        .zip(copy.places.sizes.first())
        .filter(|(index, size)| {
            let range = Affine::default().range(e.ctx, *index);
            !range.is_some_and(|range| 0 <= range.min && range.max < i128::from(**size))
        });
    let Some((index, most)) = asked else {
        let place = element_of(&mut e, own, k);
        change(&mut e, op, place, shared);
        Operation::erase(op, e.ctx);
        return None;
    };
    let most = *most;
    let size = e.i64(i128::from(most));
    let inside = e.cmp(CmpKind::LtU, index, size);
    let (choice, yes, no) = If::new(e.ctx, inside, vec![]);
    e.push(choice);
    e.at_end(yes);
    let place = element_of(&mut e, own, k);
    change(&mut e, op, place, shared);
    e.finish(vec![]);
    op.unlink(e.ctx);
    e.at_end(no);
    e.push_operation(op);
    e.finish(vec![]);
    Some(Guard {
        choice,
        index,
        size: most,
        usual: Usual::Inside,
    })
}

/// Does what `update` does at another place; without atomicity where nobody shares it.
fn change(e: &mut Emitter, update: Ptr<Operation>, place: Value, shared: bool) {
    let Some(atomic) = Operation::get_op::<AtomicUpdate>(update, e.ctx) else {
        return;
    };
    let mut mapping = IrMapping::new();
    if shared {
        mapping.map_value(atomic.get_operand_address(e.ctx), place);
        e.copy(update, &mut mapping);
        return;
    }
    let Some(new) = atomic.yielded(e.ctx) else {
        return;
    };
    let body = atomic.get_body(e.ctx, 0);
    let old = e.load(place);
    mapping.map_value(body.deref(e.ctx).get_argument(0), old);
    let ops = ops_of_block(e.ctx, body);
    for op in ops.split_last().map_or(&[][..], |(_, before)| before) {
        e.copy(*op, &mut mapping);
    }
    let new = mapping.lookup_value_or_default(new);
    e.store(new, place);
}
