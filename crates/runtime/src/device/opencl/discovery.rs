//! Which devices OpenCL's drivers offer, which of them can be used, and why others cannot.
//!
//! `ACC_DEVICE_TYPE=opencl` has all usable devices, platform by platform; `ACC_DEVICE_TYPE=opencl:NAME` those with the text in
//! the name of the platform or of the device. A program that has not asked for a device gets one of these only if it is a GPU or
//! an accelerator, and not one of NVIDIA's, which are devices of [`super::super::cuda`].

use super::OpenClDevice;
use super::buffer;
use super::driver::{self, DeviceId, Missing, OpenCl, Platform};
use super::lacks::Has;
use super::queue::Stream;
use super::status::{Result, Status};
use super::transfer;
use crate::abi::launch::WARP;
use crate::abi::{FormKind, SIMT_WAITS_IN_BRANCHES, SimtKernel};
use crate::device::device_type::{self, DeviceType};
use crate::device::own_faults;
use crate::device::registry::{self, ByDefault, Found};
use crate::device::streams;
use opencl_sys as cl;
use std::borrow::Cow;
use std::ffi::{CStr, CString};
use std::path::Path;

/// Devices of OpenCL's drivers. Looking for them loads all drivers.
pub const DRIVER: registry::Driver = registry::Driver {
    name: "OpenCL device",
    forms: &[FormKind::OpenCl],
    types: &[DeviceType::OpenCl, DeviceType::Radeon],
    by_default: ByDefault::WithoutOthers(may_have_gpu),
    always_there: false,
    find,
    forget_thread: streams::forget::<Stream>,
};

const OPENCL: &[DeviceType] = &[DeviceType::OpenCl];
const RADEON: &[DeviceType] = &[DeviceType::OpenCl, DeviceType::Radeon];

const VENDOR_NVIDIA: u64 = 0x10de;
const VENDOR_AMD: u64 = 0x1002;

/// What PoCL calls its platform.
const POCL: &str = "Portable Computing Language";
/// The option of a compiler that does nothing to make a text faster.
const PLAIN: &str = " -cl-opt-disable";

/// The extension with atomic sums of floating-point numbers.
const FLOAT_ATOMICS: &str = "cl_ext_float_atomics";
/// What `cl_nv_device_attribute_query` gives: the two numbers of the compute capability.
const CAPABILITY_NV: [cl::cl_device_info; 2] = [0x4000, 0x4001];

/// The environment variable that says which code cores run, and what it may be.
const CODE: &str = "ACCRUE_OPENCL_CODE";
const GROUPS: &str = "groups";

/// What a device is, as far as its driver says.
pub struct Facts {
    pub id: DeviceId,
    pub platform: String,
    pub name: String,
    pub vendor: String,
    /// Of the driver and of the platform.
    pub version: String,
    pub memory: u64,
    pub compute_units: u64,
    /// Work items that a compute unit is taken to hold at the same time.
    pub held: u64,
    /// Most work items of a group.
    pub group: u64,
    pub has: Has,
    pub kind: u64,
    vendor_id: u64,
    svm: u64,
    /// Bytes of the largest buffer.
    pub largest: usize,
    /// Options of the driver's compiler.
    pub options: CString,
    /// A gang is to be one work item, on a core of its own.
    pub has_cores: bool,
    /// Larger transfers go through pinned memory: on a device with memory of its own.
    pub wants_pinned: bool,
}

