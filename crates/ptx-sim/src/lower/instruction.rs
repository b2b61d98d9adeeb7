//! One instruction: its name and suffixes choose an `Op`, its operands fill it in.

use super::{
    async_copy, call,
    function::{Entity, FunctionLowering},
    memory, sync, wide,
};
use crate::{
    LoadError,
    alu::{
        Alu, AluFn, PredSrc, SINK, Src, bits,
        decode::{Kind, Suffixes, decode},
        flow::Flow,
        integer,
    },
    ast::{Inst, Operand, Ty},
    memory::{GLOBAL, LOCAL, PARAM, SHARED},
    program::{NO_GUARD, NO_PC, Op},
};

type Lowered<T> = Result<T, LoadError>;

/// Lowers one instruction.
pub fn lower(f: &mut FunctionLowering, inst: &Inst) -> Lowered<()> {
    let guard = match &inst.guard {
        Some((name, negated)) => PredSrc::new(f.pred_index(name, inst.line)?, *negated),
        None => NO_GUARD,
    };
    let mut s = Suffixes::new(&inst.suffixes);
    let done = match inst.name.as_str() {
        "cp" => async_copy::lower(f, inst, guard, &mut s)?,
        "ld" | "ldu" | "st" => memory::access(f, inst, guard, &mut s)?,
        "atom" | "red" => memory::atomic(f, inst, guard, &mut s)?,
        "mov" => mov(f, inst, guard, &mut s)?,
        "cvta" => convert_address(f, inst, guard, &mut s)?,
        "isspacep" => is_space(f, inst, guard, &mut s)?,
        "bra" | "brx" => branch(f, inst, guard, &mut s)?,
        "call" => call::lower(f, inst, guard, &mut s)?,
        "ret" => {
            s.take("uni");
            simple(f, inst, guard, Op::Return)
        }
        "exit" => simple(f, inst, guard, Op::Exit),
        "trap" | "brkpt" => simple(f, inst, guard, Op::Trap),
        "membar" | "fence" => {
            take_all(&mut s, inst);
            simple(f, inst, guard, Op::Fence)
        }
        "nanosleep" | "prefetch" | "prefetchu" | "griddepcontrol" | "pmevent" => {
            take_all(&mut s, inst);
            simple(f, inst, guard, Op::Nothing)
        }
        "bar" | "barrier" => sync::barrier(f, inst, guard, &mut s)?,
        "shfl" | "vote" | "match" | "redux" | "elect" => sync::warp_sync(f, inst, guard, &mut s)?,
        "activemask" => {
            let d = f.dest(operand(inst, 0)?, inst.line)?.0;
            simple(f, inst, guard, Op::ActiveMask { d })
        }
        _ => compute(f, inst, guard, &mut s)?,
    };
    match s.left() {
        Some(word) if done => f.error(
            inst.line,
            format!("`{}`: unknown modifier `.{word}`", full_name(inst)),
        ),
        None if done => Ok(()),
        _ => f.error(
            inst.line,
            format!("unknown instruction `{}`", full_name(inst)),
        ),
    }
}

pub fn full_name(inst: &Inst) -> String {
    inst.suffixes
        .iter()
        .fold(inst.name.clone(), |name, s| format!("{name}.{s}"))
}

pub fn operand(inst: &Inst, n: usize) -> Lowered<&Operand> {
    inst.operands.get(n).ok_or_else(|| {
        LoadError::new(
            inst.line,
            format!("`{}` needs more than {n} operands", full_name(inst)),
        )
    })
}

fn simple(f: &mut FunctionLowering, inst: &Inst, guard: PredSrc, op: Op) -> bool {
    f.emit(guard, op, inst.line);
    true
}

/// For instructions whose scopes and hints make no difference here.
fn take_all(s: &mut Suffixes, inst: &Inst) {
    for word in &inst.suffixes {
        s.take(word);
    }
}

// ---- computing

/// `d = a + b` in 64 bits.
pub fn add(f: &mut FunctionLowering, d: u32, a: Src, b: Src, line: u32) {
    if let Some(run) = integer::add(Ty::U64) {
        f.emit(NO_GUARD, alu(run, d, a, b), line);
    }
}

