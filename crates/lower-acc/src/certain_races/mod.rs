//! Pass `certain-races`: warns of places that all iterations of a partitioned loop write, each another value.
//!
//! ```text
//! #pragma acc parallel loop copy(s)
//! for (i …) s.sum += a[i];              ← iterations read the same old value; all updates but one get lost
//!
//! #pragma acc parallel loop copy(u)
//! for (i …) { u.word = x[i];  y[i] = u.half[0]; }     ← an iteration reads what another one has assigned
//! ```
//!
//! A scalar that programs forget to reduce, or to make private, is found by other passes, or is the iteration's own; this is
//! about members of structs and unions, bit-fields, elements of arrays, and what pointers point to. What `kernels-scalars`
//! could not give to the iterations is among it. Only what is certain is said:
//!
//! 1. several gangs, workers or lanes share the loop's iterations, and there is more than one iteration, as far as is known;
//! 2. each iteration gets to the write, but for `if` with the same write in both arms, and for loops that may be empty; not for those
//!    with bounds made of its counter;
//! 3. the address is the same in all of them: it has no induction variable in it, and nothing that the loop writes;
//! 4. all who share the iterations share the memory: it is the host's, or the gang's and the loop is over workers or lanes;
//! 5. the value differs: it comes from an induction variable, from memory that does, or from the place itself. (All may say
//!    that they have found something: `s.found = 1`, `s.set |= 4`.)
//!
//! Atomic updates are no writes here. Loops whose iterations may take locks are left alone, and so is a variable that anything in the
//! construct reduces.
//!
//! Cost: the size of each loop's body, and the uses of the variables behind what is written.

mod warning;
use self::warning::warn;
use accrue_dialects::{
    acc::{ClauseOp, ComputeOp, DataOp, Group, Kernels, Loop, Parallel, Reduction},
    core::fold::constant,
    core::{
        self, AtomicUpdate, Bin, BinKind, Call, Copy, Decay, Load, LoadBits, Member, PtrAdd,
        RecordDef, Store, StoreBits, is_scalar, pointee, pointee_of,
    },
    flow::Flow,
    par::{Level, LoopDim, LoopTest},
};
use accrue_ir::walk;
use pliron::{
    builtin::{op_interfaces::OneRegionInterface, ops::ModuleOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    region::Region,
    value::Value,
};
use std::collections::HashMap;

use crate::{
    assign_levels::asked, attributes::TESTED, device_types::says_one_gang, gang_private::is_of_gang,
};
use accrue_opt::{
    State,
    analysis::accesses::{Base, Place, Reader, Step},
    analysis::affine::Affine,
    analysis::first_use::{Effect, Path, continues},
    analysis::read_only::{Functions, functions, is_written},
    analysis::variables::{Root, defined_inside, root_of},
    diagnostic::is_copy,
};

/// How far the reasons of a value are followed.
const DEPTH: u32 = 32;

/// Looks at the loops of all compute constructs.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let functions = functions(ctx, module.get_operation());
    let records = walk::directly_in::<RecordDef>(ctx, module.get_operation());
    let names = records.iter().map(|record| {
        let fields = record.fields(ctx).into_iter().map(|field| field.name);
        (record.tag(ctx), fields.collect())
    });
    let names: Names = names.collect();
    let mut affine = Affine::of_subscripts();
    for lp in walk::nested::<Loop>(ctx, module.get_operation()) {
        // Whether addresses are the same is what a test asks; a copy of what it is asked for runs in order.
        let tested = TESTED.is_on(ctx, lp.get_operation()) || is_copy(ctx, lp.get_operation());
        if may_lock(ctx, lp) || tested {
            continue;
        }
        let Some(shared) = Shared::of(ctx, lp, &functions, &mut affine) else {
            continue;
        };
        for write in shared.writes(lp.get_region(ctx)) {
            if shared.is_race(&write) {
                let updates = !write.is_copy(ctx) && shared.reads(write.value, &write, DEPTH);
                warn(ctx, lp, &write, updates, &names, state);
            }
        }
        affine = shared.reader.done();
    }
}

