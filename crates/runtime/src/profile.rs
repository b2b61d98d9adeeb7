//! `ACCRUE_TIME=1`: a table at exit with the time and the bytes of each directive.
//!
//! `NVCOMPILER_ACC_TIME=1` is an alias. Times are those of the calling thread; for asynchronous
//! directives that is the time to enqueue. Devices that measure kernels by themselves, as those behind OpenCL, have a column for it.

use crate::once::{Brief, Once};
use crate::site::SiteState;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// Counters of one directive.
#[derive(Debug)]
pub struct Profile {
    count: AtomicU64,
    total_ns: AtomicU64,
    min_ns: AtomicU64,
    max_ns: AtomicU64,
    bytes_in: AtomicU64,
    bytes_out: AtomicU64,
    /// What the device says of the kernels' times; 0 where it says nothing.
    device_ns: AtomicU64,
}

impl Default for Profile {
    fn default() -> Self {
        Profile {
            count: AtomicU64::new(0),
            total_ns: AtomicU64::new(0),
            min_ns: AtomicU64::new(u64::MAX),
            max_ns: AtomicU64::new(0),
            bytes_in: AtomicU64::new(0),
            bytes_out: AtomicU64::new(0),
            device_ns: AtomicU64::new(0),
        }
    }
}

impl Profile {
    /// Counts bytes copied to the device.
    pub fn add_bytes_in(&self, bytes: usize) {
        self.bytes_in.fetch_add(bytes as u64, Relaxed);
    }

    /// Counts bytes copied from the device.
    pub fn add_bytes_out(&self, bytes: usize) {
        self.bytes_out.fetch_add(bytes as u64, Relaxed);
    }

    /// Counts time that a kernel took on the device.
    pub fn add_device_time(&self, ns: u64) {
        self.device_ns.fetch_add(ns, Relaxed);
    }

    fn add_time(&self, ns: u64) {
        self.count.fetch_add(1, Relaxed);
        self.total_ns.fetch_add(ns, Relaxed);
        self.min_ns.fetch_min(ns, Relaxed);
        self.max_ns.fetch_max(ns, Relaxed);
    }
}

static SITES: Brief<Vec<&'static SiteState>> = Brief::new(Vec::new());
static ENABLED: Once<bool> = Once::new();

/// Whether directives are timed.
pub fn enabled() -> bool {
    *ENABLED.get_or_init(|| {
        let on = ["ACCRUE_TIME", "NVCOMPILER_ACC_TIME"]
            .iter()
            .find_map(|name| std::env::var(name).ok())
            .is_some_and(|value| !value.is_empty() && value != "0");
        if on {
            // SAFETY: `print_at_exit` is a C function without arguments; a failed registration
            // only loses the table.
            unsafe { libc::atexit(print_at_exit) };
        }
        on
    })
}

/// Makes a site known to the table.
pub fn add_site(site: &'static SiteState) {
    if enabled() {
        SITES.lock().push(site);
    }
}

/// Measures until dropped; free when the table is not wanted.
pub struct Timer {
    site: &'static SiteState,
    start: Option<Instant>,
}

impl Timer {
    /// Starts measuring one execution of the directive.
    pub fn start(site: &'static SiteState) -> Timer {
        Timer {
            site,
            start: enabled().then(Instant::now),
        }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        if let Some(start) = self.start {
            self.site
                .profile
                .add_time(start.elapsed().as_nanos() as u64);
        }
    }
}

extern "C" fn print_at_exit() {
    if crate::fatal::dying() {
        return;
    }
    let mut sites = SITES.lock().clone();
    sites.sort_by_key(|site| std::cmp::Reverse(site.profile.total_ns.load(Relaxed)));
    // Only some devices say how long kernels took.
    let measured = sites
        .iter()
        .any(|site| site.profile.device_ns.load(Relaxed) > 0);
    let of_device = |text: &dyn std::fmt::Display| match measured {
        true => format!(" {text:>14}"),
        false => String::new(),
    };
    let mut table = format!(
        "accrue: time per directive in microseconds\n{:>10} {:>14} {:>12} {:>12} {:>12}{} {:>14} {:>14}  place\n",
        "count",
        "total",
        "mean",
        "min",
        "max",
        of_device(&"on the device"),
        "bytes in",
        "bytes out"
    );
    for site in sites {
        let profile = &site.profile;
        let count = profile.count.load(Relaxed);
        if count == 0 {
            continue;
        }
        let total = profile.total_ns.load(Relaxed) as f64 / 1000.0;
        let _ = writeln!(
            table,
            "{count:>10} {total:>14.1} {:>12.2} {:>12.2} {:>12.2}{} {:>14} {:>14}  {}:{} {} ({})",
            total / count as f64,
            profile.min_ns.load(Relaxed) as f64 / 1000.0,
            profile.max_ns.load(Relaxed) as f64 / 1000.0,
            of_device(&format_args!(
                "{:.1}",
                profile.device_ns.load(Relaxed) as f64 / 1000.0
            )),
            profile.bytes_in.load(Relaxed),
            profile.bytes_out.load(Relaxed),
            site.file,
            site.line,
            site.kind.name(),
            site.function,
        );
    }
    let _ = std::io::stderr().write_all(table.as_bytes());
}
