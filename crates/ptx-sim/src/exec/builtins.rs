//! Functions that the system provides: `vprintf`, `malloc`, `free`, `__assertfail`.

use super::{
    Failed, Worker,
    call::{argument, lanes, set_result},
    fail,
    printf::{ARGUMENTS, Directive},
    warp::{Fragment, Warp},
};
use crate::{
    Access, FaultKind, Space,
    memory::{LOCAL, Origin, same_window},
    program::{Builtin, Call},
};

pub fn run(
    worker: &mut Worker,
    warp: &mut Warp,
    fragment: &Fragment,
    builtin: Builtin,
    call: &Call,
) -> Result<(), Failed> {
    worker.pc = fragment.pc;
    if builtin != Builtin::AssertFail {
        worker.check_single(warp, &fragment.frame, fragment.mask, |_| None)?;
    }
    for lane in lanes(fragment.mask) {
        let argument = |n: usize| {
            call.arguments
                .get(n)
                .map_or(0, |a| argument(warp, &fragment.frame, *a, lane))
        };
        let result = match builtin {
            Builtin::Printf => {
                let text = Reader { worker, warp, lane }.format(argument(0), argument(1))?;
                (worker.machine.options.print)(&text.0);
                text.1
            }
            Builtin::Malloc => {
                let allocation = worker.machine.memory.alloc(argument(0), Origin::Heap, None);
                allocation.map_or(0, |a| a.base)
            }
            Builtin::Free => {
                let address = argument(0);
                if address != 0 && worker.machine.memory.free(address, Origin::Heap).is_err() {
                    return fail(FaultKind::BadFree { address }, Some(lane as u32));
                }
                0
            }
            Builtin::AssertFail => {
                let reader = Reader { worker, warp, lane };
                let text = |address| -> Result<String, Failed> {
                    Ok(String::from_utf8_lossy(&reader.string(address)?).into_owned())
                };
                let kind = FaultKind::Assert {
                    message: text(argument(0))?,
                    file: text(argument(1))?,
                    line: argument(2) as u32,
                    function: text(argument(3))?,
                };
                return fail(kind, Some(lane as u32));
            }
        };
        if let Some(actual) = call.results.first() {
            set_result(warp, &fragment.frame, *actual, lane, result);
        }
    }
    Ok(())
}

/// Reads a lane's memory through generic addresses.
struct Reader<'r, 'w> {
    worker: &'r Worker<'w>,
    warp: &'r Warp,
    lane: usize,
}

impl Reader<'_, '_> {
    fn bytes(&self, address: u64, out: &mut [u8]) -> Result<(), Failed> {
        if same_window(address, LOCAL) {
            let at = address.wrapping_sub(LOCAL) as usize;
            let stride = self.warp.stride as usize;
            if at.checked_add(out.len()).is_some_and(|end| end <= stride) {
                let written = self.warp.written.get(self.lane);
                if written.is_some_and(|marks| !marks.get(at, out.len() as u32)) {
                    let kind = FaultKind::Uninitialised(self.access(Space::Local, address, out));
                    return fail(kind, Some(self.lane as u32));
                }
                out.copy_from_slice(&self.warp.local[self.lane * stride + at..][..out.len()]);
                return Ok(());
            }
        } else if self.worker.machine.memory.read(address, out).is_ok() {
            return Ok(());
        }
        let kind = FaultKind::OutOfBounds(self.access(Space::Generic, address, out));
        fail(kind, Some(self.lane as u32))
    }

    fn access(&self, space: Space, address: u64, bytes: &[u8]) -> Access {
        Access {
            space,
            address,
            bytes: bytes.len() as u32,
            write: false,
            atomic: false,
            nearest: self.worker.machine.memory.lost(address).nearest,
        }
    }

    fn string(&self, address: u64) -> Result<Vec<u8>, Failed> {
        let mut out = Vec::new();
        let mut byte = [0];
        loop {
            self.bytes(address + out.len() as u64, &mut byte)?;
            if byte[0] == 0 || out.len() > 1 << 20 {
                return Ok(out);
            }
            out.push(byte[0]);
        }
    }

    /// C's `printf` with arguments as `vprintf` finds them: one after another, each at a multiple of its size. Gives the
    /// text and the number of arguments.
    fn format(&self, format: u64, arguments: u64) -> Result<(Vec<u8>, u64), Failed> {
        let format = self.string(format)?;
        let (mut out, mut at, mut count) = (Vec::new(), arguments, 0);
        let mut rest = format.as_slice();
        while let [first, tail @ ..] = rest {
            rest = tail;
            if *first != b'%' {
                out.push(*first);
                continue;
            }
            if let [b'%', tail @ ..] = rest {
                out.push(b'%');
                rest = tail;
                continue;
            }
            // What the driver does not know, and what is left when there are no more arguments, is text.
            let parsed = Directive::parse(rest);
            let Some((mut directive, tail)) =
                parsed.filter(|(d, _)| count + d.arguments() <= ARGUMENTS)
            else {
                out.push(b'%');
                continue;
            };
            rest = tail;
            count += directive.arguments();
            if directive.star {
                directive.set_width(self.next(&mut at, 4)? as i32);
            }
            let value = self.next(&mut at, directive.size())?;
            if directive.conversion == b's' {
                let text = match value {
                    0 => b"(null)".to_vec(),
                    _ => self.string(value)?,
                };
                directive.string(&mut out, &text);
            } else {
                directive.number(&mut out, value);
            }
        }
        Ok((out, count))
    }

    fn next(&self, at: &mut u64, size: u64) -> Result<u64, Failed> {
        *at = at.next_multiple_of(size);
        let mut bytes = [0; 8];
        self.bytes(*at, &mut bytes[..size as usize])?;
        *at += size;
        Ok(u64::from_le_bytes(bytes))
    }
}
