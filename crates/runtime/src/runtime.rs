//! The process-wide state: the devices with their present tables, and the internal control
//! variables of each host thread (OpenACC 3.4, 2.3).
//!
//! Made at the first directive or routine that needs a device; linking the library alone touches nothing. The CPU and
//! the simulated GPU always exist and cost nothing until they are used; NVIDIA GPUs are looked for when they are first
//! asked for, by `ACC_DEVICE_TYPE`, by the program, or because nothing else was asked for.

use crate::abi::{ASYNC_DEFAULT, ASYNC_NOVAL, ASYNC_SYNC};
use crate::device::cpu::CpuDevice;
use crate::device::sim::SimDevice;
use crate::device::{Device, Queue, cuda};
use crate::device_type::DeviceType;
use crate::fatal::{self, Place, fatal};
use crate::image;
use crate::present::table::PresentTable;
use std::cell::Cell;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// One device with what is present on it.
pub struct DeviceState {
    pub device: Box<dyn Device>,
    /// What [`crate::api`] reports for it.
    pub device_type: DeviceType,
    table: Mutex<PresentTable>,
}

impl DeviceState {
    fn new(device: impl Device + 'static, device_type: DeviceType) -> DeviceState {
        DeviceState {
            device: Box::new(device),
            device_type,
            table: Mutex::default(),
        }
    }

    /// Exclusive use of the present table. Tasks in queues never take this lock, so waiting for
    /// queues is allowed while it is held.
    pub fn lock(&self) -> MutexGuard<'_, PresentTable> {
        if fatal::dying() {
            // An exit handler of the program uses the device, after a fatal error that may have
            // happened with the table locked.
            fatal::leave();
        }
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Names a device for the life of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceIndex {
    Cpu,
    Sim,
    Nvidia(usize),
}

/// The NVIDIA GPUs, or why there are none.
struct Nvidia {
    devices: Vec<DeviceState>,
    problem: Option<cuda::Problem>,
}

/// All devices.
pub struct Runtime {
    cpu: DeviceState,
    sim: DeviceState,
    nvidia: OnceLock<Nvidia>,
    /// `ACC_DEVICE_TYPE`; [`DeviceType::Default`] when it does not say.
    wanted: DeviceType,
    /// The device that every thread starts with.
    initial: OnceLock<DeviceIndex>,
}

static RUNTIME: OnceLock<Runtime> = OnceLock::new();

thread_local! {
    /// None: the thread has not chosen.
    static DEVICE: Cell<Option<DeviceIndex>> = const { Cell::new(None) };
    static DEFAULT_ASYNC: Cell<i64> = const { Cell::new(ASYNC_DEFAULT) };
}

/// The runtime, started if need be.
pub fn get() -> &'static Runtime {
    let runtime = RUNTIME.get_or_init(start);
    crate::fork::install();
    runtime
}

/// The runtime if it was started.
pub fn started() -> Option<&'static Runtime> {
    RUNTIME.get()
}

fn start() -> Runtime {
    let cpu = CpuDevice::from_environment();
    let cpu_type = if cpu.shares_host_memory() {
        DeviceType::Host
    } else {
        DeviceType::Cpu
    };
    let mut runtime = Runtime {
        cpu: DeviceState::new(cpu, cpu_type),
        sim: DeviceState::new(SimDevice::default(), DeviceType::Sim),
        nvidia: OnceLock::new(),
        wanted: DeviceType::Default,
        initial: OnceLock::new(),
    };
    read_environment(&mut runtime);
    // SAFETY: the handler is a plain function that stays loaded.
    unsafe { libc::atexit(finish_at_exit) };
    runtime
}

