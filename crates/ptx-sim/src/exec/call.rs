//! Calls and returns. Parameters travel through frames in local memory, or from register to register.

use super::{
    Failed, Worker, builtins, fail,
    warp::{Fragment, Frame, State, Warp},
};
use crate::{
    FaultKind,
    alu::SINK,
    program::{Actual, Call, Callee, Home, Op},
};

const DEPTH: u32 = 1000;
const LOCAL_LIMIT: u32 = 1 << 22;

impl Worker<'_> {
    /// Calls with all lanes of the fragment. False: the call is done, as builtin functions' are.
    pub fn call(&mut self, warp: &mut Warp, which: usize, call: &Call) -> Result<bool, Failed> {
        let fragment = warp.fragments[which];
        match call.callee {
            Callee::Builtin(builtin) => {
                builtins::run(self, warp, &fragment, builtin, call)?;
                Ok(false)
            }
            Callee::Function(function) => {
                warp.fragments.swap_remove(which);
                self.enter(warp, fragment, function, call)?;
                Ok(true)
            }
            Callee::Indirect(address) => {
                let row = *warp.registers.src(address);
                let mut targets: Vec<(u32, u32)> = Vec::new();
                for lane in lanes(fragment.mask) {
                    let functions = &self.machine.program.functions;
                    let fits = |f: &crate::program::Function| {
                        f.address == row[lane]
                            && f.params.len() == call.arguments.len()
                            && f.results.len() == call.results.len()
                    };
                    let Some(function) = functions.iter().skip(1).position(fits) else {
                        return fail(FaultKind::BadCall { address: row[lane] }, Some(lane as u32));
                    };
                    let function = function as u32 + 1;
                    match targets.iter_mut().find(|(f, _)| *f == function) {
                        Some((_, mask)) => *mask |= 1 << lane,
                        None => targets.push((function, 1 << lane)),
                    }
                }
                warp.fragments.swap_remove(which);
                // Lanes that call different functions meet behind the call.
                let join = match targets.len() {
                    1 => fragment.join,
                    _ => warp.add_join(
                        fragment.pc + 1,
                        false,
                        fragment.mask,
                        fragment.join,
                        fragment.frame,
                    ),
                };
                for (function, mask) in targets {
                    self.enter(
                        warp,
                        Fragment {
                            mask,
                            join,
                            ..fragment
                        },
                        function,
                        call,
                    )?;
                }
                Ok(true)
            }
        }
    }

    fn enter(
        &mut self,
        warp: &mut Warp,
        from: Fragment,
        function: u32,
        call: &Call,
    ) -> Result<(), Failed> {
        let program = self.machine.program;
        let (caller, callee) = (
            &program.functions[from.frame.function as usize],
            &program.functions[function as usize],
        );
        let frame = Frame {
            function,
            base: from.frame.base + caller.registers,
            pred_base: from.frame.pred_base + caller.preds,
            local: from.frame.end,
            end: from.frame.end + callee.frame,
            depth: from.frame.depth + 1,
            single: self.single(&from.frame, from.pc),
        };
        if frame.depth > DEPTH || frame.end > LOCAL_LIMIT {
            warp.fragments.push(from);
            warp.turn = warp.fragments.len() - 1;
            return fail(FaultKind::StackOverflow, Some(from.mask.trailing_zeros()));
        }
        warp.reserve(&frame, callee.registers, callee.preds);
        warp.unknown.forget_from(frame.base as usize);
        if !warp.written.is_empty() {
            lanes(from.mask)
                .for_each(|l| warp.written[l].clear(frame.local as usize, callee.frame));
        }
        for (actual, home) in call.arguments.iter().zip(&callee.params) {
            pass(warp, *actual, &from.frame, *home, &frame, from.mask);
        }
        let join = warp.add_join(from.pc + 1, true, from.mask, from.join, from.frame);
        warp.fragments.push(Fragment {
            pc: callee.entry,
            mask: from.mask,
            join,
            frame,
            state: State::Run,
        });
        Ok(())
    }

    /// Gives the caller the results of lanes that return.
    pub fn take_results(&self, warp: &mut Warp, fragment: &Fragment, call: u32) {
        let join = warp.joins[call as usize];
        let program = self.machine.program;
        let callee = &program.functions[fragment.frame.function as usize];
        let Some(Op::Call(call)) = program.code.get(join.pc as usize - 1).map(|i| &i.op) else {
            return;
        };
        for (home, actual) in callee.results.iter().zip(&call.results) {
            take(
                warp,
                *home,
                &fragment.frame,
                *actual,
                &join.frame,
                fragment.mask,
            );
        }
    }
}

pub fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |l| mask >> l & 1 != 0)
}

/// Bytes of a lane's local memory as a number.
fn local_value(warp: &Warp, lane: usize, at: u32, bytes: u32) -> u64 {
    let start = lane * warp.stride as usize + at as usize;
    let mut out = [0; 8];
    let bytes = bytes.min(8) as usize;
    out[..bytes].copy_from_slice(&warp.local[start..start + bytes]);
    u64::from_le_bytes(out)
}

