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
    analysis::{
        forward::{self, Fact, Facts, Rules},
        residue::{MOST, Residue},
    },
    expanded::Storage,
    layout::{self, Records},
    storage::in_group,
};
use accrue_dialects::core::{
    Alloca, Bin, BinKind, Cast, CastKind, For, Member, PtrAdd, int_width, pointee, record_tag,
};
use pliron::{
    builtin::{op_interfaces::OneResultInterface, ops::FuncOp},
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

impl Fact for Origin {
    const UNKNOWN: Origin = Origin {
        parameters: 0,
        unknown: true,
        distance: Residue::ANY,
    };

    fn or(self, other: Origin) -> Origin {
        Origin {
            parameters: self.parameters | other.parameters,
            unknown: self.unknown || other.unknown,
            distance: self.distance.or(other.distance),
        }
    }
}

impl Origin {
    /// An integer, or memory that only the kernel knows.
    fn own(distance: Residue) -> Origin {
        Origin {
            parameters: 0,
            unknown: false,
            distance,
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

/// The origins of a function's values, and of what is in its register variables.
pub type Origins = Facts<Origin>;

/// Follows the parameters of `function`. Parameters for which `known` does not hold are taken as not known.
pub fn infer(
    ctx: &Context,
    function: FuncOp,
    records: &Records,
    storage: &HashMap<Ptr<Operation>, Storage>,
    known: impl Fn(usize) -> bool,
) -> Origins {
    let rules = Parameters {
        ctx,
        records,
        storage,
    };
    let entry = function.get_entry_block(ctx);
    let arguments: Vec<Value> = entry.deref(ctx).arguments().collect();
    let arguments = arguments.into_iter().enumerate().map(|(number, argument)| {
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
        (argument, Some(origin))
    });
    forward::infer(ctx, function, &rules, arguments)
}

/// Pointers keep their parameters, and add up distances.
struct Parameters<'a> {
    ctx: &'a Context,
    records: &'a Records,
    storage: &'a HashMap<Ptr<Operation>, Storage>,
}

impl Rules for Parameters<'_> {
    type Fact = Origin;

    fn follows(&self, _: Value) -> bool {
        true
    }

    fn storage(&self, variable: &Alloca) -> Storage {
        let storage = self.storage.get(&variable.get_operation());
        storage.copied().unwrap_or(Storage::Local)
    }

    fn constant(&self, value: i128) -> Origin {
        Origin::own(Residue::of_number(value))
    }

    fn binary(&self, bin: &Bin, origins: &Origins) -> Option<Origin> {
        let lhs = number(origins, bin.get_operand_lhs(self.ctx))?;
        let rhs = number(origins, bin.get_operand_rhs(self.ctx))?;
        let number = match bin.kind(self.ctx) {
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
        };
        Some(Origin::own(number))
    }

    fn cast(&self, cast: &Cast, origins: &Origins) -> Option<Origin> {
        let from = cast.get_operand_value(self.ctx);
        match cast.kind(self.ctx) {
            // A pointer to another type keeps its distance.
            CastKind::PtrCast => origins.known(from),
            CastKind::Trunc | CastKind::SExt | CastKind::ZExt => {
                let width = |value| int_width(self.ctx, value).unwrap_or(1);
                let narrow = width(from.get_type(self.ctx)).min(width(cast.result_type(self.ctx)));
                let number = number(origins, from)?;
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

    fn element(&self, add: &PtrAdd, origins: &Origins) -> Option<Origin> {
        let base = add.get_operand_base(self.ctx);
        let index = number(origins, add.get_operand_index(self.ctx))?;
        Some(origins.known(base)?.plus(self.step(base).times(index)))
    }

    fn member(&self, member: &Member, origins: &Origins) -> Option<Origin> {
        let record = member.get_operand_record(self.ctx);
        let offset = self.offset(record, member.field(self.ctx));
        Some(origins.known(record)?.plus(offset))
    }

    /// Memory that only the kernel knows.
    fn variable(&self, alloca: &Alloca) -> Origin {
        let shared = self.storage(alloca) == Storage::Shared;
        let extent = layout::extent(self.ctx, self.records, alloca.var_type(self.ctx));
        Origin::own(match extent.filter(|_| shared) {
            Some(extent) => Residue::multiple(in_group(extent).align),
            None => Residue::ANY,
        })
    }

    fn literal(&self) -> Origin {
        Origin::own(Residue::ANY)
    }

    fn null(&self) -> Option<Origin> {
        Some(self.literal())
    }

    fn shared(&self) -> Origin {
        Origin::own(Residue::ANY)
    }

    fn scratch(&self) -> Origin {
        Origin::own(Residue::ANY)
    }

    fn next_count(&self, lp: &For, origins: &Origins) -> Option<Origin> {
        let first = origins.known(lp.get_operand_lower(self.ctx))?;
        let step = number(origins, lp.get_operand_step(self.ctx))?;
        Some(first.plus(Residue::multiple(step.factor())))
    }
}

impl Parameters<'_> {
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
}

/// An integer; `None` while it has not been visited.
fn number(origins: &Origins, value: Value) -> Option<Residue> {
    origins.known(value).map(|origin| origin.distance)
}
