//! The simulated GPU: `ACC_DEVICE_TYPE=sim` runs the PTX of the program on the host's cores, with checks that a GPU does
//! not have.
//!
//! Launches and transfers are executed at once, whatever their queue: that is one of the orders in which a GPU may
//! execute them. What a kernel does wrong is reported with source line, variable and thread, and ends the program.
//!
//! | variable | meaning |
//! | --- | --- |
//! | `ACCRUE_SIM_GPU` | which GPU: `h100` (default), `a100`, … |
//! | `ACCRUE_SIM_CHECK` | what to look for, with commas: `default`, `all`, `none`, `uninitialised`, `races`, `convergence`, `stale` |
//! | `ACCRUE_SIM_SEED` | another number, another order of blocks and warps |
//! | `ACCRUE_SIM_STATS` | `1`: counters per kernel on stderr when the program ends |

mod fault;
mod host;
mod options;
mod stale;
mod stats;
mod texts;

use super::absent::Window;
use super::ptx;
use super::registry::{ByDefault, Driver, Found};
use super::simt::{self, Block, Launched, SCRATCH_HEAD};
use super::{Device, Fault, Launch, OutOfMemory, Properties, Queue};
use crate::abi::launch::MOST_GANGS;
use crate::abi::{self, FormKind, Kernel, SimtApart, SimtDisjoint};
use crate::device::device_type::DeviceType;
use crate::fatal::{self, fatal};
use crate::once::Once;
use crate::present::ranges::{Entry, Ranges};
use crate::site::SiteState;
use crate::words;
use accrue_ptx_sim::{AddressError, Gpu, Module, Options, Stats};
use stale::Watch;
use stats::Counters;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The simulated GPU.
pub const DRIVER: Driver = Driver {
    name: "simulated GPU",
    forms: &[FormKind::Ptx],
    types: &[DeviceType::Sim],
    by_default: ByDefault::No,
    always_there: true,
    find: || {
        Ok(vec![Found {
            device: Box::new(SimDevice::default()),
            types: &[DeviceType::Sim],
            by_default: false,
        }])
    },
    forget_thread: || {},
};

/// The device. It costs nothing until it is used.
#[derive(Default)]
struct SimDevice {
    state: Once<State>,
}

struct State {
    gpu: Gpu,
    options: Options,
    memory: Mutex<Memory>,
    /// For reports of data that is newer on the other side, if they are wanted.
    stale: Option<Arc<Mutex<Watch>>>,
    /// What was loaded of each module of the program, by its address.
    modules: Mutex<BTreeMap<usize, Module>>,
    /// Counters by kernel, for `ACCRUE_SIM_STATS`.
    stats: Option<Mutex<Counters>>,
}

#[derive(Default)]
struct Memory {
    ranges: Ranges,
    /// Scratch memory that no launch uses now: address and bytes.
    scratch: Vec<(u64, usize)>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An access from the host's side that the device refuses: the program has passed a wrong address.
fn wrong_address(error: &AddressError) -> ! {
    fatal::fatal_text(&format!("device sim:0: {error}"))
}

impl SimDevice {
    fn state(&self) -> &State {
        self.state.get_or_init(|| {
            let options::Settings { options, stale } = options::settings();
            let gpu = Gpu::new(options.clone());
            let stale: Option<Arc<Mutex<Watch>>> = stale.then(Arc::default);
            if let Some(stale) = &stale {
                host::watch(&gpu, stale);
            }
            State {
                stale,
                gpu,
                stats: options.count_memory.then(Mutex::default),
                options,
                memory: Mutex::default(),
                modules: Mutex::default(),
            }
        })
    }

