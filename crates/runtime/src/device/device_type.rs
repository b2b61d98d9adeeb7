//! Device types: the numbers of `acc_device_t` in `openacc.h`, the bits of `device_type` masks,
//! and the names in `ACC_DEVICE_TYPE`.
//!
//! The CPU device that shares memory is `acc_device_host`. With memory of its own it behaves as
//! an accelerator and is `acc_device_cpu`, which `acc_device_not_host` covers; `acc_device_host`
//! still selects it, since it is the only device that runs on the host's cores.

use crate::abi::{
    ACC_DEVICE_NOT_HOST, ACC_DEVICE_OPENCL, DEVICE_ANY, DEVICE_DEFAULT, DEVICE_HOST, DEVICE_NONE,
    DEVICE_NVIDIA, DEVICE_OPENCL, DEVICE_RADEON, DEVICE_SIM,
};

/// What comes before the name of an OpenCL device or platform in `ACC_DEVICE_TYPE`: `opencl:nvidia`.
const NAMED: &str = "opencl:";

/// The name that `ACC_DEVICE_TYPE` has of an OpenCL device or platform, in lower case.
pub fn wanted_name() -> Option<String> {
    let text = std::env::var("ACC_DEVICE_TYPE").ok()?;
    let text = text.trim().to_ascii_lowercase();
    Some(text.strip_prefix(NAMED)?.trim().to_string())
}

/// `acc_device_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum DeviceType {
    None = 0,
    Default = 1,
    Host = 2,
    NotHost = ACC_DEVICE_NOT_HOST,
    Nvidia = 4,
    Radeon = 5,
    Current = 6,
    Cpu = 7,
    Sim = 8,
    OpenCl = ACC_DEVICE_OPENCL,
}

impl DeviceType {
    /// The type with this number.
    pub fn from_raw(raw: i32) -> Option<DeviceType> {
        use DeviceType::*;
        const ALL: [DeviceType; 10] = [
            None, Default, Host, NotHost, Nvidia, Radeon, Current, Cpu, Sim, OpenCl,
        ];
        ALL.get(usize::try_from(raw).ok()?).copied()
    }

    /// The type that `ACC_DEVICE_TYPE` names; upper and lower case are the same.
    pub fn from_environment(text: &str) -> Option<DeviceType> {
        let types = [
            ("", DeviceType::Default),
            ("default", DeviceType::Default),
            ("host", DeviceType::Host),
            ("cpu", DeviceType::Host),
            ("multicore", DeviceType::Host),
            ("nvidia", DeviceType::Nvidia),
            ("radeon", DeviceType::Radeon),
            ("amd", DeviceType::Radeon),
            ("sim", DeviceType::Sim),
            ("opencl", DeviceType::OpenCl),
        ];
        let text = text.trim().to_ascii_lowercase();
        if text.starts_with(NAMED) {
            return Some(DeviceType::OpenCl);
        }
        types
            .iter()
            .find(|(name, _)| *name == text)
            .map(|(_, device_type)| *device_type)
    }

    /// The type that a `device_type` clause's mask names; the first bit set counts.
    pub fn from_mask(mask: u32) -> DeviceType {
        let types = [
            (DEVICE_DEFAULT, DeviceType::Default),
            (DEVICE_ANY, DeviceType::Default),
            (DEVICE_HOST, DeviceType::Host),
            (DEVICE_NVIDIA, DeviceType::Nvidia),
            (DEVICE_RADEON, DeviceType::Radeon),
            (DEVICE_SIM, DeviceType::Sim),
            (DEVICE_OPENCL, DeviceType::OpenCl),
            (DEVICE_NONE, DeviceType::None),
        ];
        types
            .iter()
            .find(|(bit, _)| mask & bit != 0)
            .map_or(DeviceType::Current, |(_, device_type)| *device_type)
    }

    /// The mask bits that a device of this (concrete) type matches.
    pub fn mask(self) -> u32 {
        let common = DEVICE_DEFAULT | DEVICE_ANY;
        match self {
            DeviceType::None => DEVICE_NONE,
            DeviceType::Host | DeviceType::Cpu => DEVICE_HOST | common,
            DeviceType::Nvidia => DEVICE_NVIDIA | common,
            DeviceType::Radeon => DEVICE_RADEON | common,
            // Its code is that of a GPU, for which clauses were chosen when it was compiled.
            DeviceType::Sim => DEVICE_SIM | DEVICE_NVIDIA | common,
            DeviceType::OpenCl => DEVICE_OPENCL | common,
            DeviceType::Default | DeviceType::NotHost | DeviceType::Current => common,
        }
    }

    /// The name in messages.
    pub fn name(self) -> &'static str {
        match self {
            DeviceType::None => "none",
            DeviceType::Default => "default",
            DeviceType::Host => "host",
            DeviceType::NotHost => "not_host",
            DeviceType::Nvidia => "nvidia",
            DeviceType::Radeon => "radeon",
            DeviceType::Current => "current",
            DeviceType::Cpu => "cpu with memory of its own",
            DeviceType::Sim => "sim",
            DeviceType::OpenCl => "opencl",
        }
    }
}
