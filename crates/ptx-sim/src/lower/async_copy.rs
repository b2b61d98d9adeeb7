//! `cp.async`, its groups and waits. (Bulk copies and those that tell an `mbarrier` are not known.)

use super::{
    function::FunctionLowering,
    instruction::{full_name, operand},
    memory::{address, hints, space},
};
use crate::{
    LoadError, Space,
    alu::{PredSrc, decode::Suffixes},
    ast::{Inst, Operand, Ty},
    program::{AsyncCopy, Op, Pointer},
};

type Lowered<T> = Result<T, LoadError>;

pub fn lower(
    f: &mut FunctionLowering,
    inst: &Inst,
    guard: PredSrc,
    s: &mut Suffixes,
) -> Lowered<bool> {
    if !s.take("async") {
        return Ok(false);
    }
    let line = inst.line;
    let op = match s.take_one(&["commit_group", "wait_group", "wait_all", "ca", "cg"]) {
        Some("commit_group") => Op::AsyncCommit,
        Some("wait_all") => Op::AsyncWait { groups: None },
        Some("wait_group") => match operand(inst, 0)? {
            Operand::Int(groups) => Op::AsyncWait {
                groups: u32::try_from(*groups).ok(),
            },
            _ => return f.error(line, "the number of groups must be a constant"),
        },
        Some(cache) => copy(f, inst, s, cache == "cg")?,
        None => return Ok(false),
    };
    f.emit(guard, op, line);
    Ok(true)
}

fn copy(f: &mut FunctionLowering, inst: &Inst, s: &mut Suffixes, whole: bool) -> Lowered<Op> {
    let line = inst.line;
    // Both spaces are named; which is which is in the order of the operands.
    let (first, second) = (space(s), space(s));
    let spaces = [first, second];
    if !spaces.contains(&Space::Shared) || !spaces.contains(&Space::Global) {
        return f.error(
            line,
            format!("`{}` copies from global to shared memory", full_name(inst)),
        );
    }
    hints(s);
    let bytes = match operand(inst, 2)? {
        Operand::Int(n @ (4 | 8 | 16)) if !whole || *n == 16 => *n as u32,
        _ => return f.error(line, "cp.async copies 4, 8 or 16 bytes, with .cg 16"),
    };
    let source_bytes = match inst.operands.get(3) {
        Some(source) => Some(f.value(source, Ty::U32, line)?),
        None => None,
    };
    let to = pointer(f, operand(inst, 0)?, Space::Shared, line)?;
    let from = pointer(f, operand(inst, 1)?, Space::Global, line)?;
    Ok(Op::AsyncCopy(Box::new(AsyncCopy {
        to,
        from,
        bytes,
        source_bytes,
    })))
}

fn pointer(
    f: &mut FunctionLowering,
    operand: &Operand,
    space: Space,
    line: u32,
) -> Lowered<Pointer> {
    let place = address(f, operand, line)?;
    f.low.slots += 1;
    Ok(Pointer {
        space,
        address: place.address,
        frame: place.frame,
        offset: place.offset,
        slot: f.low.slots - 1,
    })
}
