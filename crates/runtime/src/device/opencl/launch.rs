//! The launch of a kernel: which version, in what shape, with what scratch memory.

use super::arena::StreamKey;
use super::kernel::Armed;
use super::queue::Stream;
use super::status::Result;
use super::{OpenClDevice, kernel, text};
use crate::abi::launch::{self as rules, Block};
use crate::abi::{
    KERNEL_GANG_LOOP, KERNEL_SINGLE_GANG, SIMT_OWN_GANG_LOOP, SIMT_WORKERS, SimtKernel,
};
use crate::device::simt::{self, Launched, SCRATCH_HEAD, scratch};
use crate::device::{Fault, Launch, Queue};
use crate::fatal::fatal;
use crate::site::SiteState;
use std::sync::atomic::Ordering::Release;

/// Work items of a group of the launches that bring records together.
const HALVING_LANES: u32 = 64;
/// Groups that run on a core of a CPU, one after another: some may be longer than others.
const OF_A_CORE: u64 = 4;

/// The groups in each dimension of a launch on so many cores, as on those of the host.
fn gangs_on_cores(code: &SimtKernel, launch: &Launch<'_>, cores: u64) -> [u32; 3] {
    let site = launch.site.kind;
    let flags = match code.flags & SIMT_OWN_GANG_LOOP {
        0 => launch.kernel.flags,
        _ => launch.kernel.flags & !KERNEL_SINGLE_GANG | KERNEL_GANG_LOOP,
    };
    let gangs = rules::on_cores(site, flags, launch.gangs, || cores);
    let gangs = match rules::Code::from(code).gang_dims().contains(&true) {
        true => gangs,
        false => [gangs.iter().product(), 1, 1],
    };
    gangs.map(|gangs| u32::try_from(gangs).unwrap_or(u32::MAX))
}

impl OpenClDevice {
    /// # Safety
    /// As for [`crate::device::Device::launch`].
    pub(super) unsafe fn launch_kernel(
        &self,
        launch: &Launch<'_>,
        queue: Queue,
    ) -> std::result::Result<(), Fault> {
        let active = self.active();
        let Some(code) = self.code(launch.kernel) else {
            fatal(launch.site.place(), "this region has no code for OpenCL");
        };
        simt::check_arguments(code, launch);
        let units = self.facts.compute_units;
        let room = simt::Room {
            multiprocessors: units,
            threads: match self.facts.is_gpu() {
                true => units * self.facts.held,
                false => units,
            },
            most: u64::MAX,
        };
        let chosen = simt::choose(code, launch, room);
        let launch = &Launch {
            disjoint: launch.disjoint && self.has_pointers(chosen.kernel, launch.args),
            ..*launch
        };
        let loaded = self.loaded(chosen.kernel, launch.disjoint, launch.site);
        // A kernel that is for one number of lanes has said so to the driver, which takes no other then, whatever it says of kernels in general:
        // NVIDIA's says 256 of one for 512.
        let group = match chosen.kernel.flags & SIMT_WORKERS {
            0 => loaded.group.max(chosen.kernel.vector),
            _ => loaded.group,
        };
        let for_cores = text::is_for_cores(code);
        let block = match for_cores {
            true => Block {
                vector: 1,
                workers: 1,
                dynamic_shared: 0,
            },
            false => chosen.block(launch, group),
        };
        if block.threads() > group {
            fatal(
                launch.site.place(),
                format_args!(
                    "device {} runs at most {} work items of this kernel in a group, and it needs {}; use fewer workers or \
                     a shorter vector_length, or ACC_DEVICE_TYPE=host",
                    self.name,
                    group,
                    block.threads()
                ),
            );
        }
        let of_a_unit = match self.facts.is_gpu() {
            true => (self.facts.held / u64::from(block.threads())).max(1),
            false => OF_A_CORE,
        };
        let grid = match for_cores {
            true => gangs_on_cores(code, launch, units),
            false => chosen.grid(launch, block, units * of_a_unit, u64::MAX),
        };
        if !for_cores {
            chosen.tell(&self.name, launch, grid, block);
        }
        let _launch = simt::announce(&self.name, queue, launch, &chosen, || Launched {
            grid,
            block,
            shared: loaded.local,
            registers: None,
            local: u32::try_from(loaded.private).ok(),
            occupancy: match self.facts.is_gpu() {
                true => of_a_unit * u64::from(block.threads()) * 100 / self.facts.held,
                false => 100,
            },
        });
        let Some(bytes) = chosen.scratch_bytes(grid, block.workers) else {
            fatal(launch.site.place(), "the number of gangs is too large");
        };
        let stream = active.stream(queue);
        if loaded.prints {
            // Some drivers write past C's buffers.
            // SAFETY: null stands for all streams of the program.
            unsafe { libc::fflush(std::ptr::null_mut()) };
        }
        let held = scratch::hold(&stream.scratch, bytes, |old| {
            self.renew_scratch(old, bytes, stream, launch.site)
        });
        if loaded.has_heap {
            self.tell_heap(stream, held.address());
        }
        let shape = [grid, [block.vector, block.workers, 1]];
        // SAFETY: the parameters are those of the kernel's declaration, see `SimtKernel`.
        let launched = unsafe {
            let words = launch.args.iter().copied();
            self.enqueue(stream, loaded, words, held.address(), shape, launch.site)
                .and_then(|()| self.halve(stream, loaded, grid, held.address(), launch.site))
        };
        stream.launches.note(launch.site, launch.kernel);
        if let Err(status) = launched {
            active.failed(status, chosen.doing(launch, grid, block));
        }
        // Functions of the text that this kernel does not call may have assertions as well.
        if loaded.assertions.is_empty() || held.address() == 0 {
            return Ok(());
        }
        let scratch = usize::try_from(held.address()).unwrap_or_default();
        match self.failed_assertion(stream, &loaded.assertions, scratch) {
            Some(fault) => Err(fault),
            None => Ok(()),
        }
    }