/// A device that was found.
enum Offer {
    Usable(Facts),
    /// With the reason.
    Unusable(Facts, &'static str),
}

fn find() -> std::result::Result<Vec<Found>, registry::Problem> {
    let problem = |text| registry::Problem {
        text,
        surprising: false,
    };
    let opencl = driver::get().map_err(|missing| problem(missing_text(&missing)))?;
    let offers = offers(opencl).map_err(|status| {
        problem(match status {
            Status::NO_PLATFORM => {
                "there is no driver; see /etc/OpenCL/vendors (apt-get install pocl-opencl-icd has one for CPUs)".into()
            }
            status => format!("clGetPlatformIDs: {} ({})", status.name(), status.0),
        })
    })?;
    let wanted = device_type::wanted_name();
    let mut refused = vec![];
    let mut found = vec![];
    for offer in offers {
        match offer {
            Offer::Unusable(facts, why) => refused.push(format!("{}: {why}", facts.label())),
            Offer::Usable(facts) if wanted.as_ref().is_some_and(|name| !facts.has(name)) => {
                refused.push(format!("{}: not asked for", facts.label()));
            }
            Offer::Usable(facts) => found.push(facts),
        }
    }
    if found.is_empty() {
        let refused = match refused.is_empty() {
            true => "the drivers offer no device".into(),
            false => refused.join("; "),
        };
        return Err(problem(refused));
    }
    // Numbers begin with what a program gets that has not asked.
    found.sort_by_key(|facts| (!facts.is_default(), !facts.is_gpu()));
    let device = |(number, facts): (usize, Facts)| Found {
        types: if facts.vendor_id == VENDOR_AMD && facts.is_gpu() {
            RADEON
        } else {
            OPENCL
        },
        by_default: facts.is_default(),
        device: Box::new(OpenClDevice::new(opencl, number, facts)),
    };
    Ok(found.into_iter().enumerate().map(device).collect())
}

fn missing_text(missing: &Missing) -> String {
    match missing {
        Missing::Library(reason) => format!(
            "the library of OpenCL was not found ({reason}); apt-get install ocl-icd-libopencl1 and a driver"
        ),
        Missing::Function(name) => format!(
            "libOpenCL.so.1 has no function {name}; OpenCL 2.0 or later is needed (apt-get install ocl-icd-libopencl1)"
        ),
    }
}

/// All devices; those of a platform that fails are left out.
fn offers(opencl: &'static OpenCl) -> Result<Vec<Offer>> {
    let mut offers = vec![];
    for platform in opencl.platforms()? {
        let devices = own_faults::keep_handler(|| opencl.devices(platform));
        for device in devices.unwrap_or_default() {
            if let Ok(facts) = facts(opencl, platform, device) {
                offers.push(judge(opencl, facts));
            }
        }
    }
    Ok(offers)
}

fn facts(opencl: &OpenCl, platform: Platform, device: DeviceId) -> Result<Facts> {
    let number = |name| opencl.device_number(device, name);
    let driver = opencl.device_text(device, cl::CL_DRIVER_VERSION)?;
    let version = opencl.platform_text(platform, cl::CL_PLATFORM_VERSION)?;
    let has_own_memory = number(cl::CL_DEVICE_HOST_UNIFIED_MEMORY)? == 0;
    Ok(Facts {
        id: device,
        platform: opencl.platform_text(platform, cl::CL_PLATFORM_NAME)?,
        name: opencl.device_text(device, cl::CL_DEVICE_NAME)?,
        vendor: opencl.device_text(device, cl::CL_DEVICE_VENDOR)?,
        version: format!("{version}, driver {driver}"),
        memory: number(cl::CL_DEVICE_GLOBAL_MEM_SIZE)?,
        compute_units: number(cl::CL_DEVICE_MAX_COMPUTE_UNITS)?.max(1),
        held: held(capability(opencl, device)),
        group: number(cl::CL_DEVICE_MAX_WORK_GROUP_SIZE)?,
        has: Has {
            // A device without them need not know the question.
            doubles: number(cl::CL_DEVICE_DOUBLE_FP_CONFIG).unwrap_or(0) != 0,
            parameter_bytes: number(cl::CL_DEVICE_MAX_PARAMETER_SIZE)?,
        },
        kind: number(cl::CL_DEVICE_TYPE)?,
        vendor_id: number(cl::CL_DEVICE_VENDOR_ID)?,
        // A device of OpenCL 1.2 does not know the question.
        svm: number(cl::CL_DEVICE_SVM_CAPABILITIES).unwrap_or(0),
        largest: usize::try_from(number(cl::CL_DEVICE_MAX_MEM_ALLOC_SIZE)?).unwrap_or(usize::MAX),
        options: options(opencl, device)?,
        has_cores: number(cl::CL_DEVICE_TYPE)? & cl::CL_DEVICE_TYPE_CPU != 0 && !wants_groups(),
        wants_pinned: transfer::wanted().unwrap_or(has_own_memory),
    })
}

/// Options of the driver's compiler: OpenCL C 1.2, which all devices know, or 3.0 where sums of floating-point numbers need it.
/// Quotients and roots of `float` are rounded as the host rounds them where the device can do that.
fn options(opencl: &OpenCl, device: DeviceId) -> Result<CString> {
    let number = |name| opencl.device_number(device, name);
    let extensions = opencl.device_text(device, cl::CL_DEVICE_EXTENSIONS)?;
    let mut options = match extensions.split(' ').any(|name| name == FLOAT_ATOMICS) {
        true => "-cl-std=CL3.0 -DACCRUE_FLOAT_ATOMICS".to_string(),
        false => "-cl-std=CL1.2".to_string(),
    };
    if number(cl::CL_DEVICE_SINGLE_FP_CONFIG)? & cl::CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT != 0 {
        options += " -cl-fp32-correctly-rounded-divide-sqrt";
    }
    // Of two sizes: loops of doubles, or else of long integers, and those of narrower numbers only.
    let wide = [
        cl::CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE,
        cl::CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG,
    ];
    let narrow = [cl::CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT];
    for (bits, widths) in [(64, &wide[..]), (32, &narrow[..])] {
        if widths.iter().any(|name| number(*name).unwrap_or(0) > 1) {
            options += &format!(" -DACCRUE_VECTORS_{bits}=1");
        }
    }
    if let Some((major, minor)) = capability(opencl, device) {
        options += &format!(" -DACCRUE_NVIDIA={}", major * 10 + minor);
    }
    Ok(CString::new(options).unwrap_or_default())
}

/// The compute capability of one of NVIDIA's GPUs.
fn capability(opencl: &OpenCl, device: DeviceId) -> Option<(u64, u64)> {
    let number = |name| opencl.device_number(device, name).ok();
    number(cl::CL_DEVICE_VENDOR_ID).filter(|id| *id == VENDOR_NVIDIA)?;
    let [major, minor] = CAPABILITY_NV;
    Some((number(major)?, number(minor)?))
}

/// Work items that a compute unit holds at the same time. Of NVIDIA's GPUs it is known (CUDA's guide, technical specifications per compute
/// capability). No driver says it, and today's units of other vendors hold 1024 to 2048.
fn held(capability: Option<(u64, u64)>) -> u64 {
    match capability {
        None | Some((7, 5)) => 1024,
        Some((8, 6 | 7 | 9) | (12, _)) => 1536,
        Some(_) => 2048,
    }
}

/// Whether cores are to run the code for groups of work items as well.
fn wants_groups() -> bool {
    std::env::var(CODE).is_ok_and(|value| value == GROUPS)
}

fn judge(opencl: &OpenCl, facts: Facts) -> Offer {
    let number = |name| opencl.device_number(facts.id, name).unwrap_or(0);
    let why = if number(cl::CL_DEVICE_AVAILABLE) == 0 {
        "it is not available"
    } else if number(cl::CL_DEVICE_COMPILER_AVAILABLE) == 0 {
        "its driver has no compiler"
    } else if number(cl::CL_DEVICE_ADDRESS_BITS) != 64 || number(cl::CL_DEVICE_ENDIAN_LITTLE) == 0 {
        "its addresses are not of 64 bits, or its bytes are in another order than the host's"
    } else if facts.group < u64::from(WARP) {
        "its groups have fewer than 32 work items"
    } else {
        return Offer::Usable(facts);
    };
    Offer::Unusable(facts, why)
}

impl Facts {
    /// A GPU or an accelerator.
    pub fn is_gpu(&self) -> bool {
        self.kind & (cl::CL_DEVICE_TYPE_GPU | cl::CL_DEVICE_TYPE_ACCELERATOR) != 0
    }

