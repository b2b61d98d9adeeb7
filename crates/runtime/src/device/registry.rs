//! The drivers that this library has, and the devices they find.
//!
//! A device enters here, and nowhere else: its driver says which forms of code it runs, which device types its devices
//! are, and how they are found. The rest of the library knows devices by [`DeviceIndex`] and [`Device`].
//!
//! ```text
//! DRIVERS    cuda                     opencl                  cpu              sim
//! forms      PTX                      OpenCL C                C                PTX
//! found      when first asked for     when first asked for    at the start     at the start
//! devices    nvidia:0 nvidia:1 …      opencl:0 …              cpu:0            sim:0
//! ```

use super::device_type::DeviceType;
use super::{Device, cpu, cuda, opencl, sim};
use crate::abi::FormKind;
use crate::declared::{self, OnDevice};
use crate::fatal;
use crate::image;
use crate::once::Once;
use crate::present::table::PresentTable;
use crate::tools;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// All drivers: a program that asks for no device gets those of the first that has devices and code in the program.
pub const DRIVERS: [Driver; 4] = [cuda::DRIVER, opencl::DRIVER, cpu::DRIVER, sim::DRIVER];

/// The driver of the program's own processor, which is always there.
const HOST: usize = 2;

/// A kind of devices.
pub struct Driver {
    /// One of its devices in messages: `NVIDIA GPU`.
    pub name: &'static str,
    /// The forms of code that its devices run.
    pub forms: &'static [FormKind],
    /// The types that its devices may be of.
    pub types: &'static [DeviceType],
    /// Whether a program gets them that has not asked for them.
    pub by_default: ByDefault,
    /// Whether looking for them costs nothing, so that it is done when the runtime starts.
    pub always_there: bool,
    /// Looks for them, in the order of their numbers.
    pub find: fn() -> Result<Vec<Found>, Problem>,
    /// The calling thread ends: it keeps nothing any more.
    pub forget_thread: fn(),
}

/// Whether a program gets devices that it has not asked for.
#[derive(Clone, Copy, Debug)]
pub enum ByDefault {
    Yes,
    /// Where the drivers before it have none; and if this says that looking for some is worth its time.
    WithoutOthers(fn() -> bool),
    No,
}

impl ByDefault {
    /// Whether a program that has not asked for devices may get some of these.
    fn is_worth_it(self) -> bool {
        match self {
            ByDefault::Yes => true,
            ByDefault::WithoutOthers(worth_it) => worth_it(),
            ByDefault::No => false,
        }
    }
}

/// A device that a driver has found.
pub struct Found {
    pub device: Box<dyn Device>,
    /// The types that select it; the first is its own, as [`crate::api`] reports it.
    pub types: &'static [DeviceType],
    /// A program may get it that has not asked for it, if that holds for its driver.
    pub by_default: bool,
}

/// Why a driver has no devices.
#[derive(Clone, Debug)]
pub struct Problem {
    /// With what to do about it.
    pub text: String,
    /// The machine seems to have such a device, so that its owner will want to know why it is not used.
    pub surprising: bool,
}

/// Names a device for the life of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceIndex {
    driver: usize,
    number: usize,
}

impl DeviceIndex {
    /// The host's cores.
    pub const HOST: DeviceIndex = DeviceIndex {
        driver: HOST,
        number: 0,
    };
}

/// One device with what is present on it.
pub struct DeviceState {
    pub device: Box<dyn Device>,
    /// What [`crate::api`] reports for it.
    pub device_type: DeviceType,
    /// The types that select it.
    types: &'static [DeviceType],
    by_default: bool,
    table: Mutex<PresentTable>,
    /// What it has of the program's declared data.
    pub declared: OnDevice,
    /// Tools were told that it is in use.
    pub announced: AtomicBool,
}

impl DeviceState {
    fn new(found: Found) -> DeviceState {
        DeviceState {
            device: found.device,
            device_type: found.types[0],
            types: found.types,
            by_default: found.by_default,
            table: Mutex::default(),
            declared: OnDevice::default(),
            announced: AtomicBool::new(false),
        }
    }

    /// Exclusive use of the present table, in which the program's declared data is. Tasks in queues never take this lock, so
    /// waiting for queues is allowed while it is held.
    pub fn lock(&self) -> MutexGuard<'_, PresentTable> {
        let mut table = self.lock_as_it_is();
        declared::bring(&self.declared, &*self.device, &mut table);
        table
    }

    /// The same without touching the device: declared data may be missing.
    pub fn lock_as_it_is(&self) -> MutexGuard<'_, PresentTable> {
        tools::refuse_tables();
        if fatal::dying() {
            // An exit handler of the program uses the device, after a fatal error that may have
            // happened with the table locked.
            fatal::leave();
        }
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What each driver has found, as far as it was asked.
#[derive(Default)]
pub struct Registry {
    found: [Once<Result<Vec<DeviceState>, Problem>>; DRIVERS.len()],
}

