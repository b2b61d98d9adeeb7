//! The library's own record of a directive: its texts as Rust strings, and its profile.
//!
//! Made at the first use of a site and kept for ever, so that messages may name a directive of
//! an image that was unloaded.

use crate::abi::{Kernel, SITE_OPENMP, Site, SiteKind};
use crate::device::simt;
use crate::disjoint::Verdict;
use crate::fatal::{self, Place};
use crate::present::table::{Hint, Origin};
use crate::profile::Profile;
use crate::version;
use crate::words;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// The record.
#[derive(Debug)]
pub struct SiteState {
    pub kind: SiteKind,
    /// The directive is OpenMP's, which has other names for what clauses say.
    pub openmp: bool,
    pub file: &'static str,
    pub function: &'static str,
    pub line: u32,
    /// The variables: names and places.
    pub vars: Vec<Origin>,
    /// Where each variable was present the last time.
    pub hints: Vec<Hint>,
    /// Which version of each kernel the last launch got; empty where no kernel has several.
    pub verdicts: Vec<Verdict>,
    /// The same of whether the device could run it; empty where that does not depend on the launch.
    pub allowed: Vec<Verdict>,
    /// Its sections have overlapped, or are of the same variable, see [`crate::region`].
    pub overlaps: AtomicBool,
    /// Which sizes the program was told about, see [`crate::device::sizes`].
    pub told: AtomicU32,
    pub profile: Profile,
}

impl SiteState {
    /// Where the directive stands.
    pub fn place(&self) -> Place {
        Place {
            file: self.file,
            line: self.line,
            what: self.kind.name(),
        }
    }

    /// Where variable number `var` of the directive stands.
    pub fn var_place(&self, var: usize) -> Place {
        self.vars[var].place
    }
}

fn leak(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

/// The record of a site.
///
/// # Safety
/// `site` is a valid site descriptor.
pub unsafe fn state(site: &Site) -> &'static SiteState {
    let known = site.runtime.load(Ordering::Acquire);
    if !known.is_null() {
        // SAFETY: only `make` stores here, a leaked `SiteState`.
        return unsafe { &*known.cast::<SiteState>() };
    }
    // SAFETY: passed on to the caller.
    unsafe { make(site) }
}

/// One for each kernel, if one of them needs it.
fn verdicts(site: &Site, needs: impl Fn(&Kernel) -> bool) -> Vec<Verdict> {
    // SAFETY: a valid site has `nkernels` kernels.
    let kernels = unsafe { crate::words::array(site.kernels, site.nkernels) };
    match kernels.iter().any(needs) {
        true => kernels.iter().map(|_| Verdict::default()).collect(),
        false => Vec::new(),
    }
}

/// Whether two clauses may be about the same variable.
fn names_twice(vars: &[Origin]) -> bool {
    let mut names: Vec<_> = vars.iter().map(Origin::variable).collect();
    names.sort_unstable();
    names
        .windows(2)
        .any(|pair| pair[0] == pair[1] && !pair[0].is_empty())
}

#[cold]
unsafe fn make(site: &Site) -> &'static SiteState {
    // SAFETY: the strings of a valid site are NUL-terminated or null.
    let (file, function) = unsafe { (words::text(site.file), words::text(site.function)) };
    // A constructor may come before the one that registers the image.
    version::check(site.abi, || file.clone(), std::ptr::from_ref(site).cast());
    let Some(kind) = SiteKind::from_raw(site.kind) else {
        fatal::fatal_text(&format!(
            "{file}:{}: unknown directive kind {}; the program was compiled by a newer accrue",
            site.line, site.kind
        ));
    };
    let file = leak(file);
    // SAFETY: a valid site has `nvars` variables.
    let vars: Vec<Origin> = unsafe { crate::words::array(site.vars, site.nvars) }
        .iter()
        .map(|var| Origin {
            // SAFETY: as above.
            name: leak(unsafe { words::text(var.name) }),
            place: Place {
                file,
                line: if var.line == 0 { site.line } else { var.line },
                what: kind.name(),
            },
        })
        .collect();
    let made: &'static SiteState = Box::leak(Box::new(SiteState {
        kind,
        openmp: site.flags & SITE_OPENMP != 0,
        file,
        function: leak(function),
        line: site.line,
        hints: vars.iter().map(|_| Hint::default()).collect(),
        verdicts: verdicts(site, simt::has_versions),
        allowed: verdicts(site, simt::may_be_left_to_host),
        overlaps: AtomicBool::new(names_twice(&vars)),
        vars,
        told: AtomicU32::new(0),
        profile: Profile::default(),
    }));
    let pointer = std::ptr::from_ref(made).cast_mut().cast::<c_void>();
    match site.runtime.compare_exchange(
        std::ptr::null_mut(),
        pointer,
        Ordering::AcqRel,
        Ordering::Acquire,
    ) {
        Ok(_) => {
            crate::profile::add_site(made);
            made
        }
        // SAFETY: another thread was faster; its record is as good.
        Err(other) => unsafe { &*other.cast::<SiteState>() },
    }
}
