//! OpenMP's devices and their numbers (OpenMP 5.2, 18.7).
//!
//! Devices 0 to N - 1 are those that OpenACC programs get without asking, with the same present tables and memory; the
//! initial device, which is the host, is number N:
//!
//! ```text
//!                                              0          1          2
//! two GPUs                                     nvidia:0   nvidia:1   initial device
//! ACC_DEVICE_TYPE=sim                          sim:0      initial device
//! ACCRUE_CPU_MEMORY=discrete                   cpu:0      initial device
//! cores that share the host's memory           initial device
//! OMP_TARGET_OFFLOAD=DISABLED, wherever        initial device
//! ```

pub mod host;
mod limits;
pub mod requires;

pub use limits::{Limits, limits};

use crate::abi::flags::{TARGET_CORES, TARGET_INITIAL, TARGET_NVIDIA, TARGET_OPENCL};
use crate::abi::functions::DEFAULT_TARGET;
use crate::device::Device;
use crate::device::device_type::DeviceType;
use crate::fatal::{self, Place, fatal};
use crate::once::Once;
use crate::runtime::{self, DeviceIndex, DeviceState};

/// `omp_initial_device`: the initial device whatever its number is.
const INITIAL: i32 = -1;

/// `omp_invalid_device`, as gcc and clang number it: whoever uses it ends the program.
const INVALID: [i32; 2] = [-4, -2];

/// A device by its OpenMP number.
#[derive(Clone, Copy)]
pub enum Target {
    /// The host.
    Initial,
    Device(&'static DeviceState),
}

/// `OMP_TARGET_OFFLOAD` (21.2.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offload {
    /// The host does what no device can do.
    Default,
    /// The program ends rather than that.
    Mandatory,
    /// There is no device but the initial one.
    Disabled,
}

/// What `OMP_TARGET_OFFLOAD` asks for.
pub fn offload() -> Offload {
    static OFFLOAD: Once<Offload> = Once::new();
    *OFFLOAD.get_or_init(|| {
        let Ok(text) = std::env::var("OMP_TARGET_OFFLOAD") else {
            return Offload::Default;
        };
        match text.trim().to_ascii_lowercase().as_str() {
            "" | "default" => Offload::Default,
            "mandatory" => Offload::Mandatory,
            "disabled" => Offload::Disabled,
            _ => fatal::fatal_text(&format!(
                "OMP_TARGET_OFFLOAD={text}: unknown value; it may be MANDATORY, DISABLED or DEFAULT (OpenMP 5.2, 21.2.8)"
            )),
        }
    })
}

/// The devices in the order of their numbers, without the initial one. They stay the same as long as the process lives.
pub fn devices() -> &'static [DeviceIndex] {
    static DEVICES: Once<Vec<DeviceIndex>> = Once::new();
    DEVICES.get_or_init(|| match offload() {
        Offload::Disabled => Vec::new(),
        Offload::Default | Offload::Mandatory => {
            let runtime = runtime::get();
            let mut all = runtime.numbers_of(DeviceType::Default);
            all.retain(|&index| runtime.device(index).device_type != DeviceType::Host);
            requires::retain_able(&mut all);
            all
        }
    })
}

/// The number of the initial device.
pub fn initial_number() -> i32 {
    devices().len() as i32
}

/// The number of a device; that of the initial one if it is none of the others.
pub fn number_of(device: &dyn Device) -> i32 {
    let runtime = runtime::get();
    let mut all = devices().iter();
    let found = all.position(|&index| std::ptr::addr_eq(&*runtime.device(index).device, device));
    found.map_or_else(initial_number, |number| number as i32)
}

