//! What the loaded executables and libraries bring along.
//!
//! A program may have been compiled for the CPU alone. Then a GPU is not chosen by default: every region would have to
//! run on the host, with copies to and fro.

use crate::abi::{Image, SITE_ASYNC_GIVEN, Site};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static HAS_KERNELS: AtomicBool = AtomicBool::new(false);
static HAS_GPU_CODE: AtomicBool = AtomicBool::new(false);
static USES_QUEUES: AtomicBool = AtomicBool::new(false);

/// Looks at the directives of an image. Touches no device.
///
/// # Safety
/// The image is valid.
pub unsafe fn register(image: &Image) {
    // SAFETY: a valid image has `nsites` sites.
    let sites: &[*const Site] = unsafe { crate::words::array(image.sites, image.nsites) };
    for &site in sites {
        // SAFETY: as above.
        let site = unsafe { &*site };
        if site.flags & SITE_ASYNC_GIVEN != 0 {
            USES_QUEUES.store(true, Relaxed);
        }
        // SAFETY: a valid site has `nkernels` kernels.
        let kernels = unsafe { crate::words::array(site.kernels, site.nkernels) };
        if !kernels.is_empty() {
            HAS_KERNELS.store(true, Relaxed);
        }
        if kernels.iter().any(|kernel| !kernel.ptx.is_null()) {
            HAS_GPU_CODE.store(true, Relaxed);
        }
    }
}

/// Whether a directive of the program has an `async` clause.
pub fn uses_queues() -> bool {
    USES_QUEUES.load(Relaxed)
}

/// False when the program has kernels, but none for a GPU.
pub fn may_use_gpu() -> bool {
    HAS_GPU_CODE.load(Relaxed) || !HAS_KERNELS.load(Relaxed)
}