fn alu(run: AluFn, d: u32, a: Src, b: Src) -> Op {
    Op::Alu(Alu {
        run,
        d,
        e: SINK,
        a,
        b,
        c: a,
        x: a,
        p: PredSrc::TRUE,
        q: PredSrc::TRUE,
        to_pred: false,
        flow: Flow::Use,
        imm: 0,
    })
}

fn compute(
    f: &mut FunctionLowering,
    inst: &Inst,
    guard: PredSrc,
    s: &mut Suffixes,
) -> Lowered<bool> {
    let line = inst.line;
    let width = match inst.operands.first() {
        Some(Operand::Name(name)) if inst.name == "cvt" && name != "_" => {
            match f.entity(name, line)? {
                Entity::Register(_, ty) => ty.bits(),
                _ => 64,
            }
        }
        _ => 64,
    };
    let Some(decoded) = decode(&inst.name, s, width) else {
        return Ok(false);
    };
    let zero = f.low.constant(0);
    let mut out = Alu {
        run: decoded.run,
        d: SINK,
        e: SINK,
        a: zero,
        b: zero,
        c: zero,
        x: zero,
        p: PredSrc::TRUE,
        q: PredSrc::TRUE,
        to_pred: decoded.dest == Kind::Pred,
        flow: Flow::of(&inst.name, &s.types),
        imm: decoded.imm,
    };
    match (decoded.dest, operand(inst, 0)?) {
        (Kind::Pred, Operand::Name(name)) => out.d = f.dest_pred(name, line)?,
        (Kind::Pred, Operand::Pair(p, q)) => {
            out.d = f.dest_pred(p, line)?;
            out.e = f.dest_pred(q, line)?;
        }
        (_, dest) => out.d = f.dest(dest, line)?.0,
    }
    if inst.operands.len() != decoded.sources.len() + 1 {
        return f.error(
            line,
            format!(
                "`{}` takes {} operands",
                full_name(inst),
                decoded.sources.len() + 1
            ),
        );
    }
    let (mut values, mut preds) = (0, 0);
    for (kind, source) in decoded.sources.iter().zip(&inst.operands[1..]) {
        match kind {
            Kind::Value(ty) => {
                let value = f.value(source, *ty, line)?;
                match values {
                    0 => out.a = value,
                    1 => out.b = value,
                    2 => out.c = value,
                    _ => out.x = value,
                }
                values += 1;
            }
            Kind::Pred => {
                let pred = f.pred(source, line)?;
                if preds == 0 {
                    out.p = pred
                } else {
                    out.q = pred
                }
                preds += 1;
            }
            Kind::Immediate => match source {
                Operand::Int(value) => out.imm = *value as u32,
                _ => return f.error(line, "the last operand must be a constant"),
            },
        }
    }
    if let Some(product) = decoded.product {
        let t = f.temporary(Ty::B64, line)?;
        f.emit(guard, alu(product, t, out.a, out.b), line);
        (out.a, out.b) = (Src::register(t), out.c);
    }
    f.emit(guard, Op::Alu(out), line);
    Ok(true)
}

fn mov(f: &mut FunctionLowering, inst: &Inst, guard: PredSrc, s: &mut Suffixes) -> Lowered<bool> {
    let (to, from) = (operand(inst, 0)?, operand(inst, 1)?);
    let line = inst.line;
    let Some(ty) = s.ty() else { return Ok(false) };
    if ty == Ty::B128 {
        return wide::mov(f, inst, guard);
    }
    match (to, from) {
        (Operand::Vector(parts), from) => {
            let a = f.value(from, ty, line)?;
            let width = ty.bits() / (parts.len() as u32).max(1);
            for (n, part) in parts.iter().enumerate() {
                let d = f.dest(part, line)?.0;
                // The source may be one of the destinations only in the last step, which PTX's types exclude.
                let mut op = alu(bits::unpack(), d, a, a);
                if let Op::Alu(alu) = &mut op {
                    alu.imm = (n as u32 * width) | (width << 8);
                    alu.flow = Flow::Unpack;
                }
                f.emit(guard, op, line);
            }
            Ok(matches!(parts.len(), 2 | 4) && ty.bits() <= 64 && width >= 8)
        }
        (to, Operand::Vector(parts)) => {
            let d = f.dest(to, line)?.0;
            let width = ty.bits() / (parts.len() as u32).max(1);
            let [first, rest @ ..] = &parts[..] else {
                return Ok(false);
            };
            let part_ty = match width {
                8 => Ty::B8,
                16 => Ty::B16,
                _ => Ty::B32,
            };
            let mut sum = f.value(first, part_ty, line)?;
            for (n, part) in rest.iter().enumerate() {
                let b = f.value(part, part_ty, line)?;
                let target = if n + 1 == rest.len() {
                    d
                } else {
                    f.temporary(Ty::B64, line)?
                };
                let mut op = alu(bits::pack(), target, sum, b);
                if let Op::Alu(alu) = &mut op {
                    alu.imm = (n as u32 + 1) * width;
                    alu.flow = Flow::Pack;
                }
                f.emit(guard, op, line);
                sum = Src::register(target);
            }
            Ok(matches!(parts.len(), 2 | 4) && ty.bits() <= 64 && width >= 8)
        }
        _ => compute(f, inst, guard, s),
    }
}