/// Whether iterations may wait for each other: in a loop with an atomic update.
fn may_lock(ctx: &Context, lp: Loop) -> bool {
    walk::nested::<core::Loop>(ctx, lp.get_operation())
        .into_iter()
        .any(|waits| !walk::nested::<AtomicUpdate>(ctx, waits.get_operation()).is_empty())
}

/// The names of the fields of each record.
type Names = HashMap<String, Vec<String>>;

/// A write to memory.
struct Write {
    op: Ptr<Operation>,
    place: Place,
    /// The address, or that of the record of a bit-field.
    address: Value,
    bits: Option<u32>,
    /// What is written, or the address that it is copied from.
    value: Value,
}

impl Write {
    fn of(reader: &Reader, op: Ptr<Operation>) -> Option<Self> {
        let ctx = reader.ctx;
        let (address, value, bits) = if let Some(store) = Operation::get_op::<Store>(op, ctx) {
            if store.is_volatile(ctx) {
                return None;
            }
            let value = store.get_operand_value(ctx);
            (store.get_operand_address(ctx), value, None)
        } else if let Some(store) = Operation::get_op::<StoreBits>(op, ctx) {
            let value = store.get_operand_value(ctx);
            (store.get_operand_record(ctx), value, Some(store.field(ctx)))
        } else {
            let copy = Operation::get_op::<Copy>(op, ctx)?;
            (copy.get_operand_to(ctx), copy.get_operand_from(ctx), None)
        };
        let mut place = reader.place(address);
        place.path.extend(bits.map(Step::Member));
        Some(Write {
            op,
            place,
            address,
            bits,
            value,
        })
    }

    fn is_copy(&self, ctx: &Context) -> bool {
        Operation::is_op::<Copy>(self.op, ctx)
    }
}

/// A loop whose iterations several gangs, workers or lanes share.
struct Shared<'a> {
    reader: Reader<'a>,
    functions: &'a Functions,
    lp: Loop,
    construct: Ptr<Operation>,
    parallel: Option<Parallel>,
    /// Several workers or lanes of a gang take part.
    in_gang: bool,
    reduced: Vec<Root>,
}

impl<'a> Shared<'a> {
    fn of(
        ctx: &'a Context,
        lp: Loop,
        functions: &'a Functions,
        affine: &mut Affine,
    ) -> Option<Self> {
        let parallel = walk::enclosing::<Parallel>(ctx, lp.get_operation());
        let kernels = walk::enclosing::<Kernels>(ctx, lp.get_operation());
        let construct: &dyn ComputeOp = match (&parallel, &kernels) {
            (Some(parallel), _) => parallel,
            (None, Some(kernels)) => kernels,
            (None, None) => return None,
        };
        let levels = lp.levels(ctx)?;
        let many = |group: Group, own: Group| {
            let mut sizes = construct.clause(ctx, group);
            sizes.extend(lp.clause(ctx, own));
            let more = |size: Value| constant(ctx, size).is_some_and(|size| size > 1);
            sizes.into_iter().all(more)
        };
        // Lanes that nobody has asked for are none that share.
        let asked = asked(&lp.clauses(ctx));
        let asks = |level| asked.is_empty() || asked.contains(&level);
        let gangs = levels.gang
            && !says_one_gang(ctx, construct, Group::NumGangs)
            && many(Group::NumGangs, Group::GangNum);
        let in_gang = levels.worker && many(Group::NumWorkers, Group::WorkerNum)
            || levels.vector
                && asks(Level::Vector)
                && many(Group::VectorLength, Group::VectorLength);
        if !(gangs || in_gang)
            || is_short(ctx, lp)
            || !continues(ctx, lp.get_operation()).is_empty()
        {
            return None;
        }
        let construct = construct.get_operation();
        let reductions = walk::nested_ops(ctx, construct).into_iter();
        let clauses = reductions.flat_map(|op| walk::operands_of(ctx, op));
        let operands = walk::operands_of(ctx, construct).into_iter().chain(clauses);
        let reduced = operands.filter_map(|value| {
            let reduction = Operation::get_op::<Reduction>(value.defining_op()?, ctx)?;
            root_of(ctx, reduction.var(ctx)?)
        });
        Some(Shared {
            reader: Reader::again(ctx, lp.get_region(ctx), std::mem::take(affine)),
            functions,
            lp,
            construct,
            parallel,
            in_gang,
            reduced: reduced.collect(),
        })
    }

