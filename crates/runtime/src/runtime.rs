//! The process-wide state: the devices with their present tables, and the internal control
//! variables of each host thread (OpenACC 3.4, 2.3).
//!
//! Made at the first directive or routine that needs a device; linking the library alone touches nothing. Devices that cost
//! nothing until they are used always exist; others are looked for when they are first asked for, by `ACC_DEVICE_TYPE`, by
//! the program, or because nothing else was asked for (see [`crate::device::registry`]).

use crate::abi::{ASYNC_DEFAULT, ASYNC_NOVAL, ASYNC_SYNC};
use crate::declared;
use crate::device::Queue;
use crate::device::device_type::DeviceType;
use crate::device::registry::Registry;
pub use crate::device::registry::{DeviceIndex, DeviceState};
use crate::fatal::{self, Place};
use crate::once::Once;
use crate::tools;
use std::cell::Cell;

/// All devices.
pub struct Runtime {
    registry: Registry,
    /// `ACC_DEVICE_TYPE`; [`DeviceType::Default`] when it does not say.
    wanted: DeviceType,
    /// The device that every thread starts with.
    initial: Once<DeviceIndex>,
}

static RUNTIME: Once<Runtime> = Once::new();

thread_local! {
    /// None: the thread has not chosen.
    static DEVICE: Cell<Option<DeviceIndex>> = const { Cell::new(None) };
    static DEFAULT_ASYNC: Cell<i64> = const { Cell::new(ASYNC_DEFAULT) };
}

/// The runtime, started if need be.
pub fn get() -> &'static Runtime {
    RUNTIME.get().unwrap_or_else(|| {
        tools::load();
        RUNTIME.get_or_init(start)
    })
}

/// The runtime if it was started.
pub fn started() -> Option<&'static Runtime> {
    RUNTIME.get()
}

fn start() -> Runtime {
    // A program without directives registers no image.
    crate::fork::install();
    let mut runtime = Runtime {
        registry: Registry::start(),
        wanted: DeviceType::Default,
        initial: Once::new(),
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
            fatal::fatal_text_as(
                fatal::Error::DeviceTypeUnavailable,
                &format!(
                    "ACC_DEVICE_TYPE={text}: unknown device type; available is: {}",
                    runtime.registry.available()
                ),
            );
        };
        runtime.wanted = wanted;
        if runtime.numbers_of(wanted).is_empty() {
            fatal::fatal_text_as(
                fatal::Error::DeviceTypeUnavailable,
                &format!(
                    "ACC_DEVICE_TYPE={text}: {}; available is: {}",
                    runtime.registry.why_none(wanted),
                    runtime.registry.available()
                ),
            );
        }
    }
    let candidates = runtime.numbers_of(DeviceType::Default);
    let number = match std::env::var("ACC_DEVICE_NUM") {
        Err(_) => 0,
        Ok(text) => match text.trim().parse::<usize>() {
            Ok(number) if number < candidates.len() => number,
            Ok(_) | Err(_) => fatal::fatal_text_as(
                fatal::Error::DeviceUnavailable,
                &format!(
                    "ACC_DEVICE_NUM={text}: there is no such device; available is: {}",
                    runtime.registry.available()
                ),
            ),
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
    declared::end();
    if fatal::dying() || fatal::on_library_thread() {
        return;
    }
    tools::end();
    if let Some(runtime) = started() {
        for state in runtime.existing() {
            state.device.finish();
        }
    }
}

impl Runtime {
    /// The device with this index.
    pub fn device(&self, index: DeviceIndex) -> &DeviceState {
        self.registry.device(index)
    }

    /// The host's cores as a device.
    pub fn cpu(&self) -> &DeviceState {
        self.device(DeviceIndex::HOST)
    }

    /// A list of the devices for messages.
    pub fn available(&self) -> String {
        self.registry.available()
    }

    /// All devices that the process may have used.
    pub fn existing(&self) -> impl Iterator<Item = &DeviceState> {
        self.registry.existing()
    }

    /// The devices that a type stands for, in order.
    ///
    /// The default type is that of `ACC_DEVICE_TYPE`; where that says nothing, it is that of the devices that suit the
    /// program best ([`Registry::best`]).
    pub fn numbers_of(&self, device_type: DeviceType) -> Vec<DeviceIndex> {
        match device_type {
            DeviceType::Current => match self.initial.get() {
                Some(_) => self.numbers_of(self.device(current_index(self)).device_type),
                None => Vec::new(),
            },
            DeviceType::Default if self.wanted == DeviceType::Default => self.registry.best(),
            DeviceType::Default => self.numbers_of(self.wanted),
            DeviceType::NotHost => self.registry.not_host(self.wanted),
            of_one_kind => self.registry.of_type(of_one_kind),
        }
    }
}

fn current_index(runtime: &Runtime) -> DeviceIndex {
    DEVICE
        .get()
        .or_else(|| runtime.initial.get().copied())
        .unwrap_or(DeviceIndex::HOST)
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
        let (name, available) = (device_type.name(), runtime.registry.available());
        if all.is_empty() {
            let why = runtime.registry.why_none(device_type);
            fatal::fatal_as(
                fatal::Error::DeviceTypeUnavailable,
                place,
                format_args!(
                    "no device of type {name} is available: {why}; available is: {available}"
                ),
            )
        }
        fatal::fatal_as(
            fatal::Error::DeviceUnavailable,
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
        _ => fatal::fatal_as(
            fatal::Error::InvalidAsync,
            place,
            format_args!(
                "invalid async value {value}: it must not be negative (or be acc_async_noval, \
                 acc_async_sync or acc_async_default; OpenACC 3.4, 2.16)"
            ),
        ),
    }
}
