//! `cp.async`: copies to shared memory that are under way until the thread waits for them.
//!
//! The source is read at once; shared memory gets the bytes when the thread waits, which is the latest that a GPU may do it.
//! So a missing wait shows: the bytes are not there.

use super::{
    Failed, Worker,
    access::{Request, Target},
    call::lanes,
    checks::{Checked, Shared},
    races::Kind,
    warp::{Frame, Warp},
};
use crate::{
    alu::ZERO_ROW,
    program::{AsyncCopy, Pointer},
};
use std::collections::VecDeque;

/// The copies of a lane.
#[derive(Clone, Default)]
pub struct Copies {
    /// Committed groups, the oldest first.
    groups: VecDeque<Vec<Copy>>,
    open: Vec<Copy>,
}

#[derive(Clone, Copy)]
struct Copy {
    /// Offset in shared memory.
    to: u64,
    value: [u8; 16],
    bytes: u32,
    /// The instruction.
    pc: u32,
}

fn request(at: &Pointer, bytes: u32, write: bool) -> Request {
    Request {
        space: at.space,
        bytes,
        write,
        atomic: false,
        slot: at.slot,
    }
}

impl Worker<'_> {
    pub fn async_copy(
        &mut self,
        warp: &mut Warp,
        shared: &mut Shared,
        x: &AsyncCopy,
        frame: &Frame,
        active: u32,
    ) -> Result<(), Failed> {
        let to = self.addresses(warp, x.to.address, x.to.frame, x.to.offset, frame);
        let from = self.addresses(warp, x.from.address, x.from.frame, x.from.offset, frame);
        let wanted = match x.source_bytes {
            Some(source) => *warp.registers.src(source),
            None => [u64::from(x.bytes); 32],
        };
        let (_, target) = self.resolve(warp, &request(&x.to, x.bytes, true), &to, active, frame)?;
        let Target::Shared(to) = target else {
            return Ok(());
        };
        // A copy of no bytes reads nothing: the rest is zeros.
        let mut left = lanes(active)
            .filter(|l| wanted[*l] != 0)
            .fold(0, |all, l| all | 1 << l);
        let mut values = [[0u8; 16]; 32];
        let read = request(&x.from, x.bytes, false);
        let element = x.bytes.min(8);
        while left != 0 {
            let (here, target) = self.resolve(warp, &read, &from, left, frame)?;
            left &= !here;
            if self.checking {
                let checked = Checked {
                    request: &read,
                    target: &target,
                    addresses: &from,
                    lanes: here,
                    element,
                    kind: Kind::Read,
                    values: None,
                    reads: true,
                    load: None,
                };
                self.check_access(warp, shared, &checked, frame)?;
            }
            if let Target::Allocation(allocation, offsets) = &target {
                for lane in lanes(here) {
                    let bytes = wanted[lane].min(u64::from(x.bytes)) as usize;
                    allocation
                        .data
                        .read(offsets[lane], &mut values[lane][..bytes]);
                }
            }
        }
        if warp.copies.is_empty() {
            warp.copies.resize(32, Copies::default());
        }
        for lane in lanes(active) {
            warp.copies[lane].open.push(Copy {
                to: to[lane],
                value: values[lane],
                bytes: x.bytes,
                pc: self.pc,
            });
        }
        Ok(())
    }

    /// Waits until at most so many groups are under way; `None`: for all copies.
    pub fn async_wait(
        &mut self,
        warp: &mut Warp,
        shared: &mut Shared,
        groups: Option<u32>,
        frame: &Frame,
        active: u32,
    ) -> Result<(), Failed> {
        let pc = self.pc;
        for lane in lanes(active) {
            let Some(copies) = warp.copies.get_mut(lane) else {
                continue;
            };
            let rest = groups.unwrap_or(0) as usize;
            let mut done = Vec::new();
            while copies.groups.len() > rest {
                done.extend(copies.groups.pop_front().unwrap_or_default());
            }
            if groups.is_none() {
                done.append(&mut copies.open);
            }
            for copy in done {
                // For reports, the copy is what writes.
                self.pc = copy.pc;
                self.arrive(warp, shared, &copy, lane, frame)?;
            }
        }
        self.pc = pc;
        Ok(())
    }

    fn arrive(
        &mut self,
        warp: &mut Warp,
        shared: &mut Shared,
        copy: &Copy,
        lane: usize,
        frame: &Frame,
    ) -> Result<(), Failed> {
        let mut offsets = ZERO_ROW;
        offsets[lane] = copy.to;
        let request = Request {
            space: crate::Space::Shared,
            bytes: copy.bytes,
            write: true,
            atomic: false,
            slot: 0,
        };
        if self.checking {
            let target = Target::Shared(offsets);
            let checked = Checked {
                request: &request,
                target: &target,
                addresses: &offsets,
                lanes: 1 << lane,
                element: copy.bytes.min(8),
                kind: Kind::Write,
                values: None,
                reads: false,
                load: None,
            };
            self.check_access(warp, shared, &checked, frame)?;
        }
        let (start, bytes) = (copy.to as usize, copy.bytes as usize);
        shared.bytes[start..start + bytes].copy_from_slice(&copy.value[..bytes]);
        Ok(())
    }
}

/// The copies since the last commit become a group.
pub fn commit(warp: &mut Warp, active: u32) {
    for lane in lanes(active) {
        if let Some(copies) = warp.copies.get_mut(lane) {
            let group = std::mem::take(&mut copies.open);
            copies.groups.push_back(group);
        }
    }
}