    /// What every pass through the region writes.
    fn writes(&self, region: Ptr<Region>) -> Vec<Write> {
        let ctx = self.reader.ctx;
        let mut found = vec![];
        for op in walk::ops_of_region(ctx, region) {
            let regions = walk::regions_of(ctx, op);
            match Flow::of(ctx, op) {
                Flow::If(_) => {
                    let mut arms = regions.iter().map(|region| self.writes(*region));
                    let mut in_all = arms.next().unwrap_or_default();
                    for arm in arms {
                        let same = |write: &Write| {
                            let (base, path) = (&write.place.base, &write.place.path);
                            arm.iter()
                                .any(|w| w.place.base == *base && w.place.path == *path)
                        };
                        in_all.retain(same);
                    }
                    found.extend(in_all);
                }
                // It may be that only one iteration gets into it.
                Flow::Shared | Flow::For(_) | Flow::Loop(_)
                    if walk::operands_of(ctx, op)
                        .into_iter()
                        .any(|bound| self.is_counted(bound)) => {}
                Flow::Shared | Flow::For(_) | Flow::Loop(_) => {
                    found.extend(regions.iter().flat_map(|region| self.writes(*region)));
                }
                Flow::Next => {
                    found.extend(Write::of(&self.reader, op));
                    found.extend(self.writes_of_call(op));
                }
                // Which case runs nobody knows; a directive in a construct is an error.
                Flow::Switch(_) | Flow::Once => {}
                Flow::Yield | Flow::Break | Flow::Continue | Flow::Return => {}
            }
            if self.may_leave(op) {
                break;
            }
        }
        found
    }

    /// Whether a value is made of the loop's counter.
    fn is_counted(&self, value: Value) -> bool {
        let ctx = self.reader.ctx;
        match value.defining_op() {
            None => value.get_parent_block(ctx).is_some_and(|block| {
                block.deref(ctx).get_parent_op(ctx) == Some(self.lp.get_operation())
            }),
            Some(op) => {
                walk::is_inside(ctx, op, self.lp.get_region(ctx))
                    && walk::operands_of(ctx, op)
                        .into_iter()
                        .any(|operand| self.is_counted(operand))
            }
        }
    }

    /// What a function assigns in any case where its arguments point to: once for each of the others, as a value that it may
    /// be made of.
    fn writes_of_call(&self, op: Ptr<Operation>) -> Vec<Write> {
        let ctx = self.reader.ctx;
        let callee = Operation::get_op::<Call>(op, ctx)
            .and_then(|call| self.functions.get(&call.callee(ctx)));
        let Some(callee) = callee else {
            return vec![];
        };
        let entry = callee.get_entry_block(ctx);
        let parameters: Vec<_> = entry.deref(ctx).arguments().collect();
        let given = walk::operands_of(ctx, op);
        let assigned = given.iter().zip(parameters).filter(|(_, parameter)| {
            let ops = walk::ops_of_block(ctx, entry).into_iter();
            let mut stores = ops.filter_map(|op| Operation::get_op::<Store>(op, ctx));
            stores.any(|store| leads_through(ctx, store.get_operand_address(ctx), *parameter))
        });
        let made_of = |address: Value| {
            let others = given.iter().filter(move |value| **value != address);
            others.map(move |value| Write {
                op,
                place: self.reader.place(address),
                address,
                bits: None,
                value: *value,
            })
        };
        assigned
            .flat_map(|(address, _)| made_of(*address))
            .collect()
    }

    /// Whether what stands behind `op` may be left out.
    fn may_leave(&self, op: Ptr<Operation>) -> bool {
        let ctx = self.reader.ctx;
        let jumps = |op: &Ptr<Operation>| Flow::of(ctx, *op).is_jump();
        jumps(&op) || walk::nested_ops(ctx, op).iter().any(jumps)
    }

