//! Which parameters of a kernel every pointer comes from, and what indices and distances are modulo powers of two.
//!
//! A kernel's parameters are addresses of memory that the runtime knows. They are followed through address arithmetic,
//! variables in registers and results of control flow, together with the lowest bits of the distance from the parameter:
//!
//! ```text
//! %i4 = core.bin MulS %i, 4        0 modulo 4
//! %i5 = core.bin AddS %i4, 1       1 modulo 4
//! %p = core.ptr_add %a, %i5        parameter 0, and 4 modulo 16 behind it: `a` points to `float`
//! %q = core.load %p                not known: a pointer from memory may lead anywhere
//! ```
//!
//! Memory that only the kernel knows (its variables, shared and scratch memory) is nobody's parameter. What a parameter
//! itself is a multiple of is not known here: [`crate::analysis::versions`] says what follows.

use crate::{
    analysis::residue::{MOST, Residue},
    expanded::Storage,
    layout::{self, Records},
    storage::in_group,
};
use accrue_dialects::{
    View,
    core::{Alloca, Bin, BinKind, Cast, CastKind, CoreOp, Yield, int_width, pointee, record_tag},
    simt::SimtOp,
};
use accrue_ir::walk::{nested_ops, operands_of, ops_of_region, regions_of, results_of};
use pliron::{
    builtin::op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
    builtin::ops::FuncOp,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::collections::HashMap;

/// Where a pointer may lead; of an integer, only its lowest bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The parameters it may come from: bit n for number n.
    pub parameters: u64,
    /// It may be an address that was in memory, or was calculated.
    pub unknown: bool,
    /// The distance from the parameter, or the integer.
    pub distance: Residue,
}

impl Origin {
    const UNKNOWN: Origin = Origin {
        parameters: 0,
        unknown: true,
        distance: Residue::ANY,
    };

    /// An integer, or memory that only the kernel knows.
    fn own(distance: Residue) -> Origin {
        Origin {
            parameters: 0,
            unknown: false,
            distance,
        }
    }

    fn or(self, other: Origin) -> Origin {
        Origin {
            parameters: self.parameters | other.parameters,
            unknown: self.unknown || other.unknown,
            distance: self.distance.or(other.distance),
        }
    }

    /// So much further on.
    fn plus(self, distance: Residue) -> Origin {
        Origin {
            distance: self.distance.plus(distance),
            ..self
        }
    }
}

/// The origins of a function's values, and of what is in its register variables (by the variable's address).
#[derive(Clone, Debug, Default)]
pub struct Origins {
    values: HashMap<Value, Origin>,
    contents: HashMap<Value, Origin>,
}

impl Origins {
    /// The origin of a pointer.
    pub fn of(&self, value: Value) -> Origin {
        let known = self.values.get(&value);
        known.copied().unwrap_or(Origin::UNKNOWN)
    }
}

/// Follows the parameters of `function`. Parameters for which `known` does not hold are taken as not known.
pub fn infer(
    ctx: &Context,
    function: FuncOp,
    records: &Records,
    storage: &HashMap<Ptr<Operation>, Storage>,
    known: impl Fn(usize) -> bool,
) -> Origins {
    let mut pass = Pass {
        ctx,
        records,
        storage,
        origins: Origins::default(),
        changed: true,
    };
    let entry = function.get_entry_block(ctx);
    let arguments: Vec<Value> = entry.deref(ctx).arguments().collect();
    for (number, argument) in arguments.into_iter().enumerate() {
        let is_pointer = pointee(ctx, argument).is_some();
        let origin = match is_pointer {
            true if number < 64 && known(number) => Origin {
                parameters: 1 << number,
                unknown: false,
                distance: Residue::multiple(MOST),
            },
            true => Origin::UNKNOWN,
            false => Origin::own(Residue::ANY),
        };
        pass.join(argument, Some(origin));
    }
    let ops = nested_ops(ctx, function.get_operation());
    // Parameters are only ever added, and moduli only shrink.
    while std::mem::take(&mut pass.changed) {
        for op in &ops {
            pass.visit(*op);
        }
    }
    pass.origins
}

struct Pass<'a> {
    ctx: &'a Context,
    records: &'a Records,
    storage: &'a HashMap<Ptr<Operation>, Storage>,
    origins: Origins,
    changed: bool,
}

