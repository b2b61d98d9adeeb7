//! What the program's `requires` directives ask of devices (OpenMP 5.2, 8.2).
//!
//! A device that does not have it is none that OpenMP's directives and routines know: with `unified_shared_memory` a GPU with memory of
//! its own is left out, and if no device is left, the initial device does the work.
//!
//! ```text
//! requires unified_shared_memory      cpu:0 (discrete)   initial device      →      initial device
//! ```

use crate::abi::flags::{
    REQUIRES_REVERSE_OFFLOAD, REQUIRES_UNIFIED_ADDRESS, REQUIRES_UNIFIED_SHARED_MEMORY,
};
use crate::device::Device;
use crate::fatal::fatal_text;
use crate::runtime::{self, DeviceIndex};
use std::sync::atomic::{
    AtomicBool, AtomicU32,
    Ordering::{AcqRel, Acquire, Release},
};

static REQUIRED: AtomicU32 = AtomicU32::new(0);
/// The devices are known, with what was required until then.
static KNOWN: AtomicBool = AtomicBool::new(false);

/// Adds requirements: of a program before it begins, of a library when it is loaded.
pub fn note(flags: u32) {
    let before = REQUIRED.fetch_or(flags, AcqRel);
    if KNOWN.load(Acquire) && before | flags != before {
        fatal_text(&format!(
            "a library that requires {} was loaded after the program has used devices; say so in the program, too (OpenMP 5.2, 8.2)",
            named(flags)
        ));
    }
}

/// Takes the devices away that do not have what is required.
pub fn retain_able(devices: &mut Vec<DeviceIndex>) {
    KNOWN.store(true, Release);
    devices.retain(|&index| {
        let device = &*runtime::get().device(index).device;
        let able = has_all(device);
        if !able {
            crate::message::say!(
                "accrue: {} has memory of its own and not what the program requires, {}: its regions run on the host (OpenMP 5.2, 8.2)",
                device.name(),
                named(REQUIRED.load(Acquire))
            );
        }
        able
    });
}

/// Whether a device has what is required. Regions that call the host back are made for no device, and run on the host by themselves. One address space for all memory is granted where the memory is the host's.
pub fn has_all(device: &dyn Device) -> bool {
    REQUIRED.load(Acquire) == 0 || device.shares_host_memory()
}

fn named(flags: u32) -> String {
    let names = [
        (REQUIRES_UNIFIED_SHARED_MEMORY, "unified_shared_memory"),
        (REQUIRES_UNIFIED_ADDRESS, "unified_address"),
        (REQUIRES_REVERSE_OFFLOAD, "reverse_offload"),
    ];
    let required = names.into_iter().filter(|(flag, _)| flags & flag != 0);
    let names: Vec<&str> = required.map(|(_, name)| name).collect();
    names.join(" and ")
}
