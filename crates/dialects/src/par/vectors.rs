//! Loops of which several iterations run at a time, each operation for all of them: what such a loop consists of.
//!
//! A pass marks the loop and the accesses in it that move on by one element per iteration; who writes the code asks for the rest.
//!
//! ```text
//! core.for %i … [vectors: []]                       i, and all that is computed from it, varies
//!   %x = core.load a[%i] [contiguous]               eight elements
//!   %y = core.load %s                               one for all
//!   %z = core.bin FMul %x, %y                       eight products
//!   core.store %z, b[%i] [contiguous]
//! ```
//! | a value | is |
//! | --- | --- |
//! | uniform | the same in all iterations: computed once |
//! | varying | another in each, made of the counter, of elements and of variables that get one |
//! | leading | varying, and part of an address: only that of the first iteration is needed |
//!
//! What a reduction adds up is a variable with a part per iteration, which become one behind the loop ([`accumulators`]). There is no
//! such loop where a branch depends on a varying value, where an address does in another way, or where an operation has no form for
//! several numbers at once ([`Vectors::of`] gives None).
//!
//! Cost: linear in the size of the loop, times the length of the longest chain through its variables.

use super::{RedFini, RedInit, ReductionInfo, ReductionOp, ReductionOperator};
use crate::core::{
    Alloca, BinKind, Call, Cast, CastKind, CoreOp, Externs, For, Known, Load, Store, UnKind,
    VectorLoop, float_width, int_width, pointee,
};
use crate::flow::Flow;
use accrue_ir::walk::{is_inside, nested_ops, operands_of, ops_of_block, results_of};
use pliron::{
    builtin::{
        op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
        ops::FuncOp,
    },
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};
use std::collections::{HashMap, HashSet};

/// What a loop consists of.
#[derive(Clone, Debug, Default)]
pub struct Vectors {
    /// Iterations at a time.
    pub lanes: u32,
    /// The accesses that move on by one element.
    pub contiguous: HashSet<Ptr<Operation>>,
    /// Values that differ from iteration to iteration.
    pub varying: HashSet<Value>,
    /// Of these, those of which all iterations' are needed.
    pub needed: HashSet<Value>,
    /// And those of which the first iteration's is, for addresses.
    pub leading: HashSet<Value>,
    /// Variables that hold such values, by their addresses.
    pub variables: HashSet<Value>,
    /// Those of them that live longer than an iteration, in order.
    pub accumulators: Vec<(Value, ReductionInfo)>,
}

/// Iterations at a time, where there are numbers of 64 bits.
const WIDE: u32 = 8;
/// Of narrower ones.
const NARROW: u32 = 16;

/// Bits of a number that vectors may have.
pub fn number_bits(ctx: &Context, ty: TypeHandle) -> Option<u32> {
    let of_int = int_width(ctx, ty).filter(|width| matches!(width, 8 | 16 | 32 | 64));
    of_int.or_else(|| float_width(ctx, ty).filter(|width| matches!(width, 32 | 64)))
}

/// Whether the library computes the function number by number.
fn is_elementwise(known: Known) -> bool {
    const FUNCTIONS: &[Known] = &[
        Known::Acos,
        Known::Acosh,
        Known::Asin,
        Known::Asinh,
        Known::Atan,
        Known::Atan2,
        Known::Atanh,
        Known::Cbrt,
        Known::Ceil,
        Known::CopySign,
        Known::Cos,
        Known::Cosh,
        Known::Erf,
        Known::Erfc,
        Known::Exp,
        Known::Exp2,
        Known::Expm1,
        Known::Abs,
        Known::Dim,
        Known::Floor,
        Known::Fma,
        Known::Max,
        Known::Min,
        Known::Mod,
        Known::Hypot,
        Known::Log,
        Known::Log10,
        Known::Log1p,
        Known::Log2,
        Known::Pow,
        Known::Round,
        Known::Rsqrt,
        Known::Sin,
        Known::Sinh,
        Known::Sqrt,
        Known::Tan,
        Known::Tanh,
        Known::Trunc,
    ];
    FUNCTIONS.contains(&known)
}

