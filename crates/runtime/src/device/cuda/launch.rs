//! The launch of a kernel: which version, in what shape, with what scratch memory.

use super::CudaDevice;
use super::allocator::StreamKey;
use super::stream::Stream;
use crate::device::ptx;
use crate::device::simt::{self, Launched, SCRATCH_HEAD, scratch};
use crate::device::{Fault, Launch, Queue};
use crate::fatal::fatal;
use crate::site::SiteState;
use std::ffi::c_void;

impl CudaDevice {
    /// # Safety
    /// As for [`crate::device::Device::launch`].
    pub(super) unsafe fn launch_kernel(
        &self,
        launch: &Launch<'_>,
        queue: Queue,
    ) -> Result<(), Fault> {
        let used = self.used();
        let gpu = used.gpu;
        let _entered = gpu.enter();
        let Some(ptx) = ptx::kernel(launch.kernel) else {
            fatal(launch.site.place(), "this region has no GPU code");
        };
        simt::check_arguments(ptx, launch);
        let multiprocessors = u64::from(self.multiprocessors);
        let room = simt::Room {
            multiprocessors,
            threads: multiprocessors * u64::from(self.threads_per_multiprocessor),
            most: u64::MAX,
        };
        let chosen = simt::choose(ptx, launch, room);
        let loaded = self.loaded(chosen.kernel, launch.disjoint, launch.site);
        let block = chosen.block(launch, loaded.max_threads);
        let per_multiprocessor = self.resident_blocks(loaded, block, launch.site);
        let resident = u64::from(per_multiprocessor) * u64::from(self.multiprocessors);
        let grid = chosen.grid(launch, block, resident, u64::MAX);
        chosen.tell(&self.name, launch, grid, block);
        let _launch = simt::announce(&self.name, queue, launch, &chosen, || Launched {
            grid,
            block,
            shared: u64::from(loaded.static_shared) + u64::from(block.dynamic_shared),
            registers: Some(loaded.registers),
            local: Some(loaded.local),
            occupancy: u64::from(per_multiprocessor) * u64::from(block.threads()) * 100
                / u64::from(self.threads_per_multiprocessor),
        });
        let Some(bytes) = chosen.scratch_bytes(grid, block.workers) else {
            fatal(launch.site.place(), "the number of gangs is too large");
        };
        let stream = gpu.stream(queue);
        let held = scratch::hold(&stream.scratch, bytes, |old| {
            self.renew_scratch(old, bytes, stream, launch.site)
        });
        let mut scratch = held.address();
        let args = launch.args.as_ptr().cast_mut().cast::<c_void>();
        let scratch = (&raw mut scratch).cast::<c_void>();
        let (mut both, mut alone) = ([args, scratch], [scratch]);
        let parameters = if launch.args.is_empty() {
            &mut alone[..]
        } else {
            &mut both[..]
        };
        // SAFETY: the parameters are those of the kernel's declaration, see `SimtKernel`.
        let launched = stream.put(|handle| unsafe {
            self.driver.launch(
                loaded.function,
                grid,
                [block.vector, block.workers],
                block.dynamic_shared,
                handle,
                parameters,
            )
        });
        stream.launches.note(launch.site, launch.kernel);
        if let Err(status) = launched {
            gpu.failed(status, chosen.doing(launch, grid, block));
        }
        Ok(())
    }

    /// Scratch memory of so many bytes, whose head is zero, for the next kernel in the stream, instead of that at `old`.
    fn renew_scratch(
        &self,
        old: usize,
        bytes: usize,
        stream: &Stream,
        site: &'static SiteState,
    ) -> usize {
        let used = self.used();
        if old != 0 {
            let key = StreamKey(stream.handle().0 as usize);
            used.memory.free(old, Some(key));
        }
        let address = used
            .memory
            .alloc(bytes)
            .unwrap_or_else(|error| scratch::no_memory(&self.name, bytes, error, site));
        let head = bytes.min(SCRATCH_HEAD);
        // SAFETY: the memory is new and as large.
        if let Err(status) = stream.put(|handle| unsafe { self.driver.zero(address, head, handle) })
        {
            used.gpu.failed(status, "clearing scratch memory");
        }
        address
    }
}
