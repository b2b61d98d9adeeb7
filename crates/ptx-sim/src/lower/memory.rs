//! `ld`, `st`, `atom`, `red`: state space, address, registers.

use super::{
    function::{Entity, FunctionLowering},
    instruction::{full_name, operand},
    wide,
};
use crate::{
    LoadError, Space,
    alu::{PredSrc, SINK, Src, decode::Suffixes},
    ast::{Inst, Operand, Ty},
    memory::PARAM,
    program::{Access, Atomic, AtomicOp, Op},
};

type Lowered<T> = Result<T, LoadError>;

pub struct Place {
    pub address: Src,
    pub frame: bool,
    pub offset: i64,
    /// The space that the name itself is in.
    pub space: Option<Space>,
}

pub fn address(f: &mut FunctionLowering, operand: &Operand, line: u32) -> Lowered<Place> {
    let Operand::Address(base, offset) = operand else {
        return f.error(line, "expected an address in brackets");
    };
    let (zero, offset) = (f.low.constant(0), *offset);
    let Some(base) = base else {
        return Ok(Place {
            address: zero,
            frame: false,
            offset,
            space: None,
        });
    };
    Ok(match f.entity(base, line)? {
        Entity::Register(slot, _) => Place {
            address: Src::register(slot),
            frame: false,
            offset,
            space: None,
        },
        Entity::Frame(at, _, _) => {
            let offset = offset.wrapping_add(i64::from(at));
            Place {
                address: zero,
                frame: true,
                offset,
                space: Some(Space::Local),
            }
        }
        Entity::KernelParam(at) => {
            let address = f.low.constant(PARAM + u64::from(at));
            Place {
                address,
                frame: false,
                offset,
                space: Some(Space::Param),
            }
        }
        Entity::Symbol(at) => Place {
            address: f.low.constant(at),
            frame: false,
            offset,
            space: None,
        },
        Entity::Pred(_) | Entity::Targets(_) => {
            return f.error(line, format!("`{base}` is no address"));
        }
    })
}

/// The state space that the suffixes name.
pub fn space(s: &mut Suffixes) -> Space {
    match s.take_one(&[
        "global",
        "shared",
        "shared::cta",
        "local",
        "const",
        "param",
        "param::entry",
        "param::func",
    ]) {
        Some("global") => Space::Global,
        Some("shared" | "shared::cta") => Space::Shared,
        Some("local") => Space::Local,
        Some("const") => Space::Const,
        Some(_) => Space::Param,
        None => Space::Generic,
    }
}

/// What the suffixes say of an access; cache hints and scopes are no matter here.
struct Order {
    strong: bool,
    read_only: bool,
}

fn order(s: &mut Suffixes) -> Order {
    let strong = s
        .take_one(&[
            "volatile", "relaxed", "acquire", "release", "acq_rel", "mmio",
        ])
        .is_some();
    let read_only = s.take("nc");
    for word in [
        "weak", "cta", "gpu", "sys", "cluster", "ca", "cg", "cs", "lu", "cv", "wb", "wt", "noftz",
    ] {
        s.take(word);
    }
    hints(s);
    Order { strong, read_only }
}

/// What the caches are to do.
pub fn hints(s: &mut Suffixes) {
    const HINTS: [&str; 11] = [
        "L1::evict_normal",
        "L1::evict_unchanged",
        "L1::evict_first",
        "L1::evict_last",
        "L1::no_allocate",
        "L2::evict_normal",
        "L2::evict_first",
        "L2::evict_last",
        "L2::64B",
        "L2::128B",
        "L2::256B",
    ];
    while s.take_one(&HINTS).is_some() {}
}