/// Whether the function has one result: libraries do not differ, and neither do their functions of one number and of several.
pub fn is_exact(known: Known) -> bool {
    const FUNCTIONS: &[Known] = &[
        Known::Abs,
        Known::Ceil,
        Known::CopySign,
        Known::Dim,
        Known::Floor,
        Known::Fma,
        Known::Max,
        Known::Min,
        Known::Mod,
        Known::Round,
        Known::Sqrt,
        Known::Trunc,
    ];
    FUNCTIONS.contains(&known)
}

/// The variables that hold LOCAL of a reduction around the loop: `par.red_init` before the loop, or before one around it, is stored
/// to the variable, and `par.red_fini` behind it gets what the variable holds.
pub fn accumulators(ctx: &Context, counted: Ptr<Operation>) -> HashMap<Value, ReductionInfo> {
    let mut found = HashMap::new();
    let mut at = Some(counted);
    // What stands beside functions is none of the loop's.
    while let Some(op) = at.filter(|op| !Operation::is_op::<FuncOp>(*op, ctx)) {
        let Some(block) = op.deref(ctx).get_parent_block() else {
            break;
        };
        let ops = ops_of_block(ctx, block);
        let here = ops.iter().position(|o| *o == op).unwrap_or(ops.len());
        let (before, after) = ops.split_at(here);
        for init in before
            .iter()
            .filter_map(|o| Operation::get_op::<RedInit>(*o, ctx))
        {
            let info = init.info(ctx);
            let fini = after
                .iter()
                .filter_map(|o| Operation::get_op::<RedFini>(*o, ctx))
                .find(|f| f.info(ctx) == info);
            if let Some(variable) = fini.and_then(|f| loaded_from(ctx, f.local(ctx)))
                && is_stored_to(ctx, init.get_operation(), variable)
            {
                found.entry(variable).or_insert(info);
            }
        }
        at = op.deref(ctx).get_parent_op(ctx);
    }
    found
}

fn loaded_from(ctx: &Context, value: Value) -> Option<Value> {
    let load = Operation::get_op::<Load>(value.defining_op()?, ctx)?;
    Some(load.get_operand_address(ctx))
}

fn is_stored_to(ctx: &Context, op: Ptr<Operation>, variable: Value) -> bool {
    let Some(result) = op.deref(ctx).results().next() else {
        return false;
    };
    result.uses(ctx).iter().any(|u| {
        Operation::get_op::<Store>(u.user_op(), ctx)
            .is_some_and(|s| s.get_operand_address(ctx) == variable)
    })
}

/// Whether several LOCALs of one thread can become one as the printed code does it.
fn is_combined(ctx: &Context, info: ReductionInfo, ty: TypeHandle) -> bool {
    match info.operator {
        ReductionOperator::Add
        | ReductionOperator::Mul
        | ReductionOperator::Max
        | ReductionOperator::Min => true,
        ReductionOperator::BitAnd | ReductionOperator::BitOr | ReductionOperator::BitXor => {
            int_width(ctx, ty).is_some()
        }
        ReductionOperator::LogicalAnd
        | ReductionOperator::LogicalOr
        | ReductionOperator::Eqv
        | ReductionOperator::Neqv
        | ReductionOperator::Declared(_) => false,
    }
}

/// The variable of one number that an access names.
fn variable_at(ctx: &Context, address: Value) -> Option<Alloca> {
    let alloca = Operation::get_op::<Alloca>(address.defining_op()?, ctx)?;
    let plain = alloca.count(ctx).is_none() && number_bits(ctx, alloca.var_type(ctx)).is_some();
    plain.then_some(alloca)
}