/// Reads `ACC_DEVICE_TYPE` and `ACC_DEVICE_NUM` (OpenACC 3.4, 4.1 and 4.2) and finds the device to start with.
fn read_environment(runtime: &mut Runtime) {
    if let Ok(text) = std::env::var("ACC_DEVICE_TYPE") {
        let Some(wanted) = DeviceType::from_environment(&text) else {
            fatal::fatal_text(&format!(
                "ACC_DEVICE_TYPE={text}: unknown device type; available is: {}",
                runtime.available()
            ));
        };
        runtime.wanted = wanted;
        if runtime.numbers_of(wanted).is_empty() {
            fatal::fatal_text(&format!(
                "ACC_DEVICE_TYPE={text}: {}; available is: {}",
                runtime.why_none(wanted),
                runtime.available()
            ));
        }
    }
    let candidates = runtime.numbers_of(DeviceType::Default);
    let number = match std::env::var("ACC_DEVICE_NUM") {
        Err(_) => 0,
        Ok(text) => match text.trim().parse::<usize>() {
            Ok(number) if number < candidates.len() => number,
            Ok(_) | Err(_) => fatal::fatal_text(&format!(
                "ACC_DEVICE_NUM={text}: there is no such device; available is: {}",
                runtime.available()
            )),
        },
    };
    let _ = runtime.initial.set(candidates[number]);
}

/// Work still in queues when the program ends is completed.
pub extern "C" fn finish_pending_work() {
    if fatal::dying() || fatal::on_library_thread() {
        return;
    }
    if let Some(runtime) = started() {
        for state in runtime.existing() {
            state.device.wait_all();
        }
    }
}

extern "C" fn finish_at_exit() {
    finish_pending_work();
    if fatal::dying() || fatal::on_library_thread() {
        return;
    }
    if let Some(runtime) = started() {
        for state in runtime.existing() {
            state.device.finish();
        }
    }
}

impl Runtime {
    fn nvidia(&self) -> &Nvidia {
        self.nvidia.get_or_init(|| match cuda::devices() {
            Ok(devices) => Nvidia {
                devices: devices
                    .into_iter()
                    .map(|device| DeviceState::new(device, DeviceType::Nvidia))
                    .collect(),
                problem: None,
            },
            Err(problem) => Nvidia {
                devices: Vec::new(),
                problem: Some(problem),
            },
        })
    }

    /// The device with this index.
    pub fn device(&self, index: DeviceIndex) -> &DeviceState {
        match index {
            DeviceIndex::Cpu => &self.cpu,
            DeviceIndex::Sim => &self.sim,
            DeviceIndex::Nvidia(number) => &self.nvidia().devices[number],
        }
    }

    /// The host's cores as a device.
    pub fn cpu(&self) -> &DeviceState {
        &self.cpu
    }

    /// All devices that the process may have used.
    pub fn existing(&self) -> impl Iterator<Item = &DeviceState> {
        let nvidia = self.nvidia.get().map_or(&[][..], |nvidia| &nvidia.devices);
        nvidia.iter().chain([&self.cpu, &self.sim])
    }

    /// The devices that a type stands for, in order.
    ///
    /// The default type is that of `ACC_DEVICE_TYPE`; where that says nothing, NVIDIA GPUs if there are any and the
    /// program has code for them, else the CPU.
    pub fn numbers_of(&self, device_type: DeviceType) -> Vec<DeviceIndex> {
        let nvidia = || (0..self.nvidia().devices.len()).map(DeviceIndex::Nvidia);
        match device_type {
            DeviceType::None | DeviceType::Radeon | DeviceType::OpenCl => Vec::new(),
            DeviceType::Host => vec![DeviceIndex::Cpu],
            DeviceType::Cpu if self.cpu.device_type == DeviceType::Cpu => vec![DeviceIndex::Cpu],
            DeviceType::Cpu => Vec::new(),
            DeviceType::Sim => vec![DeviceIndex::Sim],
            DeviceType::Nvidia => nvidia().collect(),
            DeviceType::Current => match self.initial.get() {
                Some(_) => self.numbers_of(self.device(current_index(self)).device_type),
                None => Vec::new(),
            },
            DeviceType::Default if self.wanted == DeviceType::Default => self.best(),
            DeviceType::Default => self.numbers_of(self.wanted),
            DeviceType::NotHost => {
                let mut all: Vec<_> = nvidia().collect();
                if self.wanted == DeviceType::Sim {
                    all.push(DeviceIndex::Sim);
                }
                if self.cpu.device_type == DeviceType::Cpu {
                    all.push(DeviceIndex::Cpu);
                }
                all
            }
        }
    }