    /// Cores of this machine's CPUs.
    pub fn is_cores(&self) -> bool {
        self.kind & cl::CL_DEVICE_TYPE_CPU != 0
    }

    /// Whether it is what a program wants that has not asked for a device.
    fn is_default(&self) -> bool {
        self.is_gpu() && self.vendor_id != VENDOR_NVIDIA
    }

    /// Options of the driver's compiler for a kernel. PoCL makes a loop over the work items of a group of what is between two barriers,
    /// after it has optimised the text as if it were that of one work item: where barriers are in branches in loops, 3.1 then merges ways
    /// that are at different barriers, with wrong results (`tests/run/reduction/barriers_in_arms.c`).
    pub fn options_of(&self, code: &SimtKernel) -> Cow<'_, CStr> {
        let in_branches = code.flags & SIMT_WAITS_IN_BRANCHES != 0;
        if !self.is_cores() || self.platform != POCL || !in_branches {
            return Cow::from(&*self.options);
        }
        let options = [self.options.as_bytes(), PLAIN.as_bytes()].concat();
        Cow::from(CString::new(options).unwrap_or_default())
    }

    /// Whether all device memory has to be one buffer, since there is no shared virtual memory.
    pub fn needs_buffer(&self) -> bool {
        self.svm & cl::CL_DEVICE_SVM_COARSE_GRAIN_BUFFER == 0 || buffer::is_wanted()
    }