fn set_local(warp: &mut Warp, lane: usize, at: u32, bytes: u32, value: u64) {
    let start = lane * warp.stride as usize + at as usize;
    let bytes = bytes.min(8) as usize;
    warp.local[start..start + bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
    if let Some(marks) = warp.written.get_mut(lane) {
        marks.set(at as usize, bytes as u32);
    }
}

fn copy_local(warp: &mut Warp, lane: usize, from: u32, to: u32, bytes: u32) {
    let start = lane * warp.stride as usize;
    warp.local.copy_within(
        start + from as usize..start + (from + bytes) as usize,
        start + to as usize,
    );
    if let Some(marks) = warp.written.get_mut(lane) {
        marks.copy(from as usize, to as usize, bytes);
    }
}

fn pass(warp: &mut Warp, actual: Actual, from: &Frame, home: Home, to: &Frame, mask: u32) {
    match (actual, home) {
        (Actual::Frame(at, bytes), Home::Frame(target, room)) => {
            lanes(mask).for_each(|l| {
                copy_local(warp, l, from.local + at, to.local + target, bytes.min(room))
            });
        }
        (Actual::Frame(at, bytes), Home::Register(d)) => {
            for lane in lanes(mask) {
                let value = local_value(warp, lane, from.local + at, bytes);
                warp.registers.rows[(to.base + d) as usize][lane] = value;
            }
        }
        (Actual::Value(source, _), home) => {
            warp.registers.base = from.base as usize;
            let row = *warp.registers.src(source);
            for lane in lanes(mask) {
                match home {
                    Home::Frame(target, room) => {
                        set_local(warp, lane, to.local + target, room, row[lane])
                    }
                    Home::Register(d) => {
                        warp.registers.rows[(to.base + d) as usize][lane] = row[lane]
                    }
                    Home::Pred(_) => {}
                }
            }
        }
        (Actual::Pred(source), Home::Pred(d)) => {
            warp.registers.pred_base = from.pred_base as usize;
            let bits = warp.registers.pred(source);
            warp.registers.pred_base = to.pred_base as usize;
            warp.registers.put_pred(d, mask, bits);
        }
        // The kinds of arguments and parameters were compared when the text was loaded.
        (
            Actual::Frame(..)
            | Actual::Pred(_)
            | Actual::Register(_)
            | Actual::PredRegister(_)
            | Actual::Nowhere,
            Home::Frame(..) | Home::Register(_) | Home::Pred(_),
        ) => {}
    }
}

fn take(warp: &mut Warp, home: Home, from: &Frame, actual: Actual, to: &Frame, mask: u32) {
    match (home, actual) {
        (Home::Frame(at, bytes), Actual::Frame(target, room)) => {
            lanes(mask).for_each(|l| {
                copy_local(warp, l, from.local + at, to.local + target, bytes.min(room))
            });
        }
        (Home::Frame(at, bytes), Actual::Register(d)) => {
            for lane in lanes(mask) {
                let value = local_value(warp, lane, from.local + at, bytes);
                warp.registers.rows[(to.base + d) as usize][lane] = value;
            }
        }
        (Home::Register(source), Actual::Register(d)) => {
            for lane in lanes(mask) {
                let value = warp.registers.rows[(from.base + source) as usize][lane];
                warp.registers.rows[(to.base + d) as usize][lane] = value;
            }
        }
        (Home::Register(source), Actual::Frame(target, room)) => {
            for lane in lanes(mask) {
                let value = warp.registers.rows[(from.base + source) as usize][lane];
                set_local(warp, lane, to.local + target, room, value);
            }
        }
        (Home::Pred(source), Actual::PredRegister(d)) => {
            let bits = warp.registers.preds[(from.pred_base + source) as usize];
            warp.registers.pred_base = to.pred_base as usize;
            warp.registers.put_pred(d, mask, bits);
        }
        (
            Home::Frame(..) | Home::Register(_) | Home::Pred(_),
            Actual::Frame(..)
            | Actual::Value(..)
            | Actual::Pred(_)
            | Actual::Register(_)
            | Actual::PredRegister(_)
            | Actual::Nowhere,
        ) => {}
    }
}

/// The value of an argument for a lane; for builtin functions.
pub fn argument(warp: &Warp, frame: &Frame, actual: Actual, lane: usize) -> u64 {
    match actual {
        Actual::Frame(at, bytes) => local_value(warp, lane, frame.local + at, bytes),
        Actual::Value(source, _) => warp.registers.src(source)[lane],
        Actual::Pred(_) | Actual::Register(_) | Actual::PredRegister(_) | Actual::Nowhere => 0,
    }
}

/// Gives a builtin function's result to a lane.
pub fn set_result(warp: &mut Warp, frame: &Frame, actual: Actual, lane: usize, value: u64) {
    match actual {
        Actual::Frame(at, bytes) => set_local(warp, lane, frame.local + at, bytes, value),
        Actual::Register(d) if d != SINK => {
            let row = (frame.base + d) as usize;
            warp.registers.rows[row][lane] = value;
        }
        Actual::Register(_)
        | Actual::Value(..)
        | Actual::Pred(_)
        | Actual::PredRegister(_)
        | Actual::Nowhere => {}
    }
}
