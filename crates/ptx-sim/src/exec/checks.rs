//! What the checkers do at an access: uninitialised reads, reads of what the host has newer values of, and the races of `races`.

use super::{
    Failed, Worker,
    access::{Request, Target},
    call::lanes,
    fail,
    races::{Accesses, Kind, Order},
    warp::Warp,
};
use crate::{
    FaultKind, Space,
    alu::Row,
    memory::marks::{Marks, OwnMarks},
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
}

impl Worker<'_> {
    /// Called before the access takes place.
    pub fn check_access(
        &mut self,
        warp: &mut Warp,
        shared: &mut Shared,
        x: &Checked,
    ) -> Result<(), Failed> {
        let checks = self.machine.options.checks;
        if checks.uninitialised {
            if x.reads {
                self.check_written(warp, shared, x)?;
            }
            if x.request.write {
                mark_written(warp, shared, x);
            }
        }
        if let Target::Allocation(allocation, offsets) = x.target
            && let Some(fresh) = allocation.fresh()
        {
            self.check_fresh(fresh, offsets, x)?;
        }
        if checks.races {
            let (addresses, in_shared) = match x.target {
                Target::Allocation(..) => (x.addresses, false),
                Target::Shared(offsets) => (offsets, true),
                Target::Local(_) | Target::Param(_) => return Ok(()),
            };
            if matches!(x.kind, Kind::StrongRead | Kind::StrongWrite) {
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

    fn check_fresh(&self, fresh: &Marks, offsets: &Row, x: &Checked) -> Result<(), Failed> {
        if x.reads
            && let Some(lane) = unwritten(x, offsets, |_, at| fresh.get(at, x.element))
        {
            let report = self.report(x.request, x.addresses[lane], lane);
            return fail(FaultKind::Stale(report), Some(lane as u32));
        }
        if x.request.write {
            mark(fresh, offsets, x);
        }
        Ok(())
    }

    fn check_written(&self, warp: &Warp, shared: &Shared, x: &Checked) -> Result<(), Failed> {
        let (space, lane) = match x.target {
            Target::Allocation(allocation, offsets) => match &allocation.written {
                Some(marks) => (
                    Space::Global,
                    unwritten(x, offsets, |_, at| marks.get(at, x.element)),
                ),
                None => return Ok(()),
            },
            Target::Shared(offsets) => (
                Space::Shared,
                unwritten(x, offsets, |_, at| {
                    shared.written.get(at as usize, x.element)
                }),
            ),
            Target::Local(offsets) => (
                Space::Local,
                unwritten(x, offsets, |lane, at| {
                    warp.written[lane].get(at as usize, x.element)
                }),
            ),
            Target::Param(_) => return Ok(()),
        };
        let Some(lane) = lane else { return Ok(()) };
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