/// The variables from outside that a loop stores to by name, in the order of the first stores.
pub fn changed_variables(ctx: &Context, counted: Ptr<Operation>) -> Vec<Value> {
    let body = counted.deref(ctx).get_region(0);
    let mut found = vec![];
    for op in nested_ops(ctx, counted) {
        let store = Operation::get_op::<Store>(op, ctx);
        let Some(address) = store.map(|store| store.get_operand_address(ctx)) else {
            continue;
        };
        let outside = address.defining_op().is_some_and(|alloca| {
            Operation::is_op::<Alloca>(alloca, ctx) && !is_inside(ctx, alloca, body)
        });
        if outside && !found.contains(&address) {
            found.push(address);
        }
    }
    found
}

impl Vectors {
    /// What the loop consists of; None if it is not marked, or not of what can be said for several iterations at once.
    pub fn of(ctx: &Context, counted: &For, externs: &Externs) -> Option<Vectors> {
        let is_contiguous = |op: &Ptr<Operation>| {
            let load = Operation::get_op::<Load>(*op, ctx);
            let store = Operation::get_op::<Store>(*op, ctx);
            load.is_some_and(|load| load.is_contiguous(ctx))
                || store.is_some_and(|store| store.is_contiguous(ctx))
        };
        let ops = nested_ops(ctx, counted.get_operation()).into_iter();
        let contiguous = ops.filter(is_contiguous).collect();
        Vectors::assuming(ctx, counted, (counted.vectors(ctx)?, contiguous), externs)
    }

    /// The same for a loop that is to be marked with these sums and contiguous accesses.
    pub fn assuming(
        ctx: &Context,
        counted: &For,
        (sums, contiguous): (VectorLoop, HashSet<Ptr<Operation>>),
        externs: &Externs,
    ) -> Option<Vectors> {
        let op = counted.get_operation();
        let mut found = Vectors {
            contiguous,
            ..Vectors::default()
        };
        let counter = counted.get_body(ctx, 0).deref(ctx).get_argument(0);
        found.varying.insert(counter);
        let ops = nested_ops(ctx, op);
        found.find_accumulators(ctx, changed_variables(ctx, op), sums)?;
        while found.spread(ctx, &ops)? {}
        ops.iter()
            .all(|op| found.fits(ctx, *op, externs))
            .then_some(())?;
        found.find_needed(ctx, &ops)?;
        found.lanes = match found.widest(ctx) {
            0..=32 => NARROW,
            _ => WIDE,
        };
        Some(found)
    }

    /// The variables from outside that the loop changes hold the parts of sums.
    fn find_accumulators(
        &mut self,
        ctx: &Context,
        changed: Vec<Value>,
        VectorLoop(sums): VectorLoop,
    ) -> Option<()> {
        (changed.len() == sums.len()).then_some(())?;
        for (address, info) in changed.into_iter().zip(sums) {
            let ty = variable_at(ctx, address)?.var_type(ctx);
            is_combined(ctx, info, ty).then_some(())?;
            self.variables.insert(address);
            self.accumulators.push((address, info));
        }
        Some(())
    }

    /// What comes from varying values varies. Gives whether that is more than was known.
    fn spread(&mut self, ctx: &Context, ops: &[Ptr<Operation>]) -> Option<bool> {
        let before = (self.varying.len(), self.variables.len());
        for op in ops {
            if let Some(load) = Operation::get_op::<Load>(*op, ctx) {
                let address = load.get_operand_address(ctx);
                let varies = self.contiguous.contains(op) || self.variables.contains(&address);
                if varies {
                    self.varying.insert(load.get_result(ctx));
                } else if self.varying.contains(&address) {
                    return None;
                }
                continue;
            }
            if let Some(store) = Operation::get_op::<Store>(*op, ctx) {
                let address = store.get_operand_address(ctx);
                if self.contiguous.contains(op) {
                    continue;
                }
                variable_at(ctx, address)?;
                if self.varying.contains(&store.get_operand_value(ctx)) {
                    self.variables.insert(address);
                }
                continue;
            }
            if operands_of(ctx, *op)
                .iter()
                .any(|value| self.varying.contains(value))
            {
                self.varying.extend(results_of(ctx, *op));
            }
        }
        Some(before != (self.varying.len(), self.variables.len()))
    }