impl Registry {
    /// The registry at the start of the runtime.
    pub fn start() -> Registry {
        let registry = Registry::default();
        for (driver, _) in DRIVERS.iter().enumerate().filter(|(_, d)| d.always_there) {
            registry.asked(driver);
        }
        registry
    }

    fn asked(&self, driver: usize) -> &Result<Vec<DeviceState>, Problem> {
        self.found[driver].get_or_init(|| {
            let found = (DRIVERS[driver].find)()?;
            Ok(found.into_iter().map(DeviceState::new).collect())
        })
    }

    fn devices(&self, driver: usize) -> &[DeviceState] {
        self.asked(driver).as_deref().unwrap_or_default()
    }

    /// The device with this index.
    pub fn device(&self, index: DeviceIndex) -> &DeviceState {
        &self.devices(index.driver)[index.number]
    }

    /// All devices that the process may have used.
    pub fn existing(&self) -> impl Iterator<Item = &DeviceState> {
        let found = self.found.iter().filter_map(Once::get);
        found.flat_map(|found| found.as_deref().unwrap_or_default())
    }

    /// The devices of a driver that `device_type` selects, in the order of their numbers.
    fn selected(
        &self,
        driver: usize,
        device_type: DeviceType,
    ) -> impl Iterator<Item = DeviceIndex> {
        let devices = self.devices(driver).iter().enumerate();
        let selected = devices.filter(move |(_, state)| state.types.contains(&device_type));
        selected.map(move |(number, _)| DeviceIndex { driver, number })
    }

    /// The devices of a type that names one kind of devices.
    pub fn of_type(&self, device_type: DeviceType) -> Vec<DeviceIndex> {
        let drivers = DRIVERS.iter().enumerate();
        let drivers = drivers.filter(|(_, driver)| driver.types.contains(&device_type));
        drivers
            .flat_map(|(driver, _)| self.selected(driver, device_type))
            .collect()
    }

    /// The devices that are not the host: those of the type that the environment names, then those of the drivers that
    /// programs get without asking.
    pub fn not_host(&self, wanted: DeviceType) -> Vec<DeviceIndex> {
        let mut all = vec![];
        for index in self.of_type(wanted).into_iter().chain(self.defaults()) {
            if self.device(index).device_type != DeviceType::Host && !all.contains(&index) {
                all.push(index);
            }
        }
        all
    }

    /// The devices that a program may get that has not asked for them.
    fn defaults(&self) -> Vec<DeviceIndex> {
        let mut all: Vec<DeviceIndex> = vec![];
        for (driver, kind) in DRIVERS.iter().enumerate() {
            let others = match kind.by_default {
                ByDefault::Yes | ByDefault::No => false,
                ByDefault::WithoutOthers(_) => !all.is_empty(),
            };
            if others || !kind.by_default.is_worth_it() {
                continue;
            }
            let devices = self.devices(driver).iter().enumerate();
            let devices = devices.filter(|(_, state)| state.by_default);
            all.extend(devices.map(|(number, _)| DeviceIndex { driver, number }));
        }
        all
    }

    /// What a program gets that has not asked for anything: the first devices that it has code for.
    pub fn best(&self) -> Vec<DeviceIndex> {
        for (number, driver) in DRIVERS.iter().enumerate() {
            if !driver.by_default.is_worth_it() || !image::has_code(driver.forms) {
                continue;
            }
            if let Err(problem) = self.asked(number)
                && problem.surprising
            {
                warn(driver, problem);
            }
            let devices = self.devices(number);
            if let Some(first) = devices.iter().find(|state| state.by_default) {
                return self.of_type(first.device_type);
            }
        }
        vec![DeviceIndex::HOST]
    }

    /// Why there is no device of a type.
    pub fn why_none(&self, device_type: DeviceType) -> String {
        let drivers = DRIVERS.iter().enumerate();
        let problem = drivers
            .filter(|(_, driver)| driver.types.contains(&device_type))
            .find_map(|(number, driver)| Some((driver, self.asked(number).as_ref().err()?)));
        match problem {
            Some((driver, problem)) => format!("no {} can be used: {}", driver.name, problem.text),
            None => "no such device was found".into(),
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

fn warn(driver: &Driver, problem: &Problem) {
    static SAID: std::sync::Once = std::sync::Once::new();
    SAID.call_once(|| {
        crate::message::say!(
            "accrue: warning: {}s are not used: {}; regions run on the CPU (ACC_DEVICE_TYPE=host hides this message)",
            driver.name, problem.text
        );
    });
}

/// The calling thread ends: no driver keeps anything of it.
pub fn forget_thread() {
    for driver in &DRIVERS {
        (driver.forget_thread)();
    }
}