    /// Whether the iterations overwrite each other's values there.
    fn is_race(&self, write: &Write) -> bool {
        let (reader, place) = (&self.reader, &write.place);
        let (Base::Variable(root) | Base::Pointee(root)) = &place.base else {
            return false;
        };
        let written = match self.parallel {
            Some(parallel) if is_of_gang(reader.ctx, &parallel, root.clone()) => {
                matches!(place.base, Base::Variable(_)) && self.in_gang && self.is_read_first(write)
            }
            _ => match place.base {
                // Of a pointer each gang has a copy, unless a clause maps it as such.
                Base::Variable(_) if place.path.is_empty() => pointee(reader.ctx, write.address)
                    .is_none_or(|ty| pointee_of(reader.ctx, ty).is_none()),
                Base::Variable(_) => true,
                // A pointer that the construct sets may lead to a gang's own memory.
                _ => {
                    let body = self.construct.deref(reader.ctx).get_region(0);
                    !is_written(reader.ctx, self.functions, body, root)
                }
            },
        };
        written
            && !self.reduced.contains(root)
            && reader.is_fixed(place)
            && !self.is_idempotent(write)
            && self.differs_at(write)
    }

    /// Of a gang's own variable: whether an iteration finds there what another one has left. Otherwise iterations may get
    /// their own.
    fn is_read_first(&self, write: &Write) -> bool {
        let ctx = self.reader.ctx;
        let Base::Variable(root) = &write.place.base else {
            return false;
        };
        let Root::Local(variable) = root else {
            return false;
        };
        let whole = pointee(ctx, *variable);
        if whole.is_some_and(|ty| is_scalar(ctx, ty)) {
            return false;
        }
        let fields = write.place.path.iter().map(|step| match step {
            Step::Member(field) => Some(*field),
            Step::Index(_) => None,
        });
        let fields: Vec<_> = fields.map_while(|field| field).collect();
        let body = self.lp.get_region(ctx);
        let path = Path::of_member(ctx, self.functions, root.clone(), fields, body);
        path.in_region(body) == Effect::Reads && self.reads(write.value, write, DEPTH)
    }

    fn differs_at(&self, write: &Write) -> bool {
        if !write.is_copy(self.reader.ctx) {
            return self.differs(write.value, write, DEPTH);
        }
        let from = self.reader.place(write.value);
        match from.base {
            Base::Variable(_) | Base::Pointee(_) => self.reader.has_induction(&from),
            Base::Inside => self.own_differs(write.value, write, DEPTH),
            Base::Loaded(_) | Base::Unknown => false,
        }
    }

    /// Whether iterations store different values in their own variable, which `address` leads to.
    fn own_differs(&self, address: Value, write: &Write, depth: u32) -> bool {
        let ctx = self.reader.ctx;
        let variable = variable_of(ctx, address);
        let into = |to: Value| variable_of(ctx, to) == variable;
        let mut ops = vec![];
        walk::nested_in_region(ctx, self.lp.get_region(ctx), &mut ops);
        ops.into_iter().any(|op| {
            if let Some(store) = Operation::get_op::<Store>(op, ctx) {
                into(store.get_operand_address(ctx))
                    && self.differs(store.get_operand_value(ctx), write, depth.saturating_sub(1))
            } else if let Some(copy) = Operation::get_op::<Copy>(op, ctx) {
                let from = self.reader.place(copy.get_operand_from(ctx));
                into(copy.get_operand_to(ctx)) && self.reader.has_induction(&from)
            } else {
                false
            }
        })
    }

    /// Whether iterations have different values of `value`; `write` is where it goes.
    fn differs(&self, value: Value, write: &Write, depth: u32) -> bool {
        let ctx = self.reader.ctx;
        let Some(op) = value.defining_op() else {
            // An induction variable.
            return defined_inside(ctx, value, self.lp.get_region(ctx));
        };
        if depth == 0 || !walk::is_inside(ctx, op, self.lp.get_region(ctx)) {
            return false;
        }
        if Operation::is_op::<Call>(op, ctx) && walk::operands_of(ctx, op).is_empty() {
            return false;
        }
        let Some(place) = self.loaded(op) else {
            let operands = walk::operands_of(ctx, op).into_iter();
            let mut operands = operands.filter(|operand| *operand != value);
            return operands.any(|operand| self.differs(operand, write, depth - 1));
        };
        if place.base == write.place.base && place.path == write.place.path {
            return true;
        }
        match place.base {
            // What the iteration has stored in its own variable.
            Base::Inside => {
                let address = walk::operands_of(ctx, op).first().copied();
                address.is_some_and(|address| self.own_differs(address, write, depth - 1))
            }
            Base::Variable(_) | Base::Pointee(_) => self.reader.has_induction(&place),
            Base::Loaded(_) | Base::Unknown => false,
        }
    }