    /// The text of the counters, if they are wanted.
    pub fn stats(&self) -> Option<String> {
        let stats = self.state.get()?.stats.as_ref()?;
        Some(lock(stats).table())
    }
}

impl State {
    /// The kernel, from its module, which is loaded at first use.
    fn kernel(&self, launch: &Launch<'_>, ptx: &abi::SimtKernel) -> accrue_ptx_sim::Kernel {
        let place = launch.site.place();
        let sm = self.sm();
        let Some((module, code)) = simt::module(ptx)
            .and_then(|module| Some((module, ptx::codes(module, sm).into_iter().next()?)))
        else {
            fatal(place, "this region has no code for the simulated GPU");
        };
        let mut modules = lock(&self.modules);
        let loaded = modules
            .entry(std::ptr::from_ref(module) as usize)
            .or_insert_with(|| {
                // SAFETY: the compiler's text is NUL-terminated.
                let text = unsafe { words::text(code.text) };
                let module = self.gpu.load(&text).unwrap_or_else(|error| {
                    fatal(
                        place,
                        format_args!(
                            "the simulator cannot load the GPU code of this file: {error}"
                        ),
                    )
                });
                self.tell_type(&module);
                module
            });
        // SAFETY: the name is NUL-terminated.
        let entry = unsafe { words::text(simt::entry(ptx, launch.disjoint)) };
        loaded.kernel(&entry).unwrap_or_else(|| {
            fatal(
                place,
                format_args!("the GPU code of this file has no kernel '{entry}'"),
            )
        })
    }

    /// `acc_on_device` in kernels is to be true for the simulator, and not for an NVIDIA GPU.
    fn tell_type(&self, module: &Module) {
        if let Some((address, _)) = module.variable("__accrue_device_type") {
            let own = (DeviceType::Sim as i32).to_le_bytes();
            if let Err(error) = self.gpu.write(address, &own) {
                wrong_address(&error);
            }
        }
    }

    fn sm(&self) -> u32 {
        let (major, minor) = self.options.model.capability;
        10 * major + minor
    }

    /// Scratch memory of at least so many bytes, whose head is zero.
    fn take_scratch(&self, bytes: usize, launch: &Launch<'_>) -> (u64, usize) {
        let mut memory = lock(&self.memory);
        let fits = memory.scratch.iter().position(|&(_, size)| size >= bytes);
        if let Some(index) = fits {
            return memory.scratch.swap_remove(index);
        }
        drop(memory);
        let address = self
            .gpu
            .alloc_labelled(bytes as u64, Some("scratch memory"));
        let Some(address) = address else {
            fatal::fatal_as(
                fatal::Error::OutOfMemory,
                launch.site.place(),
                format_args!("out of memory on device sim:0: {bytes} bytes of scratch memory"),
            );
        };
        if let Err(error) = self.gpu.fill(address, 0, SCRATCH_HEAD as u64) {
            wrong_address(&error);
        }
        (address, bytes)
    }

    fn count(&self, launch: &Launch<'_>, stats: Stats) {
        let Some(all) = &self.stats else {
            return;
        };
        // SAFETY: a kernel's name is NUL-terminated or null.
        let kernel = unsafe { words::text(launch.kernel.name) };
        let place = format!("{}:{} {kernel}", launch.site.file, launch.site.line);
        lock(all).add(place, stats);
    }
}

impl Device for SimDevice {
    fn name(&self) -> &str {
        "sim:0"
    }

    fn properties(&self) -> Properties {
        let state = self.state();
        let total = state.options.memory;
        Properties {
            total_memory: total as usize,
            free_memory: total.saturating_sub(state.gpu.used()) as usize,
            name: state.options.model.name,
            vendor: "accrue",
            driver: concat!("accrue ", env!("CARGO_PKG_VERSION")),
        }
    }

    fn shares_host_memory(&self) -> bool {
        false
    }

    fn init(&self) {
        self.state();
    }

    fn has_code(&self, kernel: &Kernel) -> bool {
        let module = ptx::kernel(kernel).and_then(simt::module);
        module.is_some_and(|module| !ptx::codes(module, self.state().sm()).is_empty())
    }

