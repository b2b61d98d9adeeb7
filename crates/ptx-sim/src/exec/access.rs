//! Loads and stores: which memory, whether the access is allowed, the transfer.

use super::{
    Failed, Worker,
    call::lanes,
    checks::{Checked, Shared},
    fail,
    races::Kind,
    warp::{Frame, Warp},
};
use crate::{
    Access as Report, FaultKind, Nearest, Space, Stats, Traffic,
    alu::{Row, SINK, Src, ZERO_ROW, convert::extend},
    memory::{Allocation, GLOBAL, LOCAL, Lost, Origin, PARAM, SHARED, same_window},
    program::{Access, LOCAL_START, SHARED_START},
};
use std::sync::Arc;

/// An access by a warp, before its addresses are looked at.
#[derive(Clone, Copy)]
pub struct Request {
    pub space: Space,
    /// Bytes per lane.
    pub bytes: u32,
    pub write: bool,
    pub atomic: bool,
    pub slot: u32,
}

/// Where the lanes' memory is.
pub enum Target {
    /// All lanes in one allocation; the row has offsets into it.
    Allocation(Arc<Allocation>, Row),
    /// Offsets into the block's shared memory.
    Shared(Row),
    /// Offsets into the lane's local memory.
    Local(Row),
    /// Offsets into the parameters.
    Param(Row),
}