    /// Whether the host may use memory of the device without copies, if it asks for such memory.
    pub fn has_fine_memory(&self) -> bool {
        !self.needs_buffer() && self.svm & cl::CL_DEVICE_SVM_FINE_GRAIN_BUFFER != 0
    }

    /// Whether the name of the device or of its platform contains the text, in upper or lower case.
    fn has(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        [&self.name, &self.platform]
            .iter()
            .any(|own| own.to_lowercase().contains(&name))
    }

    /// `pthread-haswell (Portable Computing Language)`
    fn label(&self) -> String {
        format!("{} ({})", self.name, self.platform)
    }
}

/// Whether looking for GPUs is worth loading all drivers of OpenCL, one of which may be a compiler of some 100 MB: the system
/// shows every GPU as a file.
fn may_have_gpu() -> bool {
    const FILES: [&str; 6] = [
        "/dev/dri",
        "/dev/kfd",
        "/dev/dxg",
        "/dev/mali0",
        "/dev/kgsl-3d0",
        "/dev/accel",
    ];
    FILES.iter().any(|file| Path::new(file).exists())
}

/// What `accrue doctor` says of each device that OpenCL offers.
pub fn report() -> Vec<String> {
    let opencl = match driver::get() {
        Ok(opencl) => opencl,
        Err(Missing::Library(_)) => return vec![],
        Err(missing @ Missing::Function(_)) => {
            return vec![format!("OpenCL is not used: {}", missing_text(&missing))];
        }
    };
    let line = |offer: Offer| match offer {
        Offer::Usable(facts) => {
            let memory = facts.memory as f64 / f64::from(1 << 30);
            format!(
                "{}, {memory:.1} GiB, {}, addresses {}{}",
                facts.label(),
                facts.version,
                match facts.needs_buffer() {
                    true => "in one buffer",
                    false => "by shared virtual memory",
                },
                match facts.has.doubles {
                    true => "",
                    false => ", no `double`: regions that compute with it run on the host",
                }
            )
        }
        Offer::Unusable(facts, why) => format!("{} is not used: {why}", facts.label()),
    };
    let offers = offers(opencl).unwrap_or_default();
    offers.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::held;

    #[test]
    fn what_a_unit_holds_is_known_of_nvidias_gpus() {
        assert_eq!(held(None), 1024);
        assert_eq!(held(Some((7, 0))), 2048);
        assert_eq!(held(Some((7, 5))), 1024);
        assert_eq!(held(Some((8, 9))), 1536);
        assert_eq!(held(Some((9, 0))), 2048);
    }
}