    /// Whether the operation can be part of such a loop.
    fn fits(&self, ctx: &Context, op: Ptr<Operation>, externs: &Externs) -> bool {
        let varies = operands_of(ctx, op)
            .iter()
            .any(|value| self.varying.contains(value));
        let Some(of_core) = CoreOp::of(ctx, op) else {
            return false;
        };
        match of_core {
            CoreOp::Const(_)
            | CoreOp::FConst(_)
            | CoreOp::PtrAdd(_)
            | CoreOp::Decay(_)
            | CoreOp::Member(_)
            | CoreOp::PtrDiff(_)
            | CoreOp::AddressOf(_)
            | CoreOp::Null(_) => true,
            CoreOp::Load(load) => !load.is_volatile(ctx),
            CoreOp::Store(store) => {
                let plain = pointee(ctx, store.get_operand_address(ctx))
                    .is_some_and(|ty| number_bits(ctx, ty).is_some());
                plain && !store.is_volatile(ctx)
            }
            CoreOp::Alloca(alloca) => {
                let users = alloca.get_result(ctx).uses(ctx);
                let by_name = users.iter().all(|user| {
                    let stored = Operation::get_op::<Store>(user.user_op(), ctx)
                        .is_some_and(|s| s.get_operand_value(ctx) != alloca.get_result(ctx));
                    stored || Operation::is_op::<Load>(user.user_op(), ctx)
                });
                by_name && variable_at(ctx, alloca.get_result(ctx)).is_some()
            }
            CoreOp::Bin(_) | CoreOp::Cmp(_) | CoreOp::Select(_) | CoreOp::Un(_) => {
                !varies || self.has_form(ctx, &of_core)
            }
            CoreOp::Cast(cast) => !varies || casts(ctx, &cast),
            CoreOp::Call(call) => externs
                .known(&call.callee(ctx))
                .is_some_and(|known| is_elementwise(known) && takes_numbers(ctx, &call)),
            // What decides about branches is the same in all iterations.
            CoreOp::For(_) | CoreOp::Loop(_) | CoreOp::Switch(_) | CoreOp::Yield(_) => {
                !varies || self.is_end(ctx, op)
            }
            CoreOp::If(branch) => !varies && results_of(ctx, branch.get_operation()).is_empty(),
            CoreOp::Break(_) | CoreOp::Continue(_) => true,
            CoreOp::Real(_)
            | CoreOp::Imag(_)
            | CoreOp::ComplexMake(_)
            | CoreOp::Copy(_)
            | CoreOp::Zero(_)
            | CoreOp::LoadBits(_)
            | CoreOp::StoreBits(_)
            | CoreOp::AtomicLoad(_)
            | CoreOp::AtomicStore(_)
            | CoreOp::AtomicUpdate(_)
            | CoreOp::Return(_)
            | CoreOp::Extent(_)
            | CoreOp::StringConst(_)
            | CoreOp::ExternFunc(_)
            | CoreOp::RecordDef(_)
            | CoreOp::Opaque(_) => false,
        }
    }

    /// Whether the operation is a yield that ends a region without giving anything that decides.
    fn is_end(&self, ctx: &Context, op: Ptr<Operation>) -> bool {
        Flow::of(ctx, op) == Flow::Yield && operands_of(ctx, op).is_empty()
    }

    /// Whether an operation of numbers has a form for several at once.
    fn has_form(&self, ctx: &Context, op: &CoreOp) -> bool {
        let is_number = |value: Value| number_bits(ctx, value.get_type(ctx)).is_some();
        let is_truth = |value: Value| int_width(ctx, value.get_type(ctx)) == Some(1);
        match op {
            CoreOp::Bin(bin) => {
                let logic = matches!(bin.kind(ctx), BinKind::And | BinKind::Or | BinKind::Xor);
                let lhs = bin.get_operand_lhs(ctx);
                is_number(lhs) || (logic && is_truth(lhs))
            }
            CoreOp::Cmp(cmp) => is_number(cmp.get_operand_lhs(ctx)),
            CoreOp::Select(select) => is_number(select.get_operand_yes(ctx)),
            CoreOp::Un(un) => {
                let (kind, value) = (un.kind(ctx), un.get_operand_value(ctx));
                let truth = kind == UnKind::Not && is_truth(value);
                truth || (kind != UnKind::Conj && is_number(value))
            }
            _ => false,
        }
    }

