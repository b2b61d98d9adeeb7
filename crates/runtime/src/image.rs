//! What the loaded executables and libraries bring along.
//!
//! A program may have been compiled for some kinds of devices only. Then others are not chosen by default: every region would
//! have to run on the host, with copies to and fro.

use crate::abi::{FormKind, Image, SITE_ASYNC_GIVEN, Site};
use crate::words::array;
use std::sync::atomic::{
    AtomicBool, AtomicU32,
    Ordering::{AcqRel, Relaxed},
};

/// The forms that some kernel has, as bits; 0: there are no kernels.
static FORMS: AtomicU32 = AtomicU32::new(0);
static USES_QUEUES: AtomicBool = AtomicBool::new(false);

/// Looks at the directives of an image. Touches no device.
///
/// # Safety
/// The image is valid.
pub unsafe fn register(image: &Image) {
    // SAFETY: a valid image has `nsites` sites.
    let sites: &[*const Site] = unsafe { array(image.sites, image.nsites) };
    for &site in sites {
        // SAFETY: as above.
        let site = unsafe { &*site };
        if site.flags & SITE_ASYNC_GIVEN != 0 {
            USES_QUEUES.store(true, Relaxed);
        }
        // SAFETY: a valid site has `nkernels` kernels.
        for kernel in unsafe { array(site.kernels, site.nkernels) } {
            // SAFETY: as above.
            for form in unsafe { array(kernel.forms, kernel.nforms) } {
                FORMS.fetch_or(1 << form.kind, AcqRel);
            }
        }
    }
}

/// Whether a directive of the program has an `async` clause.
pub fn uses_queues() -> bool {
    USES_QUEUES.load(Relaxed)
}

/// False when the program has kernels, but none in one of the forms.
pub fn has_code(forms: &[FormKind]) -> bool {
    let present = FORMS.load(Relaxed);
    present == 0 || forms.iter().any(|form| present & (1 << *form as u32) != 0)
}