    /// What the program gets that has not asked for anything.
    fn best(&self) -> Vec<DeviceIndex> {
        if !image::may_use_gpu() {
            return vec![DeviceIndex::Cpu];
        }
        let nvidia = self.nvidia();
        if let Some(problem) = &nvidia.problem
            && problem.is_surprising()
        {
            static ONCE: std::sync::Once = std::sync::Once::new();
            ONCE.call_once(|| {
                eprintln!(
                    "accrue: warning: NVIDIA GPUs are not used: {problem}; regions run on the CPU \
                     (ACC_DEVICE_TYPE=host hides this message)"
                );
            });
        }
        if nvidia.devices.is_empty() {
            vec![DeviceIndex::Cpu]
        } else {
            self.numbers_of(DeviceType::Nvidia)
        }
    }

    /// Why there is no device of a type.
    fn why_none(&self, device_type: DeviceType) -> String {
        let asked = device_type == DeviceType::Nvidia;
        match asked.then(|| self.nvidia().problem.as_ref()).flatten() {
            Some(problem) => format!("no NVIDIA GPU can be used: {problem}"),
            None => "this build of libaccrue has no driver for such devices".into(),
        }
    }

    /// A list of the devices for messages.
    pub fn available(&self) -> String {
        let names: Vec<String> = self
            .existing()
            .map(|state| format!("{} ({})", state.device.name(), state.device_type.name()))
            .collect();
        names.join(", ")
    }
}

fn current_index(runtime: &Runtime) -> DeviceIndex {
    DEVICE
        .get()
        .or_else(|| runtime.initial.get().copied())
        .unwrap_or(DeviceIndex::Cpu)
}

/// The calling thread's current device, as an index.
pub fn current_number() -> DeviceIndex {
    current_index(get())
}

/// The calling thread's current device.
pub fn current() -> &'static DeviceState {
    let runtime = get();
    runtime.device(current_index(runtime))
}

/// Makes device `number` of a type the calling thread's current one. A negative number selects
/// the type's first device (OpenACC 3.4, 3.2.4).
pub fn select(device_type: DeviceType, number: i64, place: Place) {
    DEVICE.set(Some(find_device(device_type, number, place)));
}

/// Index of device `number` of a type.
pub fn find_device(device_type: DeviceType, number: i64, place: Place) -> DeviceIndex {
    let runtime = get();
    let all = runtime.numbers_of(device_type);
    let found = all.get(number.max(0) as usize).copied();
    found.unwrap_or_else(|| {
        let (name, available) = (device_type.name(), runtime.available());
        if all.is_empty() {
            let why = runtime.why_none(device_type);
            fatal(
                place,
                format_args!(
                    "no device of type {name} is available: {why}; available is: {available}"
                ),
            )
        }
        fatal(
            place,
            format_args!("there is no device {number} of type {name}; available is: {available}"),
        )
    })
}

/// The device that a device number argument or `devnum` names, of the current type; the current
/// one when absent or negative.
pub fn numbered(number: Option<i64>, place: Place) -> &'static DeviceState {
    let current = current();
    match number {
        Some(number) if number >= 0 => {
            get().device(find_device(current.device_type, number, place))
        }
        Some(_) | None => current,
    }
}

/// The default queue of the calling thread.
pub fn default_async() -> i64 {
    DEFAULT_ASYNC.get()
}

/// Sets the default queue of the calling thread.
pub fn set_default_async(value: i64, place: Place) {
    // Check the value; the special values are allowed, -1 leaves the setting as it is.
    queue_of(value, place);
    if value != ASYNC_NOVAL {
        DEFAULT_ASYNC.set(value);
    }
}

/// The queue that an async value selects (OpenACC 3.4, 2.16).
pub fn queue_of(value: i64, place: Place) -> Queue {
    let value = if value == ASYNC_NOVAL {
        DEFAULT_ASYNC.get()
    } else {
        value
    };
    match value {
        ASYNC_SYNC => Queue::Sync,
        ASYNC_DEFAULT => Queue::Async(-1),
        0..=0x7fff_ffff => Queue::Async(value as i32),
        _ => fatal(
            place,
            format_args!(
                "invalid async value {value}: it must not be negative (or be acc_async_noval, \
                 acc_async_sync or acc_async_default; OpenACC 3.4, 2.16)"
            ),
        ),
    }
}