    /// Which values are needed for all iterations, and which for addresses.
    fn find_needed(&mut self, ctx: &Context, ops: &[Ptr<Operation>]) -> Option<()> {
        let (mut all, mut first) = (vec![], vec![]);
        for op in ops {
            if let Some(store) = Operation::get_op::<Store>(*op, ctx) {
                let contiguous = self.contiguous.contains(op);
                let address = store.get_operand_address(ctx);
                if contiguous || self.variables.contains(&address) {
                    all.push(store.get_operand_value(ctx));
                }
                first.extend(contiguous.then_some(address));
            }
            if let Some(load) = Operation::get_op::<Load>(*op, ctx) {
                let contiguous = self.contiguous.contains(op);
                first.extend(contiguous.then_some(load.get_operand_address(ctx)));
            }
        }
        while let Some(value) = all.pop() {
            if !self.varying.contains(&value) || !self.needed.insert(value) {
                continue;
            }
            let ty = value.get_type(ctx);
            (number_bits(ctx, ty).is_some() || int_width(ctx, ty) == Some(1)).then_some(())?;
            let op = value.defining_op();
            let op = op.filter(|op| !Operation::is_op::<Load>(*op, ctx));
            all.extend(op.map_or(vec![], |op| operands_of(ctx, op)));
        }
        while let Some(value) = first.pop() {
            if !self.varying.contains(&value) || !self.leading.insert(value) {
                continue;
            }
            let op = value.defining_op();
            // An element is no part of an address that moves evenly.
            op.is_none_or(|op| !Operation::is_op::<Load>(op, ctx))
                .then_some(())?;
            first.extend(op.map_or(vec![], |op| operands_of(ctx, op)));
        }
        Some(())
    }

    /// The widest number of which all iterations' are needed, in bits.
    fn widest(&self, ctx: &Context) -> u32 {
        let values = self.needed.iter().chain(&self.varying);
        let loaded = values.filter(|value| {
            let load = value
                .defining_op()
                .is_some_and(|op| Operation::is_op::<Load>(op, ctx));
            load || self.needed.contains(value)
        });
        let bits = loaded.filter_map(|value| number_bits(ctx, value.get_type(ctx)));
        bits.max().unwrap_or(0)
    }
}

fn casts(ctx: &Context, cast: &Cast) -> bool {
    let (from, to) = (
        cast.get_operand_value(ctx).get_type(ctx),
        cast.get_result(ctx).get_type(ctx),
    );
    let (is_from, is_to) = (
        number_bits(ctx, from).is_some(),
        number_bits(ctx, to).is_some(),
    );
    match cast.kind(ctx) {
        CastKind::ZExt | CastKind::UToF => is_to && (is_from || int_width(ctx, from) == Some(1)),
        CastKind::ToBool => is_from,
        CastKind::Trunc
        | CastKind::SExt
        | CastKind::SToF
        | CastKind::FToS
        | CastKind::FToU
        | CastKind::FCast => is_from && is_to,
        // Parts of addresses.
        CastKind::PtrCast => true,
        CastKind::IntToPtr
        | CastKind::PtrToInt
        | CastKind::RealToComplex
        | CastKind::ComplexCast => false,
    }
}

fn takes_numbers(ctx: &Context, call: &Call) -> bool {
    let op = call.get_operation();
    let results = results_of(ctx, op);
    let mut all = operands_of(ctx, op).into_iter().chain(results);
    all.all(|value| float_width(ctx, value.get_type(ctx)).is_some_and(|w| w == 32 || w == 64))
}