/// The `TARGET_*` bit of the device with this number; 0 if there is none.
pub fn kind_of(number: i32) -> u32 {
    let number = match number {
        DEFAULT_TARGET => default_device(),
        number => number,
    };
    let devices = devices();
    let Some(&index) = usize::try_from(number).ok().and_then(|at| devices.get(at)) else {
        let is_initial = number == INITIAL || number == initial_number();
        return if is_initial { TARGET_INITIAL } else { 0 };
    };
    match runtime::get().device(index).device_type {
        DeviceType::Nvidia | DeviceType::Sim => TARGET_NVIDIA,
        DeviceType::OpenCl => TARGET_OPENCL,
        DeviceType::None
        | DeviceType::Default
        | DeviceType::Host
        | DeviceType::NotHost
        | DeviceType::Radeon
        | DeviceType::Current
        | DeviceType::Cpu => TARGET_CORES,
    }
}

/// The device with this number. None if there is none, so that a routine can tell the program; where the program must not go
/// on then, it ends here.
pub fn conforming(number: i32, place: Place) -> Option<Target> {
    let devices = devices();
    if let Some(&index) = usize::try_from(number).ok().and_then(|at| devices.get(at)) {
        return Some(Target::Device(runtime::get().device(index)));
    }
    if number == INITIAL || number == initial_number() {
        return Some(Target::Initial);
    }
    if INVALID.contains(&number) {
        fatal(
            place,
            format_args!("device number {number} is omp_invalid_device"),
        );
    }
    if offload() == Offload::Mandatory {
        fatal(
            place,
            format_args!("{}, and OMP_TARGET_OFFLOAD is MANDATORY", no_such(number)),
        );
    }
    None
}

/// The device with this number, where the program cannot be told that there is none.
pub fn existing(number: i32, place: Place) -> Target {
    conforming(number, place).unwrap_or_else(|| fatal(place, no_such(number)))
}

fn no_such(number: i32) -> String {
    match initial_number() {
        0 => format!("there is no device {number}: the only device is the initial one, number 0"),
        initial => format!(
            "there is no device {number}: devices are 0 to {}, and the initial device is {initial}",
            initial - 1
        ),
    }
}

/// Where a directive with this `device` clause, or with none, does its work. Cores that share the host's memory are the
/// initial device: its regions run on all of them, with what is known of mapped data.
pub fn of_directive(number: Option<i64>, place: Place) -> Target {
    if offload() == Offload::Disabled {
        return Target::Initial;
    }
    let number = match number {
        // 32 bits of a word.
        Some(number) => number as i32,
        None => default_device(),
    };
    if devices().is_empty() && offload() == Offload::Mandatory && INVALID.contains(&number) {
        let available = runtime::get().available();
        fatal(
            place,
            format_args!(
                "OMP_TARGET_OFFLOAD is MANDATORY, and there is no device but the host (OpenMP 5.2, 21.2.8); available is: {available}"
            ),
        );
    }
    match existing(number, place) {
        Target::Initial
            if devices().is_empty() && requires::has_all(&*runtime::get().cpu().device) =>
        {
            Target::Device(runtime::get().cpu())
        }
        target => target,
    }
}

/// The number of the device that regions use which do not say (ICV *default-device-var*).
///
/// The host's library keeps it, as it knows which task inherits from which. With OMP_TARGET_OFFLOAD=MANDATORY newer ones
/// start with `omp_invalid_device`, because they have no devices themselves: that is not meant for ours.
pub fn default_device() -> i32 {
    let number = host::default_device().unwrap_or_else(environment_default);
    if offload() == Offload::Mandatory {
        if devices().is_empty() {
            return INVALID[0];
        }
        if number < INITIAL {
            return environment_default();
        }
    }
    number
}

/// `OMP_DEFAULT_DEVICE` (21.2.7), where no host library has read it; 0 when it does not say.
fn environment_default() -> i32 {
    static NUMBER: Once<i32> = Once::new();
    *NUMBER.get_or_init(read_default_device)
}

fn read_default_device() -> i32 {
    let Ok(text) = std::env::var("OMP_DEFAULT_DEVICE") else {
        return 0;
    };
    match text.trim().parse::<i32>() {
        Ok(number) if number >= 0 => number,
        Ok(_) | Err(_) => fatal::fatal_text(&format!(
            "OMP_DEFAULT_DEVICE={text}: expected the number of a device, from 0 on (OpenMP 5.2, 21.2.7)"
        )),
    }
}