fn window(s: &mut Suffixes) -> Option<u64> {
    Some(
        match s.take_one(&[
            "global",
            "shared",
            "shared::cta",
            "local",
            "const",
            "param",
            "param::entry",
        ])? {
            "shared" | "shared::cta" => SHARED,
            "local" => LOCAL,
            "param" | "param::entry" => PARAM,
            _ => GLOBAL,
        },
    )
}

/// `cvta`: only shared and local addresses differ from the generic ones.
fn convert_address(
    f: &mut FunctionLowering,
    inst: &Inst,
    guard: PredSrc,
    s: &mut Suffixes,
) -> Lowered<bool> {
    let to = s.take("to");
    let Some(window) = window(s) else {
        return Ok(false);
    };
    let d = f.dest(operand(inst, 0)?, inst.line)?.0;
    let a = f.value(operand(inst, 1)?, Ty::B64, inst.line)?;
    let base = f.low.constant(if matches!(window, SHARED | LOCAL) {
        window
    } else {
        0
    });
    let run = if to {
        integer::sub(Ty::U64)
    } else {
        integer::add(Ty::U64)
    };
    let Some(run) = run else { return Ok(false) };
    f.emit(guard, alu(run, d, a, base), inst.line);
    Ok(s.ty().is_some())
}

fn is_space(
    f: &mut FunctionLowering,
    inst: &Inst,
    guard: PredSrc,
    s: &mut Suffixes,
) -> Lowered<bool> {
    let Some(window) = window(s) else {
        return Ok(false);
    };
    let Operand::Name(name) = operand(inst, 0)? else {
        return Ok(false);
    };
    let d = f.dest_pred(name, inst.line)?;
    let a = f.value(operand(inst, 1)?, Ty::B64, inst.line)?;
    let base = f.low.constant(window);
    f.emit(guard, alu(integer::in_window, d, a, base), inst.line);
    Ok(true)
}

// ---- control

fn branch(
    f: &mut FunctionLowering,
    inst: &Inst,
    guard: PredSrc,
    s: &mut Suffixes,
) -> Lowered<bool> {
    s.take("uni");
    if inst.name == "bra" {
        let Operand::Name(label) = operand(inst, 0)? else {
            return f.error(inst.line, "expected a label");
        };
        f.emit_branch(
            guard,
            Op::Branch {
                target: 0,
                join: NO_PC,
            },
            vec![label.clone()],
            inst.line,
        );
        return Ok(true);
    }
    if !s.take("idx") {
        return Ok(false);
    }
    let index = f.value(operand(inst, 0)?, Ty::U32, inst.line)?;
    let Operand::Name(list) = operand(inst, 1)? else {
        return f.error(inst.line, "expected a list of targets");
    };
    let Entity::Targets(labels) = f.entity(list, inst.line)? else {
        return f.error(inst.line, format!("`{list}` is no list of targets"));
    };
    f.emit_branch(
        guard,
        Op::BranchTable {
            index,
            targets: Box::default(),
            join: NO_PC,
        },
        labels,
        inst.line,
    );
    Ok(true)
}