    /// Whether `value` is made of what stands at the place that `write` writes.
    fn reads(&self, value: Value, write: &Write, depth: u32) -> bool {
        let ctx = self.reader.ctx;
        let Some(op) = value.defining_op().filter(|_| depth > 0) else {
            return false;
        };
        match self.loaded(op) {
            Some(place) => place.base == write.place.base && place.path == write.place.path,
            None => {
                let mut operands = walk::operands_of(ctx, op).into_iter();
                operands.any(|operand| self.reads(operand, write, depth - 1))
            }
        }
    }

    /// The place that `op` loads from.
    fn loaded(&self, op: Ptr<Operation>) -> Option<Place> {
        let ctx = self.reader.ctx;
        if let Some(load) = Operation::get_op::<LoadBits>(op, ctx) {
            let mut place = self
                .reader
                .place(walk::operands_of(ctx, op).first().copied()?);
            place.path.push(Step::Member(load.field(ctx)));
            return Some(place);
        }
        let address = walk::operands_of(ctx, op).first().copied();
        Operation::is_op::<Load>(op, ctx)
            .then(|| address.map(|address| self.reader.place(address)))?
    }

    /// `s.set |= 4`: again and again it makes no difference.
    fn is_idempotent(&self, write: &Write) -> bool {
        let ctx = self.reader.ctx;
        let op = write.value.defining_op();
        let bin = op.and_then(|op| Operation::get_op::<Bin>(op, ctx));
        bin.is_some_and(|bin| matches!(bin.kind(ctx), BinKind::Or | BinKind::And))
    }
}

/// The variable whose address, or an address in which, this is.
fn variable_of(ctx: &Context, address: Value) -> Value {
    let op = address.defining_op().filter(|op| {
        Operation::is_op::<Member>(*op, ctx)
            || Operation::is_op::<PtrAdd>(*op, ctx)
            || Operation::is_op::<Decay>(*op, ctx)
    });
    let around = op.and_then(|op| walk::operands_of(ctx, op).first().copied());
    around.map_or(address, |around| variable_of(ctx, around))
}

/// Whether an address in a function is one in what `parameter` points to.
fn leads_through(ctx: &Context, address: Value, parameter: Value) -> bool {
    if address == parameter {
        return true;
    }
    let Some(op) = address.defining_op() else {
        return false;
    };
    let inner = walk::operands_of(ctx, op).first().copied();
    let through = |inner| leads_through(ctx, inner, parameter);
    if Operation::is_op::<Member>(op, ctx) {
        return inner.is_some_and(through);
    }
    // The parameter's own variable.
    Operation::is_op::<Load>(op, ctx)
        && inner.is_some_and(|variable| {
            let stores = variable.uses(ctx).into_iter().map(|used| used.user_op());
            let stores: Vec<_> = stores
                .filter_map(|op| Operation::get_op::<Store>(op, ctx))
                .collect();
            matches!(stores.as_slice(), [one] if one.get_operand_value(ctx) == parameter)
        })
}

/// Whether the loop is known to have one iteration at most.
pub fn is_short(ctx: &Context, lp: Loop) -> bool {
    short_dims(ctx, lp).into_iter().all(|short| short)
}

/// Of each of the loop's dimensions, whether it is known to have one iteration at most.
pub fn short_dims(ctx: &Context, lp: Loop) -> Vec<bool> {
    let dims = lp.bounds(ctx).into_iter().zip(lp.dims(ctx));
    let is_short = |((lower, upper, step), dim): ((Value, Value, Value), LoopDim)| {
        let known = [lower, upper, step].map(|value| constant(ctx, value));
        let [Some(lower), Some(upper), Some(step)] = known else {
            return false;
        };
        let second = lower + step;
        match dim.test {
            LoopTest::Lt => second >= upper,
            LoopTest::Le => second > upper,
            LoopTest::Gt => second <= upper,
            LoopTest::Ge => second < upper,
            LoopTest::Ne => second == upper || lower == upper,
        }
    };
    dims.map(is_short).collect()
}