pub fn access(
    f: &mut FunctionLowering,
    inst: &Inst,
    guard: PredSrc,
    s: &mut Suffixes,
) -> Lowered<bool> {
    let line = inst.line;
    let load = inst.name != "st";
    let Order { strong, read_only } = order(s);
    let named = space(s);
    let count = match s.take_one(&["v2", "v4", "v8"]) {
        None => 1,
        Some("v2") => 2,
        Some("v4") => 4,
        Some(_) => 8,
    };
    let Some(ty) = s.ty() else { return Ok(false) };
    if ty == Ty::Pred || ty == Ty::B128 && count != 1 {
        return Ok(false);
    }
    let (value, place) = if load {
        (operand(inst, 0)?, operand(inst, 1)?)
    } else {
        (operand(inst, 1)?, operand(inst, 0)?)
    };
    let place = address(f, place, line)?;
    let zero = f.low.constant(0);
    let (mut to, mut from, mut width) = ([SINK; 8], [zero; 8], 64);
    let (ty, count) = if ty == Ty::B128 {
        let halves = wide::halves(f, value, line)?;
        match load {
            true => to[..2].copy_from_slice(&halves),
            false => from[..2].copy_from_slice(&halves.map(Src::register)),
        }
        (Ty::B64, 2)
    } else {
        let values = match value {
            Operand::Vector(values) => values.as_slice(),
            one => std::slice::from_ref(one),
        };
        if values.len() != count {
            return f.error(
                line,
                format!("`{}` needs {count} registers", full_name(inst)),
            );
        }
        for (n, value) in values.iter().enumerate() {
            if load {
                let (slot, dest_ty) = f.dest(value, line)?;
                to[n] = slot;
                width = if slot == SINK { width } else { dest_ty.bits() };
            } else {
                from[n] = f.value(value, ty, line)?;
            }
        }
        (ty, count)
    };
    f.low.slots += 1;
    let access = Access {
        space: place.space.unwrap_or(named),
        address: place.address,
        frame: place.frame,
        offset: place.offset,
        ty,
        count: count as u32,
        to,
        from,
        width,
        strong,
        read_only,
        slot: f.low.slots - 1,
    };
    f.emit(
        guard,
        if load {
            Op::Load(access)
        } else {
            Op::Store(access)
        },
        line,
    );
    Ok(true)
}

pub fn atomic_op(word: &str) -> Option<AtomicOp> {
    Some(match word {
        "add" => AtomicOp::Add,
        "min" => AtomicOp::Min,
        "max" => AtomicOp::Max,
        "and" => AtomicOp::And,
        "or" => AtomicOp::Or,
        "xor" => AtomicOp::Xor,
        "exch" => AtomicOp::Exchange,
        "cas" => AtomicOp::CompareAndSwap,
        "inc" => AtomicOp::Increment,
        "dec" => AtomicOp::Decrement,
        _ => return None,
    })
}

pub fn atomic(
    f: &mut FunctionLowering,
    inst: &Inst,
    guard: PredSrc,
    s: &mut Suffixes,
) -> Lowered<bool> {
    let line = inst.line;
    order(s);
    let space = space(s);
    let word = s.take_one(&[
        "add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec",
    ]);
    let (Some(op), Some(ty)) = (word.and_then(atomic_op), s.ty()) else {
        return Ok(false);
    };
    if ty == Ty::B128 {
        return wide::atomic(f, inst, guard, op, space);
    }
    let known = match op {
        AtomicOp::Increment | AtomicOp::Decrement => ty == Ty::U32,
        AtomicOp::Exchange | AtomicOp::CompareAndSwap => matches!(ty, Ty::B16 | Ty::B32 | Ty::B64),
        AtomicOp::And | AtomicOp::Or | AtomicOp::Xor => matches!(ty, Ty::B32 | Ty::B64),
        AtomicOp::Add => matches!(
            ty,
            Ty::U32
                | Ty::S32
                | Ty::U64
                | Ty::S64
                | Ty::F32
                | Ty::F64
                | Ty::F16
                | Ty::F16x2
                | Ty::Bf16
                | Ty::Bf16x2
        ),
        AtomicOp::Min | AtomicOp::Max => matches!(ty, Ty::U32 | Ty::S32 | Ty::U64 | Ty::S64),
    };
    if !known {
        return Ok(false);
    }
    let first = usize::from(inst.name == "atom");
    let d = if first == 1 {
        f.dest(operand(inst, 0)?, line)?.0
    } else {
        SINK
    };
    let place = address(f, operand(inst, first)?, line)?;
    let b = f.value(operand(inst, first + 1)?, ty, line)?;
    let c = if op == AtomicOp::CompareAndSwap {
        f.value(operand(inst, first + 2)?, ty, line)?
    } else {
        b
    };
    f.low.slots += 1;
    let atomic = Atomic {
        op,
        ty,
        space: place.space.unwrap_or(space),
        address: place.address,
        frame: place.frame,
        offset: place.offset,
        d,
        b,
        c,
        slot: f.low.slots - 1,
    };
    f.emit(guard, Op::Atomic(atomic), line);
    Ok(true)
}
