//! What the loaded executables and libraries bring along.
//!
//! A program may have been compiled for the CPU alone. Then a GPU is not chosen by default: every region would have to
//! run on the host, with copies to and fro.

use crate::abi::{Image, Site};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static HAS_KERNELS: AtomicBool = AtomicBool::new(false);
static HAS_GPU_CODE: AtomicBool = AtomicBool::new(false);

/// Looks at the kernels of an image. Touches no device.
///
/// # Safety
/// The image is valid.
pub unsafe fn register(image: &Image) {
    // SAFETY: a valid image has `nsites` sites.
    let sites: &[*const Site] = unsafe { crate::words::array(image.sites, image.nsites) };
    for &site in sites {
        // SAFETY: as above; a valid site has `nkernels` kernels.
        let kernels = unsafe { crate::words::array((*site).kernels, (*site).nkernels) };
        if kernels.is_empty() {
            continue;
        }
        HAS_KERNELS.store(true, Relaxed);
        if kernels.iter().any(|kernel| !kernel.ptx.is_null()) {
            HAS_GPU_CODE.store(true, Relaxed);
            return;
        }
    }
}

/// False when the program has kernels, but none for a GPU.
pub fn may_use_gpu() -> bool {
    HAS_GPU_CODE.load(Relaxed) || !HAS_KERNELS.load(Relaxed)
}
