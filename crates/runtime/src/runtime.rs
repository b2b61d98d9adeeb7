//! The process-wide state: the devices with their present tables, and the internal control
//! variables of each host thread (OpenACC 3.4, 2.3).
//!
//! Made at the first directive or routine that needs a device; linking the library alone touches
//! nothing.

use crate::abi::{ASYNC_DEFAULT, ASYNC_NOVAL, ASYNC_SYNC};
use crate::device::cpu::CpuDevice;
use crate::device::{Device, Queue};
use crate::device_type::DeviceType;
use crate::fatal::{self, Place, fatal};
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

/// All devices.
pub struct Runtime {
    pub devices: Vec<DeviceState>,
}

static RUNTIME: OnceLock<Runtime> = OnceLock::new();

thread_local! {
    static DEVICE: Cell<usize> = const { Cell::new(0) };
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
    let runtime = Runtime {
        devices: vec![DeviceState {
            device_type: if cpu.shares_host_memory() {
                DeviceType::Host
            } else {
                DeviceType::Cpu
            },
            device: Box::new(cpu),
            table: Mutex::default(),
        }],
    };
    check_environment(&runtime);
    // SAFETY: the handler is a plain function that stays loaded.
    unsafe { libc::atexit(finish_pending_work) };
    runtime
}

/// Checks `ACC_DEVICE_TYPE` and `ACC_DEVICE_NUM` (OpenACC 3.4, 4.1 and 4.2).
fn check_environment(runtime: &Runtime) {
    if let Ok(text) = std::env::var("ACC_DEVICE_TYPE") {
        match DeviceType::from_environment(&text) {
            Some(device_type) if runtime.numbers_of(device_type).next().is_some() => {}
            Some(_) => fatal::fatal_text(&format!(
                "ACC_DEVICE_TYPE={text}: this build of libaccrue has no driver for such devices; \
                 available is: {}",
                runtime.available()
            )),
            None => fatal::fatal_text(&format!(
                "ACC_DEVICE_TYPE={text}: unknown device type; available is: {}",
                runtime.available()
            )),
        }
    }
    if let Ok(text) = std::env::var("ACC_DEVICE_NUM") {
        let known = text
            .trim()
            .parse::<usize>()
            .is_ok_and(|number| number < runtime.devices.len());
        if !known {
            fatal::fatal_text(&format!(
                "ACC_DEVICE_NUM={text}: there is no such device; available is: {}",
                runtime.available()
            ));
        }
    }
}

/// Work still in queues when the program ends is completed.
pub extern "C" fn finish_pending_work() {
    if fatal::dying() || fatal::on_library_thread() {
        return;
    }
    if let Some(runtime) = started() {
        for state in &runtime.devices {
            state.device.wait_all();
        }
    }
}

impl Runtime {
    /// Indices of the devices that a type stands for.
    pub fn numbers_of(&self, device_type: DeviceType) -> impl Iterator<Item = usize> + '_ {
        self.devices
            .iter()
            .enumerate()
            .filter(move |(_, state)| device_type.covers(state.device_type))
            .map(|(index, _)| index)
    }

    /// A list of the devices for messages.
    pub fn available(&self) -> String {
        let names: Vec<String> = self
            .devices
            .iter()
            .map(|state| format!("{} ({})", state.device.name(), state.device_type.name()))
            .collect();
        names.join(", ")
    }
}

/// Index of the calling thread's current device.
pub fn current_number() -> usize {
    DEVICE.get()
}

/// The calling thread's current device.
pub fn current() -> &'static DeviceState {
    &get().devices[DEVICE.get()]
}

/// Makes device `number` of a type the calling thread's current one. A negative number selects
/// the type's first device (OpenACC 3.4, 3.2.4).
pub fn select(device_type: DeviceType, number: i64, place: Place) {
    DEVICE.set(find_device(device_type, number, place));
}

/// Index of device `number` of a type.
pub fn find_device(device_type: DeviceType, number: i64, place: Place) -> usize {
    let runtime = get();
    let found = runtime.numbers_of(device_type).nth(number.max(0) as usize);
    found.unwrap_or_else(|| {
        let (name, available) = (device_type.name(), runtime.available());
        match runtime.numbers_of(device_type).next() {
            Some(_) => fatal(
                place,
                format_args!(
                    "there is no device {number} of type {name}; available is: {available}"
                ),
            ),
            None => fatal(
                place,
                format_args!(
                    "no device of type {name} is available: this build of libaccrue has no driver \
                     for such devices; available is: {available}"
                ),
            ),
        }
    })
}

/// The device that a device number argument or `devnum` names, of the current type; the current
/// one when absent or negative.
pub fn numbered(number: Option<i64>, place: Place) -> &'static DeviceState {
    match number {
        Some(number) if number >= 0 => {
            let current = current();
            &get().devices[find_device(current.device_type, number, place)]
        }
        Some(_) | None => current(),
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
