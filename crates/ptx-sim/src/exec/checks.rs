//! What the checkers do at an access: uninitialised reads, reads of what the host has newer values of, and the races of `races`.

use super::{
    Failed, Worker,
    access::{Request, Target},
    call::lanes,
    fail,
    races::{Accesses, Kind, Order},
    warp::{Frame, Warp},
};
use crate::{
    FaultKind, Space,
    alu::{Row, Src},
    memory::{
        marks::{Marks, OwnMarks},
        track::Tracking,
    },
};

/// The shared memory of a block, and what the checkers know of it.
pub struct Shared {
    pub bytes: Vec<u8>,
    pub written: OwnMarks,
    pub order: Order,
}

/// An access that has been found allowed.
pub struct Checked<'a> {
    pub request: &'a Request,
    pub target: &'a Target,
    pub addresses: &'a Row,
    pub lanes: u32,
    /// Size of one element.
    pub element: u32,
    pub kind: Kind,
    /// The first element's values, of a store.
    pub values: Option<&'a Row>,
    /// Whether what was there matters.
    pub reads: bool,
    /// The instruction, of a load: values that were never written may go to its registers.
    pub load: Option<&'a crate::program::Access>,
}

impl Worker<'_> {
    /// Called before the access takes place.
    pub fn check_access(
        &mut self,
        warp: &mut Warp,
        shared: &mut Shared,
        x: &Checked,
        frame: &Frame,
    ) -> Result<(), Failed> {
        let checks = self.machine.options.checks;
        if x.request.write && matches!(x.target, Target::Allocation(..) | Target::Shared(_)) {
            self.check_single(warp, frame, x.lanes, |lane| {
                Some(self.report(x.request, x.addresses[lane], lane))
            })?;
        }
        if checks.uninitialised {
            if x.reads {
                self.check_written(warp, shared, x)?;
            }
            if x.request.write {
                mark_written(warp, shared, x);
            }
        }
        if let Target::Allocation(allocation, offsets) = x.target
            && let Some(tracking) = allocation.tracking()
        {
            self.check_fresh(tracking, offsets, x)?;
        }
        if checks.races {
            let (addresses, in_shared) = match x.target {
                Target::Allocation(..) => (x.addresses, false),
                Target::Shared(offsets) => (offsets, true),
                Target::Local(_) | Target::Param(_) => return Ok(()),
            };
            if x.kind.orders() {
                self.hand_over(warp, &mut shared.order, addresses, x.lanes);
            }
            let accesses = Accesses {
                addresses,
                lanes: x.lanes,
                bytes: x.request.bytes,
                kind: x.kind,
                shared: in_shared,
                values: x.values,
            };
            return self.check_races(warp, &mut shared.order, &accesses);
        }
        Ok(())
    }

    /// Other blocks have no business with what this one adds to.
    pub fn contribute(
        &mut self,
        warp: &Warp,
        shared: &mut Shared,
        address: Src,
        bytes: u32,
        active: u32,
    ) -> Result<(), Failed> {
        if !self.machine.options.checks.races {
            return Ok(());
        }
        let accesses = Accesses {
            addresses: warp.registers.src(address),
            lanes: active,
            bytes,
            kind: Kind::Contribution,
            shared: false,
            values: None,
        };
        self.check_races(warp, &mut shared.order, &accesses)
    }

    fn check_fresh(
        &mut self,
        tracking: &Tracking,
        offsets: &Row,
        x: &Checked,
    ) -> Result<(), Failed> {
        if x.reads
            && let Some(lane) = unwritten(x, offsets, |_, at| tracking.fresh.get(at, x.element))
        {
            let report = self.report(x.request, x.addresses[lane], lane);
            return fail(FaultKind::Stale(report), Some(lane as u32));
        }
        if x.request.write {
            let elements = x.request.bytes / x.element;
            for lane in lanes(x.lanes) {
                for n in 0..elements {
                    let at = offsets[lane] + u64::from(n * x.element);
                    tracking.kernel_writes(at, x.element);
                }
            }
            if self
                .noted
                .insert((self.pc, std::ptr::from_ref(tracking) as usize))
                && let Some(place) = self.machine.program.place(self.pc)
            {
                tracking.note_writer(place);
            }
        }
        Ok(())
    }

    fn check_written(&mut self, warp: &Warp, shared: &Shared, x: &Checked) -> Result<(), Failed> {
        let (space, offsets, lane) = match x.target {
            Target::Allocation(allocation, offsets) => match &allocation.written {
                Some(marks) => (
                    Space::Global,
                    offsets,
                    unwritten(x, offsets, |_, at| marks.get(at, x.element)),
                ),
                None => return Ok(()),
            },
            Target::Shared(offsets) => (
                Space::Shared,
                offsets,
                unwritten(x, offsets, |_, at| {
                    shared.written.get(at as usize, x.element)
                }),
            ),
            Target::Local(offsets) => (
                Space::Local,
                offsets,
                unwritten(x, offsets, |lane, at| {
                    warp.written[lane].get(at as usize, x.element)
                }),
            ),
            Target::Param(_) => return Ok(()),
        };
        let Some(lane) = lane else { return Ok(()) };
        let written = |lane: usize, at: u64| match x.target {
            Target::Allocation(allocation, _) => {
                allocation.written.as_ref().is_none_or(|m| m.get(at, 1))
            }
            Target::Shared(_) => shared.written.get(at as usize, 1),
            Target::Local(_) => warp.written[lane].get(at as usize, 1),
            Target::Param(_) => true,
        };
        if let Some(load) = x.load {
            self.unknown = self.unknown_bits(load, x.target, written, x.lanes);
            return Ok(());
        }
        let in_part = lanes(x.lanes).all(|lane| {
            let at = offsets[lane];
            (0..x.request.bytes).any(|n| written(lane, at + u64::from(n)))
        });
        if in_part {
            return Ok(());
        }
        let mut report = self.report(x.request, x.addresses[lane], lane);
        report.space = space;
        fail(FaultKind::Uninitialised(report), Some(lane as u32))
    }
}

/// The first lane that would read something that has not been written.
fn unwritten(x: &Checked, offsets: &Row, written: impl Fn(usize, u64) -> bool) -> Option<usize> {
    let elements = x.request.bytes / x.element;
    lanes(x.lanes).find(|lane| {
        (0..elements).any(|n| !written(*lane, offsets[*lane] + u64::from(n * x.element)))
    })
}

/// Marks what the lanes access.
fn mark(marks: &Marks, offsets: &Row, x: &Checked) {
    let elements = x.request.bytes / x.element;
    for lane in lanes(x.lanes) {
        (0..elements).for_each(|n| marks.set(offsets[lane] + u64::from(n * x.element), x.element));
    }
}

fn mark_written(warp: &mut Warp, shared: &mut Shared, x: &Checked) {
    match x.target {
        Target::Allocation(allocation, offsets) => {
            if let Some(marks) = &allocation.written {
                mark(marks, offsets, x);
            }
        }
        Target::Shared(offsets) => {
            lanes(x.lanes)
                .for_each(|lane| shared.written.set(offsets[lane] as usize, x.request.bytes));
        }
        Target::Local(offsets) => {
            lanes(x.lanes)
                .for_each(|lane| warp.written[lane].set(offsets[lane] as usize, x.request.bytes));
        }
        Target::Param(_) => {}
    }
}