impl Worker<'_> {
    pub fn addresses(
        &self,
        warp: &Warp,
        address: Src,
        frame: bool,
        offset: i64,
        at: &Frame,
    ) -> Row {
        let base = warp.registers.src(address);
        let add = (offset as u64).wrapping_add(if frame { u64::from(at.local) } else { 0 });
        let mut out = ZERO_ROW;
        for l in 0..32 {
            out[l] = base[l].wrapping_add(add);
        }
        out
    }

    pub fn load(
        &mut self,
        warp: &mut Warp,
        shared: &mut Shared,
        x: &Access,
        frame: &Frame,
        active: u32,
    ) -> Result<(), Failed> {
        let addresses = self.addresses(warp, x.address, x.frame, x.offset, frame);
        let size = x.ty.bytes();
        let request = Request {
            space: x.space,
            bytes: size * x.count,
            write: false,
            atomic: false,
            slot: x.slot,
        };
        if x.strong {
            warp.strong += 1;
        }
        let mut left = active;
        while left != 0 {
            let (lanes_here, target) = self.resolve(warp, &request, &addresses, left, frame)?;
            left &= !lanes_here;
            if self.checking {
                let kind = match (x.strong, x.read_only) {
                    (true, _) => Kind::StrongRead,
                    (false, true) => Kind::ReadOnly,
                    (false, false) => Kind::Read,
                };
                let checked = Checked {
                    request: &request,
                    target: &target,
                    addresses: &addresses,
                    lanes: lanes_here,
                    element: size,
                    kind,
                    values: None,
                    reads: true,
                    load: Some(x),
                };
                self.check_access(warp, shared, &checked, frame)?;
            }
            for n in 0..x.count {
                let mut out = ZERO_ROW;
                let skip = u64::from(n * size);
                match &target {
                    Target::Allocation(allocation, offsets) => {
                        for lane in lanes(lanes_here) {
                            out[lane] = allocation.data.load(offsets[lane] + skip, size);
                        }
                    }
                    Target::Shared(offsets) => {
                        for lane in lanes(lanes_here) {
                            out[lane] = get(&shared.bytes, (offsets[lane] + skip) as usize, size);
                        }
                    }
                    Target::Local(offsets) => {
                        for lane in lanes(lanes_here) {
                            let at = lane * warp.stride as usize + (offsets[lane] + skip) as usize;
                            out[lane] = get(&warp.local, at, size);
                        }
                    }
                    Target::Param(offsets) => {
                        for lane in lanes(lanes_here) {
                            out[lane] =
                                get(self.machine.params, (offsets[lane] + skip) as usize, size);
                        }
                    }
                }
                if x.to[n as usize] != SINK {
                    if x.ty.signed() && x.width > x.ty.bits() {
                        out.iter_mut().for_each(|v| *v = extend(*v, x.ty, x.width));
                    }
                    warp.registers.put(x.to[n as usize], lanes_here, &out);
                }
            }
            if !self.unknown.is_empty() {
                let bits = std::mem::take(&mut self.unknown);
                self.note_unknown(warp, x, &request, &addresses, lanes_here, &bits);
            }
        }
        Ok(())
    }

    pub fn store(
        &mut self,
        warp: &mut Warp,
        shared: &mut Shared,
        x: &Access,
        frame: &Frame,
        active: u32,
    ) -> Result<(), Failed> {
        let addresses = self.addresses(warp, x.address, x.frame, x.offset, frame);
        let size = x.ty.bytes();
        if x.strong {
            warp.strong += 1;
        }
        let request = Request {
            space: x.space,
            bytes: size * x.count,
            write: true,
            atomic: false,
            slot: x.slot,
        };
        let mut left = active;
        while left != 0 {
            let (lanes_here, target) = self.resolve(warp, &request, &addresses, left, frame)?;
            left &= !lanes_here;
            if self.checking {
                let kind = if x.strong {
                    Kind::StrongWrite
                } else {
                    Kind::Write
                };
                let values = (x.count == 1).then(|| *warp.registers.src(x.from[0]));
                let checked = Checked {
                    request: &request,
                    target: &target,
                    addresses: &addresses,
                    lanes: lanes_here,
                    element: size,
                    kind,
                    values: values.as_ref(),
                    reads: false,
                    load: None,
                };
                self.check_access(warp, shared, &checked, frame)?;
            }
            if !warp.unknown.is_empty() {
                self.store_unknown(warp, shared, x, &target, lanes_here);
            }
            for n in 0..x.count {
                let values = *warp.registers.src(x.from[n as usize]);
                let skip = u64::from(n * size);
                match &target {
                    Target::Allocation(allocation, offsets) => {
                        for lane in lanes(lanes_here) {
                            allocation
                                .data
                                .store(offsets[lane] + skip, size, values[lane]);
                        }
                    }
                    Target::Shared(offsets) => {
                        for lane in lanes(lanes_here) {
                            put(
                                &mut shared.bytes,
                                (offsets[lane] + skip) as usize,
                                size,
                                values[lane],
                            );
                        }
                    }
                    Target::Local(offsets) => {
                        for lane in lanes(lanes_here) {
                            let at = lane * warp.stride as usize + (offsets[lane] + skip) as usize;
                            put(&mut warp.local, at, size, values[lane]);
                        }
                    }
                    Target::Param(_) => {}
                }
            }
        }
        Ok(())
    }

    /// Finds the memory that the first lanes access, and which lanes access the same.
    pub fn resolve(
        &mut self,
        warp: &Warp,
        request: &Request,
        addresses: &Row,
        active: u32,
        frame: &Frame,
    ) -> Result<(u32, Target), Failed> {
        let bytes = u64::from(request.bytes);
        let crooked = lanes(active).find(|l| addresses[*l] & (bytes - 1) != 0);
        if let Some(lane) = crooked {
            let report = self.report(request, addresses[lane], lane);
            return fail(FaultKind::Misaligned(report), Some(lane as u32));
        }
        let generic = lanes(active).find(|l| match request.space {
            Space::Shared => same_window(addresses[*l], SHARED),
            Space::Local => same_window(addresses[*l], LOCAL),
            Space::Global | Space::Const | Space::Param | Space::Generic => false,
        });
        if let Some(lane) = generic {
            let report = self.report(request, addresses[lane], lane);
            return fail(FaultKind::Generic(report), Some(lane as u32));
        }
        let first = active.trailing_zeros() as usize;
        let (space, base) = match request.space {
            Space::Generic => window(addresses[first]),
            Space::Param => (Space::Param, PARAM),
            other => (other, 0),
        };
        let here = match request.space {
            Space::Generic => lanes(active)
                .filter(|l| same_window(addresses[*l], addresses[first]))
                .fold(0, |m, l| m | 1 << l),
            Space::Global | Space::Shared | Space::Local | Space::Const | Space::Param => active,
        };
        let relative = || -> Row { std::array::from_fn(|l| addresses[l].wrapping_sub(base)) };
        // The bytes must be between `low` and `high`.
        let within = |offsets: &Row, low: u64, high: u64| {
            lanes(here)
                .find(|l| offsets[*l] < low || offsets[*l] > high || bytes > high - offsets[*l])
        };
        let (target, bad) = match space {
            Space::Global | Space::Const => return self.resolve_global(request, addresses, here),
            Space::Generic => return self.lost(request, addresses[first], first),
            Space::Shared => {
                // The window has 32 bits.
                let mut offsets = relative();
                offsets
                    .iter_mut()
                    .for_each(|o| *o = if base == 0 { *o & 0xffff_ffff } else { *o });
                let end =
                    SHARED_START + self.machine.program.static_shared + self.machine.dynamic_shared;
                let bad = within(&offsets, u64::from(SHARED_START), u64::from(end));
                if self.machine.options.count_memory {
                    count_shared(&mut self.stats, &offsets, here, request.bytes);
                }
                (Target::Shared(offsets), bad)
            }
            Space::Local => {
                let offsets = relative();
                let bad = within(&offsets, u64::from(LOCAL_START), u64::from(frame.end));
                debug_assert!(frame.end <= warp.stride);
                (Target::Local(offsets), bad)
            }
            Space::Param => {
                let offsets = relative();
                let bad = within(&offsets, 0, self.machine.params.len() as u64);
                if request.write {
                    let report = self.report(request, addresses[first], first);
                    return fail(FaultKind::ReadOnly(report), Some(first as u32));
                }
                (Target::Param(offsets), bad)
            }
        };
        match bad {
            None => Ok((here, target)),
            Some(lane) => {
                let mut report = self.report(request, addresses[lane], lane);
                report.space = space;
                fail(FaultKind::OutOfBounds(report), Some(lane as u32))
            }
        }
    }

    fn resolve_global(
        &mut self,
        request: &Request,
        addresses: &Row,
        active: u32,
    ) -> Result<(u32, Target), Failed> {
        let bytes = u64::from(request.bytes);
        let (mut low, mut high) = (u64::MAX, 0);
        for lane in lanes(active) {
            low = low.min(addresses[lane]);
            high = high.max(addresses[lane]);
        }
        if self.machine.options.count_memory {
            let traffic = if request.write {
                &mut self.stats.global_stores
            } else {
                &mut self.stats.global_loads
            };
            count_global(traffic, addresses, active, bytes);
        }
        let span = (high - low).saturating_add(bytes);
        let cached = self.cache[request.slot as usize]
            .as_ref()
            .filter(|a| a.holds(low, span));
        let (here, allocation) = match cached {
            Some(allocation) => (active, allocation.clone()),
            None => {
                // Only the lanes in the allocation of the first one.
                let first = active.trailing_zeros() as usize;
                let Some(allocation) = self.machine.memory.find(addresses[first], bytes) else {
                    return self.lost(request, addresses[first], first);
                };
                let here = lanes(active)
                    .filter(|l| allocation.holds(addresses[*l], bytes))
                    .fold(0, |m, l| m | 1 << l);
                if here >> first & 1 == 0 {
                    return self.lost(request, addresses[first], first);
                }
                self.cache[request.slot as usize] = Some(allocation.clone());
                (here, allocation)
            }
        };
        if request.write && allocation.origin == Origin::Constant {
            let lane = here.trailing_zeros();
            let report = self.report(request, addresses[lane as usize], lane as usize);
            return fail(FaultKind::ReadOnly(report), Some(lane));
        }
        let base = allocation.base;
        Ok((
            here,
            Target::Allocation(
                allocation,
                std::array::from_fn(|l| addresses[l].wrapping_sub(base)),
            ),
        ))
    }

    /// The fault of an access to an address where nothing is.
    fn lost<T>(&self, request: &Request, address: u64, lane: usize) -> Result<T, Failed> {
        let report = self.report(request, address, lane);
        let kind = match self.machine.memory.lost(address) {
            Lost { freed: true, .. } => FaultKind::UseAfterFree(report),
            Lost { freed: false, .. } => FaultKind::OutOfBounds(report),
        };
        fail(kind, Some(lane as u32))
    }

    pub fn report(&self, request: &Request, address: u64, _lane: usize) -> Report {
        let nearest = match request.space {
            Space::Generic | Space::Shared if same_window(address, SHARED) => {
                self.nearest_shared(address.wrapping_sub(SHARED))
            }
            Space::Global | Space::Const | Space::Generic => {
                self.machine.memory.lost(address).nearest
            }
            Space::Shared => self.nearest_shared(address & 0xffff_ffff),
            Space::Local | Space::Param => None,
        };
        Report {
            space: request.space,
            address,
            bytes: request.bytes,
            write: request.write,
            atomic: request.atomic,
            nearest,
        }
    }

    fn nearest_shared(&self, offset: u64) -> Option<Nearest> {
        let distance = |n: &Nearest| {
            if n.offset < 0 {
                n.offset.unsigned_abs()
            } else {
                (n.offset as u64).saturating_sub(n.bytes)
            }
        };
        let variables = self
            .machine
            .program
            .shared_variables
            .iter()
            .map(|v| Nearest {
                base: u64::from(v.offset),
                bytes: u64::from(v.bytes),
                label: Some(v.name.clone()),
                offset: offset as i64 - i64::from(v.offset),
            });
        variables.min_by_key(distance)
    }
}