    /// Whether the words that the fast version takes as pointers lead into memory. One from which a section begins much further on may lead in
    /// front of all memory: the other version takes it as a number, and NVIDIA's driver refuses it as a pointer.
    fn has_pointers(&self, code: &SimtKernel, words: &[u64]) -> bool {
        let read = simt::disjoint(code).map_or(0, |version| version.read_words);
        let words = (0..).zip(words.iter().copied());
        let pointers = words
            .filter(|(index, word)| *word != 0 && read.checked_shr(*index).unwrap_or(0) & 1 != 0);
        self.active().arena.has_all(pointers.map(|(_, word)| word))
    }

    /// Sets the arguments and puts the kernel into the queue, with [groups, work items of a group].
    ///
    /// # Safety
    /// The kernel takes the words of the launch and the address of scratch memory.
    unsafe fn enqueue(
        &self,
        stream: &Stream,
        loaded: &kernel::Loaded,
        words: impl Iterator<Item = u64>,
        scratch: u64,
        [groups, local]: [[u32; 3]; 2],
        site: &'static SiteState,
    ) -> Result<()> {
        let active = self.active();
        let opencl = active.opencl;
        let mut armed = loaded.kernel();
        {
            let reached = active.arena.reached();
            if armed.told != reached.changes {
                // An address may have become one of other memory.
                armed.words.clear();
                if !reached.memory.is_empty() {
                    opencl.set_reached(armed.kernel, &reached.memory)?;
                }
                armed.told = reached.changes;
            }
        }
        let Armed {
            kernel,
            words: known,
            ..
        } = &mut *armed;
        for (index, word) in (0..).zip(words.chain([scratch])) {
            // A call that fails ends the program: what is noted is so.
            match known.get_mut(index as usize) {
                Some(known) if *known == word => continue,
                Some(known) => *known = word,
                None => known.push(word),
            }
            match loaded.pointers.checked_shr(index).unwrap_or(0) & 1 {
                0 => opencl.set_word(*kernel, index, word)?,
                _ => opencl.set_pointer(*kernel, index, word)?,
            }
        }
        let mut timed = None;
        stream.put(opencl, |queue| {
            // SAFETY: passed on to the caller.
            timed = unsafe { opencl.launch(queue, *kernel, groups, local, active.timed) }?;
            Ok(())
        })?;
        match timed {
            Some(event) => stream.time(opencl, event, site),
            None => Ok(()),
        }
    }

    /// Brings together the records that the gangs of a launch of `loaded` leave in scratch memory: each of these launches halves
    /// their number, and the last one adds what is left to the results.
    ///
    /// # Safety
    /// The records are those of the launch before in this queue.
    unsafe fn halve(
        &self,
        stream: &Stream,
        loaded: &kernel::Loaded,
        gangs: [u32; 3],
        scratch: u64,
        site: &'static SiteState,
    ) -> Result<()> {
        let Some(halving) = &loaded.halving else {
            return Ok(());
        };
        let lanes = halving.group.min(HALVING_LANES);
        let mut records: u64 = gangs.into_iter().map(u64::from).product();
        while records > 1 {
            let left = records.div_ceil(2);
            let groups = (records - left).div_ceil(u64::from(lanes));
            let groups = u32::try_from(groups).unwrap_or(u32::MAX);
            let shape = [[groups, 1, 1], [lanes, 1, 1]];
            // SAFETY: the kernel takes the number of records; the rest is passed on to the caller.
            unsafe { self.enqueue(stream, halving, [records].into_iter(), scratch, shape, site) }?;
            records = left;
        }
        Ok(())
    }

    /// Scratch memory of so many bytes, whose head is zero, for the next kernel in the queue, instead of that at `old`.
    fn renew_scratch(
        &self,
        old: usize,
        bytes: usize,
        stream: &'static Stream,
        site: &'static SiteState,
    ) -> usize {
        let used = self.used();
        stream.heap_told.store(0, Release);
        if old != 0 {
            used.memory.free(old, Some(StreamKey(stream)));
        }
        let address = used
            .memory
            .alloc(bytes)
            .unwrap_or_else(|error| scratch::no_memory(&self.name, bytes, error, site));
        let opencl = used.active.opencl;
        let head = bytes.min(SCRATCH_HEAD);
        // SAFETY: the memory is new and as large.
        let cleared = stream.put(opencl, |queue| unsafe {
            used.active.fill(queue, address, &[0], head)
        });
        if let Err(status) = cleared {
            used.active.failed(status, "clearing scratch memory");
        }
        address
    }
}
