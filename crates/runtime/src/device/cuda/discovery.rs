//! Which NVIDIA GPUs this machine has, or why there are none.

use super::CudaDevice;
use super::driver;
use super::driver::Driver;
use super::problem::Problem;
use super::stream::Stream;
use crate::abi::FormKind;
use crate::device::device_type::DeviceType;
use crate::device::registry::{self, ByDefault, Found};
use crate::device::streams;
use cudarc::driver::sys::CUdevice_attribute;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

/// NVIDIA GPUs. Looking for them loads and starts the CUDA driver.
pub const DRIVER: registry::Driver = registry::Driver {
    name: "NVIDIA GPU",
    forms: &[FormKind::Ptx],
    types: &[DeviceType::Nvidia],
    by_default: ByDefault::Yes,
    always_there: false,
    find,
    forget_thread: streams::forget::<Stream>,
};

fn find() -> Result<Vec<Found>, registry::Problem> {
    let found = |device| Found {
        device: Box::new(device),
        types: DRIVER.types,
        by_default: true,
    };
    match devices() {
        Ok(devices) => Ok(devices.into_iter().map(found).collect()),
        Err(problem) => Err(registry::Problem {
            text: problem.to_string(),
            surprising: problem.is_surprising(),
        }),
    }
}

/// All GPUs of this machine; or why there are none.
fn devices() -> Result<Vec<CudaDevice>, Problem> {
    let driver = driver::get()?;
    let device = |ordinal: i32| {
        CudaDevice::new(driver, ordinal).map_err(|status| Problem::Start {
            status,
            name: driver.error_name(status),
        })
    };
    (0..driver.count).map(device).collect()
}

impl CudaDevice {
    fn new(driver: &'static Driver, ordinal: i32) -> driver::Result<CudaDevice> {
        use CUdevice_attribute::*;
        let handle = driver.device(ordinal)?;
        let attribute = |attribute| driver.attribute(attribute, handle);
        Ok(CudaDevice {
            driver,
            handle,
            ordinal: ordinal as usize,
            name: format!("nvidia:{ordinal}"),
            label: leak(driver.device_name(handle)?),
            sm: 10 * attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?
                + attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
            multiprocessors: attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            threads_per_multiprocessor: attribute(
                CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR,
            )?
            .max(1),
            used: OnceLock::new(),
            forked: AtomicBool::new(false),
        })
    }
}

fn leak(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}
