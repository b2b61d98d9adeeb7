//! The latest launches of an in-order queue, for messages: a driver says that a kernel has failed when the program waits, and
//! not which one.
//!
//! ```text
//! launch a, launch b, wait       ended: 2
//! launch c, launch d, wait ✗     suspects: c, d
//! ```

use crate::abi::Kernel;
use crate::fatal;
use crate::site::SiteState;
use crate::words;
use std::fmt::Write;
use std::sync::atomic::{
    AtomicPtr, AtomicU64,
    Ordering::{AcqRel, Acquire, Relaxed},
};

/// Launches remembered per queue.
const REMEMBERED: usize = 16;
/// Launches named in a message.
const NAMED: usize = 8;

/// A launch.
#[derive(Clone, Copy)]
pub struct Launched {
    pub site: &'static SiteState,
    pub kernel: &'static Kernel,
}

#[derive(Default)]
struct Record {
    site: AtomicPtr<SiteState>,
    kernel: AtomicPtr<Kernel>,
}

/// The launches of one queue.
#[derive(Default)]
pub struct Launches {
    records: [Record; REMEMBERED],
    /// Number of launches so far, and how many of them are known to have ended well.
    launched: AtomicU64,
    ended: AtomicU64,
}

impl Launches {
    /// Remembers a launch.
    pub fn note(&self, site: &'static SiteState, kernel: &'static Kernel) {
        let index = self.launched.fetch_add(1, AcqRel) as usize % REMEMBERED;
        let record = &self.records[index];
        record
            .site
            .store(std::ptr::from_ref(site).cast_mut(), Relaxed);
        record
            .kernel
            .store(std::ptr::from_ref(kernel).cast_mut(), Relaxed);
    }

    /// How many there were.
    pub fn count(&self) -> u64 {
        self.launched.load(Acquire)
    }

    /// The first so many have ended well.
    pub fn ended(&self, count: u64) {
        self.ended.fetch_max(count, Relaxed);
    }

    /// The launches that are not known to have ended well, oldest first, as far as they are remembered.
    pub fn suspects(&self) -> Vec<Launched> {
        let launched = self.count();
        let oldest = self
            .ended
            .load(Relaxed)
            .max(launched.saturating_sub(REMEMBERED as u64));
        (oldest..launched)
            .filter_map(|number| {
                let record = &self.records[number as usize % REMEMBERED];
                // SAFETY: only leaked sites and static kernels are stored.
                unsafe {
                    Some(Launched {
                        site: record.site.load(Relaxed).as_ref()?,
                        kernel: record.kernel.load(Relaxed).as_ref()?,
                    })
                }
            })
            .collect()
    }
}

/// Ends the program because one of these kernels has failed; `message` says how that showed, `remedy` what to do about it.
pub fn failed(mut message: String, suspects: &[Launched], remedy: &str) -> ! {
    let Some(first) = suspects.first() else {
        fatal::fatal_text_as(fatal::Error::Execution, &format!("{message}; {remedy}"));
    };
    message.push_str(if suspects.len() == 1 {
        "\n  the kernel was launched at"
    } else {
        "\n  one of these kernels, in the order of their launches:"
    });
    for suspect in suspects.iter().take(NAMED) {
        // SAFETY: a kernel's name is NUL-terminated or null.
        let kernel = unsafe { words::text(suspect.kernel.name) };
        let separator = if suspects.len() == 1 { " " } else { "\n    " };
        let _ = write!(
            message,
            "{separator}{}:{} (function {}, kernel {kernel})",
            suspect.site.file, suspect.site.line, suspect.site.function
        );
    }
    let _ = write!(message, "\n  {remedy}");
    fatal::fatal_as(fatal::Error::Execution, first.site.place(), message)
}