    fn apart(&self, kernel: &Kernel) -> Option<&'static SimtApart> {
        ptx::kernel(kernel).and_then(simt::apart)
    }

    fn disjoint(&self, kernel: &Kernel) -> Option<&'static SimtDisjoint> {
        ptx::kernel(kernel).and_then(simt::disjoint)
    }

    fn alloc(&self, bytes: usize) -> Result<usize, OutOfMemory> {
        let state = self.state();
        // Atomic accesses to 8 and 16 bits exchange the 32-bit word that they are in.
        let bytes = bytes.max(1);
        let padded = bytes.checked_next_multiple_of(4);
        let allocated = padded.and_then(|whole| Some((whole, state.gpu.alloc(whole as u64)?)));
        let Some((whole, address)) = allocated else {
            return Err(OutOfMemory {
                requested: bytes,
                in_use: state.gpu.used() as usize,
                total: state.options.memory as usize,
            });
        };
        let start = address as usize;
        let rest = (start + bytes) as u64;
        if let Err(error) = state.gpu.fill(rest, 0, (whole - bytes) as u64) {
            wrong_address(&error);
        }
        lock(&state.memory).ranges.insert(Entry {
            start,
            end: start + bytes,
            id: 0,
            generation: 0,
        });
        Ok(start)
    }

    fn set_label(&self, address: usize, label: &str) {
        // Names only make messages better.
        let _ = self.state().gpu.set_label(address as u64, Some(label));
    }

    fn mapped(&self, host: usize, address: usize, bytes: usize) {
        if let Some(stale) = &self.state().stale {
            lock(stale).begin(&self.state().gpu, host, address, bytes);
        }
    }

    unsafe fn free(&self, address: usize, _queue: Queue) {
        let state = self.state();
        if let Some(stale) = &state.stale {
            lock(stale).end(address);
        }
        lock(&state.memory).ranges.remove(address);
        if let Err(error) = state.gpu.free(address as u64) {
            wrong_address(&error);
        }
    }

    fn allocation(&self, address: usize) -> Option<(usize, usize)> {
        let state = self.state.get()?;
        let entry = lock(&state.memory).ranges.floor(address)?;
        (address <= entry.end).then_some((entry.start, entry.end - entry.start))
    }

    unsafe fn copy_in(&self, device: usize, host: usize, bytes: usize, _queue: Queue) {
        // SAFETY: the caller promises a valid range.
        let bytes = unsafe { std::slice::from_raw_parts(host as *const u8, bytes) };
        let state = self.state();
        if let Err(error) = state.gpu.write(device as u64, bytes) {
            wrong_address(&error);
        }
        if let Some(stale) = &state.stale {
            lock(stale).transferred(&state.gpu, host, device, bytes.len());
        }
    }

    unsafe fn copy_out(&self, host: usize, device: usize, bytes: usize, _queue: Queue) {
        // SAFETY: the caller promises a valid range.
        let bytes = unsafe { std::slice::from_raw_parts_mut(host as *mut u8, bytes) };
        let state = self.state();
        if let Err(error) = state.gpu.read(device as u64, bytes) {
            wrong_address(&error);
        }
        if let Some(stale) = &state.stale {
            lock(stale).transferred(&state.gpu, host, device, bytes.len());
        }
    }

    unsafe fn copy_within(&self, to: usize, from: usize, bytes: usize, _queue: Queue) {
        let copied = self.state().gpu.copy(to as u64, from as u64, bytes as u64);
        if let Err(error) = copied {
            wrong_address(&error);
        }
    }

    unsafe fn write_pointer(&self, device: usize, value: usize, _queue: Queue) {
        let written = self.state().gpu.write(device as u64, &value.to_le_bytes());
        if let Err(error) = written {
            wrong_address(&error);
        }
    }

    unsafe fn zero(&self, device: usize, bytes: usize, _queue: Queue) {
        if let Err(error) = self.state().gpu.fill(device as u64, 0, bytes as u64) {
            wrong_address(&error);
        }
    }

    unsafe fn launch(&self, launch: &Launch<'_>, queue: Queue) -> Result<(), Fault> {
        let state = self.state();
        let model = state.options.model;
        let Some(ptx) = ptx::kernel(launch.kernel) else {
            fatal(launch.site.place(), "this region has no GPU code");
        };
        simt::check_arguments(ptx, launch);
        let multiprocessors = u64::from(model.sms);
        let room = simt::Room {
            multiprocessors,
            threads: multiprocessors * u64::from(model.threads_per_sm),
            most: MOST_GANGS,
        };
        let chosen = simt::choose(ptx, launch, room);
        let kernel = state.kernel(launch, chosen.kernel);
        let most = kernel
            .max_block()
            .map_or(model.threads_per_block, |[x, y, z]| x * y * z);
        let block: Block = chosen.block(launch, most.min(model.threads_per_block));
        let shared = kernel.static_shared().saturating_add(block.dynamic_shared);
        let per_sm = model.resident_blocks(block.threads(), shared);
        let resident = u64::from(per_sm) * u64::from(model.sms);
        let grid = chosen.grid(launch, block, resident, MOST_GANGS);
        chosen.tell(self.name(), launch, grid, block);
        let _launch = simt::announce(self.name(), queue, launch, &chosen, || Launched {
            grid,
            block,
            shared: u64::from(shared),
            registers: None,
            local: None,
            occupancy: u64::from(per_sm) * u64::from(block.threads()) * 100
                / u64::from(model.threads_per_sm),
        });

        let scratch = match chosen.scratch_bytes(grid, block.workers) {
            Some(0) => None,
            Some(bytes) => Some(state.take_scratch(bytes, launch)),
            None => fatal(launch.site.place(), "the number of gangs is too large"),
        };
        if let Some(stale) = &state.stale {
            lock(stale).tell(&state.gpu);
        }
        let words = launch.args.iter().copied();
        let params: Vec<u8> = words
            .chain([scratch.map_or(0, |(address, _)| address)])
            .flat_map(u64::to_le_bytes)
            .collect();
        let result = state.gpu.launch(&accrue_ptx_sim::Launch {
            kernel: &kernel,
            grid,
            block: [block.vector, block.workers, 1],
            dynamic_shared: block.dynamic_shared,
            params: &params,
        });
        match result {
            Ok(stats) => {
                lock(&state.memory).scratch.extend(scratch);
                state.count(launch, stats);
                Ok(())
            }
            Err(fault) => Err(fault::report(&fault)),
        }
    }

    fn absent_pointer(&self, host: usize, site: &'static SiteState, var: usize) -> usize {
        if host == 0 || self.owns(host) {
            host
        } else {
            Window::NOWHERE.address(host, site, var)
        }
    }

    // Everything is executed at once, so that there is nothing to wait for.
    fn wait(&self, _queue: i32) {}
    fn wait_all(&self) {}
    fn wait_in_queue(&self, _queue: i32, _other: i32) {}
    fn wait_all_in_queue(&self, _queue: i32) {}
    fn is_idle(&self, _queue: i32) -> bool {
        true
    }
    fn all_idle(&self) -> bool {
        true
    }

    fn finish(&self) {
        if let Some(table) = self.stats() {
            let _ = std::io::stderr().write_all(table.as_bytes());
        }
    }

    fn freeze(&'static self) -> Box<dyn FnOnce(bool)> {
        let locks = self.state.get().map(|state| {
            let (stats, stale) = (
                state.stats.as_ref().map(lock),
                state.stale.as_deref().map(lock),
            );
            let outer = (lock(&state.modules), lock(&state.memory), stats, stale);
            // Last: who is at work there needs none of the others until it is done.
            (state.gpu.freeze(), outer)
        });
        Box::new(move |_in_child| drop(locks))
    }
}
