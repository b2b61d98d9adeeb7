//! Barriers, and the `.sync` instructions of a warp.

use super::{
    function::FunctionLowering,
    instruction::{full_name, operand},
    memory::atomic_op,
};
use crate::{
    LoadError,
    alu::{PredSrc, SINK, decode::Suffixes},
    ast::{Inst, Operand, Ty},
    program::{Barrier, Op, ShuffleMode, Sync, SyncOp, Vote},
};

type Lowered<T> = Result<T, LoadError>;

pub fn barrier(
    f: &mut FunctionLowering,
    inst: &Inst,
    guard: PredSrc,
    s: &mut Suffixes,
) -> Lowered<bool> {
    let line = inst.line;
    if s.take("warp") {
        s.take("sync");
        let mask = f.value(operand(inst, 0)?, Ty::U32, line)?;
        f.emit(
            guard,
            Op::Sync(Sync {
                mask,
                op: SyncOp::Warp,
            }),
            line,
        );
        return Ok(true);
    }
    s.take("cta");
    let aligned = s.take("aligned") || inst.name == "bar";
    let Some(kind) = s.take_one(&["sync", "arrive", "red"]) else {
        return Ok(false);
    };
    let operands = &inst.operands[..];
    let (reduce, id, threads) = match (kind, operands) {
        ("red", [dest, id, threads @ .., source]) => {
            let Some(vote) = s.take_one(&["popc", "and", "or"]) else {
                return Ok(false);
            };
            let vote = match vote {
                "popc" => Vote::Popc,
                "and" => Vote::And,
                _ => Vote::Or,
            };
            let d = match (vote, dest) {
                (Vote::Popc, dest) => f.dest(dest, line)?.0,
                (_, Operand::Name(name)) => f.dest_pred(name, line)?,
                _ => return f.error(line, "expected a predicate"),
            };
            (Some((vote, d, f.pred(source, line)?)), id, threads.first())
        }
        ("sync" | "arrive", [id, threads @ ..]) => (None, id, threads.first()),
        _ => return f.error(line, "a barrier needs a number"),
    };
    let id = f.value(id, Ty::U32, line)?;
    let threads = match threads {
        Some(threads) => Some(f.value(threads, Ty::U32, line)?),
        None => None,
    };
    f.emit(
        guard,
        Op::Barrier(Barrier {
            id,
            threads,
            wait: kind != "arrive",
            aligned,
            reduce,
        }),
        line,
    );
    Ok(true)
}

pub fn warp_sync(
    f: &mut FunctionLowering,
    inst: &Inst,
    guard: PredSrc,
    s: &mut Suffixes,
) -> Lowered<bool> {
    let line = inst.line;
    if !s.take("sync") {
        return f.error(
            line,
            format!("`{}`: only the .sync form is supported", full_name(inst)),
        );
    }
    let (d, p) = match operand(inst, 0)? {
        Operand::Pair(d, p) => (Operand::Name(d.clone()), f.dest_pred(p, line)?),
        other => (other.clone(), SINK),
    };
    let last = |n: usize| operand(inst, n);
    let mask_at;
    let op = match inst.name.as_str() {
        "shfl" => {
            let Some(mode) = s.take_one(&["up", "down", "bfly", "idx"]) else {
                return Ok(false);
            };
            let mode = match mode {
                "up" => ShuffleMode::Up,
                "down" => ShuffleMode::Down,
                "bfly" => ShuffleMode::Butterfly,
                _ => ShuffleMode::Index,
            };
            mask_at = 4;
            let d = f.dest(&d, line)?.0;
            let (a, b) = (
                f.value(last(1)?, Ty::B32, line)?,
                f.value(last(2)?, Ty::B32, line)?,
            );
            SyncOp::Shuffle {
                mode,
                d,
                p,
                a,
                b,
                c: f.value(last(3)?, Ty::B32, line)?,
            }
        }
        "vote" => {
            mask_at = 2;
            let source = f.pred(last(1)?, line)?;
            match (s.take_one(&["all", "any", "uni", "ballot"]), &d) {
                (Some("ballot"), d) => SyncOp::Ballot {
                    d: f.dest(d, line)?.0,
                    p: source,
                },
                (Some(kind), Operand::Name(name)) => {
                    let d = f.dest_pred(name, line)?;
                    match kind {
                        "all" => SyncOp::VoteAll { d, p: source },
                        "any" => SyncOp::VoteAny { d, p: source },
                        _ => SyncOp::VoteUniform { d, p: source },
                    }
                }
                _ => return Ok(false),
            }
        }
        "match" => {
            mask_at = 2;
            let Some(ty) = s.ty() else { return Ok(false) };
            let d = f.dest(&d, line)?.0;
            let a = f.value(last(1)?, ty, line)?;
            match s.take_one(&["any", "all"]) {
                Some("any") => SyncOp::MatchAny { d, a },
                Some(_) => SyncOp::MatchAll { d, p, a },
                None => return Ok(false),
            }
        }
        "redux" => {
            mask_at = 2;
            let (Some(op), Some(ty)) = (
                s.take_one(&["add", "min", "max", "and", "or", "xor"]),
                s.ty(),
            ) else {
                return Ok(false);
            };
            let Some(op) = atomic_op(op).filter(|_| ty.bits() == 32 && !ty.float()) else {
                return Ok(false);
            };
            SyncOp::Reduce {
                op,
                ty,
                d: f.dest(&d, line)?.0,
                a: f.value(last(1)?, ty, line)?,
            }
        }
        _ => {
            mask_at = 1;
            SyncOp::Elect {
                d: f.dest(&d, line)?.0,
                p,
            }
        }
    };
    let mask = f.value(last(mask_at)?, Ty::U32, line)?;
    f.emit(guard, Op::Sync(Sync { mask, op }), line);
    Ok(true)
}
