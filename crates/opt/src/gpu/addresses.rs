//! Pass `addresses`: addresses that differ by a constant share a register, and rows of the same array are one row apart, on GPUs.
//!
//! A window of an image, the rows and columns of a thread, or the neighbours in a stencil are many addresses with little between them.
//! PTX's assembler computes each from its index, since it does not know that the index cannot overflow or finds no common part.
//!
//! ```text
//! a = load in[(i - 1) * n + j - 1]                p = &in[(i - 1) * n + j - 1]
//! b = load in[(i - 1) * n + j]             →      a = load p[0];  b = load p[1]
//! c = load in[i * n + j - 1]                      q = &p[n]
//! d = load in[i * n + j]                          c = load q[0];  d = load q[1]
//! ```
//! 1. Each address is taken apart ([`crate::analysis::affine`]), so that the spelling of its index does not matter: types, casts, the
//!    order of operations, pointers to rows, arrays of arrays.
//! 2. An address whose sum differs by a constant from that of one before, in the block or around it, starts from that: a load or store
//!    has room for the distance.
//! 3. Where it has a product in it and differs from one before by a value and a small factor, that is added. Not in sequential
//!    loops, where addresses that move alike are added up one by one (pass `strength`, which comes next).
//!
//! What lanes compute is not used behind them. Cost: linear in the number of operations, times the addresses of an array that differ
//! by more than a constant, of which [`MOST_STARTS`] are looked at.

use accrue_dialects::{
    core::{BinKind, PtrAdd, dead_code::erase_dead_in, emit::Emitter},
    flow::Flow,
    par::Edge,
};
use accrue_ir::walk::{ops_of_block, regions_of};
use pliron::{
    basic_block::BasicBlock,
    builtin::{
        op_interfaces::{OneRegionInterface, OneResultInterface},
        ops::ModuleOp,
    },
    context::{Context, Ptr},
    linked_list::ContainsLinkedList,
    op::Op,
    operation::Operation,
    r#type::TypeHandle,
    value::Value,
};
use std::collections::HashMap;

use crate::{
    State, Switch,
    analysis::{
        affine::{Affine, OriginId, Sum},
        variables::is_in_variable,
    },
    transform::inline::device_functions,
};

/// Factors of a value between two rows.
const MOST_ROWS: i64 = 16;
/// Addresses of an array that an address is compared with.
const MOST_STARTS: usize = 16;
/// Elements that a constant distance may have: what loads and stores have room for.
const FARTHEST: i64 = 1 << 16;

/// Shares in kernels and the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.reduces_strength || state.off.is_off(Switch::Addresses) {
        return;
    }
    for func in device_functions(ctx, module) {
        let region = func.get_region(ctx);
        let blocks: Vec<_> = region.deref(ctx).iter(ctx).collect();
        let mut sharing = Sharing::default();
        for block in blocks {
            sharing.block(ctx, block, false);
        }
        erase_dead_in(ctx, region);
    }
}

/// An address that others may start from.
#[derive(Clone)]
struct Start {
    address: Value,
    /// Its distance from the root, without the constant, and the constant.
    rest: Sum,
    constant: i64,
}

/// Where addresses of elements of one type start from.
type Array = (OriginId, TypeHandle);

#[derive(Default)]
struct Sharing {
    affine: Affine,
    /// The addresses of each array so far, in blocks around and in front.
    known: HashMap<Array, Vec<Start>>,
}

/// How an address is made from another.
enum Step {
    Elements(i64),
    /// A value, whether it has a sign, how often, and a number of elements.
    Value {
        value: Value,
        signed: bool,
        factor: i64,
        distance: i64,
    },
}

impl Sharing {
    fn block(&mut self, ctx: &mut Context, block: Ptr<BasicBlock>, in_loop: bool) {
        for op in ops_of_block(ctx, block) {
            if Edge::of(ctx, op).is_some() {
                self.known.clear();
            } else if let Some(address) = Operation::get_op::<PtrAdd>(op, ctx) {
                self.share(ctx, address, in_loop);
            } else if op.deref(ctx).num_regions() > 0 {
                let is_loop = Flow::of(ctx, op).is_loop();
                for region in regions_of(ctx, op) {
                    let before = self.known.clone();
                    let blocks: Vec<_> = region.deref(ctx).iter(ctx).collect();
                    for block in blocks {
                        self.block(ctx, block, in_loop || is_loop);
                    }
                    self.known = before;
                }
            }
        }
    }

    fn share(&mut self, ctx: &mut Context, address: PtrAdd, in_loop: bool) {
        let own = address.get_result(ctx);
        if is_in_variable(ctx, own) || only_leads_on(ctx, own) {
            return;
        }
        let place = self.affine.place(ctx, own);
        let (rest, constant) = place.distance.split();
        let starts = self.known.entry((place.origin, place.element)).or_default();
        let near = |start: &&Start| {
            let distance = constant.wrapping_sub(start.constant);
            start.rest == rest && (-FARTHEST..=FARTHEST).contains(&distance)
        };
        let mut step = starts
            .iter()
            .find(near)
            .map(|start| (start.address, Step::Elements(constant - start.constant)));
        let exact = step.is_some();
        if !exact && !in_loop && rest.multiplies() {
            let last = starts.iter().rev().take(MOST_STARTS);
            let apart = last.filter_map(|start| {
                let (atom, factor) = rest.minus(&start.rest).as_atom()?;
                let distance = constant.wrapping_sub(start.constant);
                let near = factor.unsigned_abs() <= MOST_ROWS as u64
                    && (-FARTHEST..=FARTHEST).contains(&distance);
                let spelled = |address| self.affine.spelled_in(ctx, address, atom);
                let value = spelled(own).or_else(|| spelled(start.address));
                let step = Step::Value {
                    value: value.filter(|_| near)?,
                    signed: self.affine.is_signed(atom),
                    factor,
                    distance,
                };
                Some((start.address, step))
            });
            step = apart.min_by_key(|(_, step)| match step {
                Step::Elements(_) => 0,
                Step::Value { factor, .. } => factor.unsigned_abs(),
            });
        }
        let start = match step {
            None => own,
            Some((from, step)) => replace(ctx, address, from, step),
        };
        if !exact {
            starts.push(Start {
                address: start,
                rest,
                constant,
            });
        }
    }
}

/// Whether the address is only where others start.
fn only_leads_on(ctx: &Context, address: Value) -> bool {
    let uses = address.uses(ctx);
    !uses.is_empty()
        && uses
            .into_iter()
            .all(|u| Operation::is_op::<PtrAdd>(u.user_op(), ctx))
}

/// Writes `address` as a step from another, in a register of its own unless it is a constant number of elements away.
fn replace(ctx: &mut Context, address: PtrAdd, from: Value, step: Step) -> Value {
    let own = address.get_result(ctx);
    let mut e = Emitter::before(ctx, address.get_operation());
    let new = match step {
        Step::Elements(0) => from,
        Step::Elements(distance) => {
            let distance = e.i64(i128::from(distance));
            e.ptr_add(from, distance)
        }
        Step::Value {
            value,
            signed,
            factor,
            distance,
        } => {
            let wide = e.widen(value, !signed);
            let factor = e.i64(i128::from(factor));
            let way = e.bin(BinKind::Mul, wide, factor);
            let row = e.ptr_add(from, way);
            match distance {
                0 => row,
                _ => {
                    let distance = e.i64(i128::from(distance));
                    e.ptr_add(row, distance)
                }
            }
        }
    };
    own.replace_all_uses_with(e.ctx, &new);
    Operation::erase(address.get_operation(), e.ctx);
    new
}
