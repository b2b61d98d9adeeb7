//! `.b128`: two registers of 64 bits, low half first.

use super::{
    function::{Entity, FunctionLowering},
    instruction::{full_name, operand},
    memory::address,
};
use crate::{
    LoadError, Space,
    alu::{Alu, PredSrc, SINK, Src, flow::Flow, integer},
    ast::{Inst, Operand, Ty},
    program::{AtomicOp, AtomicWide, Op, Pointer},
};

type Lowered<T> = Result<T, LoadError>;

/// The two registers of a `.b128` register.
pub fn halves(f: &mut FunctionLowering, operand: &Operand, line: u32) -> Lowered<[u32; 2]> {
    match operand {
        Operand::Name(name) if name == "_" => Ok([SINK; 2]),
        Operand::Name(name) => match f.entity(name, line)? {
            Entity::Register(slot, Ty::B128) => Ok([slot, slot + 1]),
            _ => f.error(line, format!("`{name}` is not a register of type .b128")),
        },
        _ => f.error(line, "expected a register of type .b128"),
    }
}

/// `mov.b128` between registers, or to or from a pair `{low, high}`.
pub fn mov(f: &mut FunctionLowering, inst: &Inst, guard: PredSrc) -> Lowered<bool> {
    let line = inst.line;
    let to = match operand(inst, 0)? {
        Operand::Vector(parts) if parts.len() == 2 => {
            [f.dest(&parts[0], line)?.0, f.dest(&parts[1], line)?.0]
        }
        one => halves(f, one, line)?,
    };
    let from = match operand(inst, 1)? {
        Operand::Vector(parts) if parts.len() == 2 => [
            f.value(&parts[0], Ty::B64, line)?,
            f.value(&parts[1], Ty::B64, line)?,
        ],
        one => halves(f, one, line)?.map(Src::register),
    };
    let Some(run) = integer::mov(Ty::B64) else {
        return Ok(false);
    };
    // `{%a, %b}` may be the other way round on the other side: all sources first.
    let kept = [f.temporary(Ty::B64, line)?, f.temporary(Ty::B64, line)?];
    let targets = [kept, to].concat();
    let sources = [from, kept.map(Src::register)].concat();
    for (d, a) in targets.into_iter().zip(sources) {
        let alu = Alu {
            run,
            d,
            e: SINK,
            a,
            b: a,
            c: a,
            x: a,
            p: PredSrc::TRUE,
            q: PredSrc::TRUE,
            to_pred: false,
            flow: Flow::Copy,
            imm: 0,
        };
        f.emit(guard, Op::Alu(alu), line);
    }
    Ok(true)
}

/// `atom.exch.b128`, `atom.cas.b128`.
pub fn atomic(
    f: &mut FunctionLowering,
    inst: &Inst,
    guard: PredSrc,
    op: AtomicOp,
    space: Space,
) -> Lowered<bool> {
    let line = inst.line;
    let compares = op == AtomicOp::CompareAndSwap;
    if inst.name != "atom" || !compares && op != AtomicOp::Exchange {
        return f.error(line, format!("unknown instruction `{}`", full_name(inst)));
    }
    let d = halves(f, operand(inst, 0)?, line)?;
    let place = address(f, operand(inst, 1)?, line)?;
    let b = halves(f, operand(inst, 2)?, line)?.map(Src::register);
    let c = match compares {
        true => halves(f, operand(inst, 3)?, line)?.map(Src::register),
        false => b,
    };
    f.low.slots += 1;
    let at = Pointer {
        space: place.space.unwrap_or(space),
        address: place.address,
        frame: place.frame,
        offset: place.offset,
        slot: f.low.slots - 1,
    };
    let atomic = AtomicWide {
        at,
        d,
        b,
        c,
        compares,
    };
    f.emit(guard, Op::AtomicWide(Box::new(atomic)), line);
    Ok(true)
}