impl Pass<'_> {
    fn known(&self, value: Value) -> Option<Origin> {
        self.origins.values.get(&value).copied()
    }

    /// An integer; `None` while it has not been visited.
    fn number(&self, value: Value) -> Option<Residue> {
        self.known(value).map(|o| o.distance)
    }

    fn join(&mut self, value: Value, origin: Option<Origin>) {
        self.changed |= join(&mut self.origins.values, value, origin);
    }

    fn is_register(&self, address: Value) -> bool {
        let op = address.defining_op();
        let alloca = op.filter(|op| Operation::is_op::<Alloca>(*op, self.ctx));
        alloca.is_some_and(|a| self.storage.get(&a) == Some(&Storage::Register))
    }

    fn visit(&mut self, op: Ptr<Operation>) {
        let ctx = self.ctx;
        let origin = match View::of(ctx, op) {
            View::Core(CoreOp::Store(store)) => {
                let to = store.get_operand_address(ctx);
                if self.is_register(to) {
                    let origin = self.known(store.get_operand_value(ctx));
                    self.changed |= join(&mut self.origins.contents, to, origin);
                }
                return;
            }
            View::Core(CoreOp::For(lp)) => {
                let counter = lp.get_body(ctx, 0).deref(ctx).get_argument(0);
                let first = self.known(lp.get_operand_lower(ctx));
                let step = self.number(lp.get_operand_step(ctx));
                self.join(counter, first);
                let next = first.zip(step);
                let next = next.map(|(first, step)| first.plus(Residue::multiple(step.factor())));
                return self.join(counter, next);
            }
            View::Core(CoreOp::If(_)) => return self.visit_if(op),
            View::Core(CoreOp::Select(select)) => {
                let yes = self.known(select.get_operand_yes(ctx));
                self.join_results(op, yes);
                self.known(select.get_operand_no(ctx))
            }
            View::Core(of_core) => self.of_core(op, &of_core),
            View::Simt(of_simt) => self.of_simt(op, &of_simt),
            View::Par(_) | View::Source(_) | View::Other => Some(Origin::UNKNOWN),
        };
        self.join_results(op, origin);
    }

    /// The origin of what an operation computes, but for those with regions.
    fn of_core(&self, op: Ptr<Operation>, of_core: &CoreOp) -> Option<Origin> {
        let ctx = self.ctx;
        match of_core {
            CoreOp::Const(constant) => Some(Origin::own(Residue::of_number(constant.value(ctx)))),
            CoreOp::Bin(bin) => self.binary(bin).map(Origin::own),
            CoreOp::Cast(cast) => self.cast(cast),
            CoreOp::PtrAdd(add) => {
                let base = self.known(add.get_operand_base(ctx))?;
                let index = self.number(add.get_operand_index(ctx))?;
                let size = self.step(add.get_operand_base(ctx));
                Some(base.plus(size.times(index)))
            }
            CoreOp::Member(member) => {
                let record = member.get_operand_record(ctx);
                let offset = self.offset(record, member.field(ctx));
                let base = self.known(record)?;
                Some(base.plus(offset))
            }
            CoreOp::Load(load) => {
                let from = load.get_operand_address(ctx);
                match self.is_register(from) {
                    true => self.origins.contents.get(&from).copied(),
                    false => Some(Origin::UNKNOWN),
                }
            }
            CoreOp::Decay(_) => self.known(*operands_of(ctx, op).first()?),
            // Memory that only the kernel knows.
            CoreOp::Alloca(alloca) => Some(Origin::own(self.start(alloca))),
            CoreOp::StringConst(_) | CoreOp::Null(_) => Some(Origin::own(Residue::ANY)),
            CoreOp::Store(_) | CoreOp::For(_) | CoreOp::If(_) | CoreOp::Select(_) => None,
            CoreOp::FConst(_)
            | CoreOp::Un(_)
            | CoreOp::Cmp(_)
            | CoreOp::ComplexMake(_)
            | CoreOp::Real(_)
            | CoreOp::Imag(_)
            | CoreOp::AddressOf(_)
            | CoreOp::Copy(_)
            | CoreOp::Zero(_)
            | CoreOp::PtrDiff(_)
            | CoreOp::LoadBits(_)
            | CoreOp::StoreBits(_)
            | CoreOp::Extent(_)
            | CoreOp::AtomicLoad(_)
            | CoreOp::AtomicStore(_)
            | CoreOp::AtomicUpdate(_)
            | CoreOp::Yield(_)
            | CoreOp::Break(_)
            | CoreOp::Continue(_)
            | CoreOp::Return(_)
            | CoreOp::Loop(_)
            | CoreOp::Switch(_)
            | CoreOp::Call(_)
            | CoreOp::ExternFunc(_)
            | CoreOp::RecordDef(_)
            | CoreOp::Opaque(_) => Some(Origin::UNKNOWN),
        }
    }

    /// The address of a variable.
    fn start(&self, alloca: &Alloca) -> Residue {
        let shared = self.storage.get(&alloca.get_operation()) == Some(&Storage::Shared);
        let extent = layout::extent(self.ctx, self.records, alloca.var_type(self.ctx));
        match extent.filter(|_| shared) {
            Some(extent) => Residue::multiple(in_group(extent).align),
            None => Residue::ANY,
        }
    }

    fn of_simt(&self, op: Ptr<Operation>, of_simt: &SimtOp) -> Option<Origin> {
        match of_simt {
            SimtOp::Shuffle(_) => self.known(*operands_of(self.ctx, op).first()?),
            SimtOp::Shared(_) | SimtOp::DynamicShared(_) | SimtOp::Scratch(_) => {
                Some(Origin::own(Residue::ANY))
            }
            SimtOp::Query(_)
            | SimtOp::Barrier(_)
            | SimtOp::Fence(_)
            | SimtOp::Reduce(_)
            | SimtOp::Ballot(_)
            | SimtOp::Mask(_)
            | SimtOp::Locked(_)
            | SimtOp::ModuleLock(_)
            | SimtOp::Contribute(_) => Some(Origin::UNKNOWN),
        }
    }

    fn binary(&self, bin: &Bin) -> Option<Residue> {
        let lhs = self.number(bin.get_operand_lhs(self.ctx))?;
        let rhs = self.number(bin.get_operand_rhs(self.ctx))?;
        Some(match bin.kind(self.ctx) {
            BinKind::Add | BinKind::AddS => lhs.plus(rhs),
            BinKind::Sub | BinKind::SubS => lhs.minus(rhs),
            BinKind::Mul | BinKind::MulS => lhs.times(rhs),
            BinKind::And => Residue::multiple(lhs.factor().max(rhs.factor())),
            BinKind::Or | BinKind::Xor => Residue::multiple(lhs.factor().min(rhs.factor())),
            BinKind::MinS | BinKind::MaxS | BinKind::MinU | BinKind::MaxU => lhs.or(rhs),
            BinKind::Shl if rhs.modulus == MOST => {
                Residue::new(MOST, 1 << rhs.rest.min(32)).times(lhs)
            }
            BinKind::Shl => Residue::multiple(lhs.factor()),
            BinKind::DivS | BinKind::DivU | BinKind::RemS | BinKind::RemU => Residue::ANY,
            BinKind::ShrS | BinKind::ShrU => Residue::ANY,
            BinKind::FAdd | BinKind::FSub | BinKind::FMul | BinKind::FDiv => Residue::ANY,
            BinKind::FMin | BinKind::FMax => Residue::ANY,
        })
    }

    fn cast(&self, cast: &Cast) -> Option<Origin> {
        let from = cast.get_operand_value(self.ctx);
        match cast.kind(self.ctx) {
            // A pointer to another type keeps its distance.
            CastKind::PtrCast => self.known(from),
            CastKind::Trunc | CastKind::SExt | CastKind::ZExt => {
                let width = |value| int_width(self.ctx, value).unwrap_or(1);
                let narrow = width(from.get_type(self.ctx)).min(width(cast.result_type(self.ctx)));
                let number = self.number(from)?;
                Some(Origin::own(if narrow > 8 { number } else { Residue::ANY }))
            }
            CastKind::SToF
            | CastKind::UToF
            | CastKind::FToS
            | CastKind::FToU
            | CastKind::FCast
            | CastKind::PtrToInt
            | CastKind::ToBool
            | CastKind::RealToComplex
            | CastKind::ComplexCast => Some(Origin::own(Residue::ANY)),
            CastKind::IntToPtr => Some(Origin::UNKNOWN),
        }
    }

    /// The size of what `pointer` points to.
    fn step(&self, pointer: Value) -> Residue {
        let object = pointee(self.ctx, pointer);
        let extent = object.and_then(|ty| layout::extent(self.ctx, self.records, ty));
        extent.map_or(Residue::ANY, |e| Residue::of_number(i128::from(e.size)))
    }

    /// The offset of a field.
    fn offset(&self, record: Value, field: u32) -> Residue {
        let tag = pointee(self.ctx, record).and_then(|ty| record_tag(self.ctx, ty));
        let definition = tag.and_then(|tag| self.records.get(&tag));
        let field = definition.and_then(|d| d.fields.get(field as usize));
        field.map_or(Residue::ANY, |f| Residue::of_number(i128::from(f.offset)))
    }

    fn join_results(&mut self, op: Ptr<Operation>, origin: Option<Origin>) {
        for result in results_of(self.ctx, op) {
            self.join(result, origin);
        }
    }

    fn visit_if(&mut self, op: Ptr<Operation>) {
        let results = results_of(self.ctx, op);
        for region in regions_of(self.ctx, op) {
            let end = ops_of_region(self.ctx, region).last().copied();
            let Some(end) = end.filter(|e| Operation::is_op::<Yield>(*e, self.ctx)) else {
                continue;
            };
            for (result, value) in results.iter().zip(operands_of(self.ctx, end)) {
                let origin = self.known(value);
                self.join(*result, origin);
            }
        }
    }
}

/// Whether this changed what is known.
fn join(map: &mut HashMap<Value, Origin>, value: Value, origin: Option<Origin>) -> bool {
    let Some(origin) = origin else {
        return false;
    };
    let old = map.get(&value).copied();
    let new = old.map_or(origin, |old| old.or(origin));
    map.insert(value, new);
    old != Some(new)
}