/// The memory that a generic address is in, and what is to be subtracted from it.
fn window(address: u64) -> (Space, u64) {
    let windows = [
        (GLOBAL, Space::Global, 0),
        (SHARED, Space::Shared, SHARED),
        (LOCAL, Space::Local, LOCAL),
        (PARAM, Space::Param, PARAM),
    ];
    let window = windows.iter().find(|w| same_window(address, w.0));
    window.map_or((Space::Generic, 0), |(_, space, base)| (*space, *base))
}

fn get(memory: &[u8], at: usize, size: u32) -> u64 {
    let mut out = [0; 8];
    let size = size as usize;
    out[..size].copy_from_slice(&memory[at..at + size]);
    u64::from_le_bytes(out)
}

fn put(memory: &mut [u8], at: usize, size: u32, value: u64) {
    let size = size as usize;
    memory[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
}

/// Sectors of 32 bytes that the lanes touch.
fn count_global(traffic: &mut Traffic, addresses: &Row, active: u32, bytes: u64) {
    traffic.requests += 1;
    traffic.bytes += bytes * u64::from(active.count_ones());
    let mut sectors = [0u64; 32];
    let mut count = 0;
    let mut sorted = true;
    for lane in lanes(active) {
        sectors[count] = addresses[lane] / 32;
        sorted &= count == 0 || sectors[count - 1] <= sectors[count];
        count += 1;
    }
    let sectors = &mut sectors[..count];
    if !sorted {
        sectors.sort_unstable();
    }
    let mut last = None;
    for sector in sectors.iter() {
        traffic.sectors += u64::from(last != Some(*sector));
        last = Some(*sector);
    }
}

/// Shared memory has 32 banks of 4 bytes; lanes that want different words of one bank take turns.
fn count_shared(stats: &mut Stats, offsets: &Row, active: u32, bytes: u32) {
    stats.shared_requests += 1;
    // Wide accesses go in parts of 128 bytes: half warps for 8 bytes, quarter warps for 16.
    let per_part = (128 / bytes.max(4)).clamp(1, 32) as usize;
    let words_per_lane = u64::from(bytes.div_ceil(4));
    for part in (0..32).step_by(per_part) {
        let mut words: Vec<u64> = (part..(part + per_part).min(32))
            .filter(|l| active >> l & 1 != 0)
            .flat_map(|l| (0..words_per_lane).map(move |w| offsets[l] / 4 + w))
            .collect();
        words.sort_unstable();
        words.dedup();
        let mut banks = [0u64; 32];
        words.iter().for_each(|w| banks[(w % 32) as usize] += 1);
        stats.bank_conflicts += banks.iter().max().copied().unwrap_or(0).saturating_sub(1);
    }
}
