//! Addresses for data that is not on a device.
//!
//! A kernel that gets a host pointer whose data is not present must not reach host memory with it, and when it is used
//! the message should name the variable. So the pointer is replaced by one into a *window*, a range of addresses where
//! no device has memory. Each (directive, variable) has its own part of the window:
//!
//! ```text
//! window   | part 0: heat.c:12, 'a' | part 1: heat.c:30, 'b' | …
//!                      ^ the address a kernel gets for 'a': the middle of its part, as indices may be negative
//! ```

use crate::site::SiteState;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// Bytes of the window per variable.
pub const PART: usize = 1 << 36;
/// Most variables that are told apart; later ones take the parts of the first.
pub const PARTS: usize = 256;
/// The window of devices with an address space of their own. Neither x86-64 nor ARM nor a GPU has addresses like these.
pub const NOWHERE: usize = 0x00ac_c000_0000_0000;
/// A host pointer keeps its alignment up to this in the window.
const ALIGNMENT: usize = 64;

struct Part {
    site: AtomicPtr<SiteState>,
    var: AtomicUsize,
    /// The host address that the part last stood for.
    host: AtomicUsize,
}

static IN_USE: [Part; PARTS] = [const {
    Part {
        site: AtomicPtr::new(std::ptr::null_mut()),
        var: AtomicUsize::new(0),
        host: AtomicUsize::new(0),
    }
}; PARTS];
static NEXT: AtomicUsize = AtomicUsize::new(0);

/// A window.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    pub start: usize,
    /// At most [`PARTS`].
    pub parts: usize,
}

impl Window {
    /// The window at [`NOWHERE`].
    pub const NOWHERE: Window = Window {
        start: NOWHERE,
        parts: PARTS,
    };

    /// The address a kernel gets for variable `var` of `site`, whose data is at `host` and not present.
    pub fn address(self, host: usize, site: &'static SiteState, var: usize) -> usize {
        let site = std::ptr::from_ref(site).cast_mut();
        let used = NEXT.load(Ordering::Acquire).min(self.parts);
        let known = IN_USE[..used].iter().position(|part| {
            part.site.load(Ordering::Relaxed) == site && part.var.load(Ordering::Relaxed) == var
        });
        let part = known.unwrap_or_else(|| {
            let part = NEXT.fetch_add(1, Ordering::AcqRel) % self.parts;
            IN_USE[part].var.store(var, Ordering::Relaxed);
            IN_USE[part].site.store(site, Ordering::Release);
            part
        });
        IN_USE[part].host.store(host, Ordering::Relaxed);
        self.start + part * PART + PART / 2 + host % ALIGNMENT
    }

    /// What an address in the window stands for. May be called in signal handlers.
    pub fn find(self, address: usize) -> Option<Absent> {
        let offset = address.wrapping_sub(self.start);
        if offset >= self.parts * PART {
            return None;
        }
        let part = &IN_USE[offset / PART];
        let site = part.site.load(Ordering::Acquire);
        if site.is_null() {
            return None;
        }
        let host = part.host.load(Ordering::Relaxed);
        let middle = PART / 2 + host % ALIGNMENT;
        Some(Absent {
            // SAFETY: only leaked `SiteState`s are stored.
            site: unsafe { &*site },
            var: part.var.load(Ordering::Relaxed),
            host,
            offset: (offset % PART) as i64 - middle as i64,
        })
    }
}

/// A variable whose data is not present.
#[derive(Clone, Copy, Debug)]
pub struct Absent {
    pub site: &'static SiteState,
    /// Which variable of the directive.
    pub var: usize,
    /// The host address the kernel should have had.
    pub host: usize,
    /// How far from it the access was.
    pub offset: i64,
}

impl Absent {
    /// The variable's name.
    pub fn name(&self) -> &'static str {
        self.site.vars[self.var].name
    }
}
