//! Finding missing data clauses when the CPU device has memory of its own.
//!
//! A host pointer that is not present reaches a kernel as an address in the *window*: a large
//! reserved range without access. Each (directive, variable) has its own part of the window, so
//! the fault handler can name both:
//!
//! `accrue: fatal error: heat.c:12: the kernel accesses 'a', which is not on device cpu:0 …`
//!
//! Other faults inside a kernel are reported with the directive and then left to whatever handler
//! was there before.

use super::pool;
use crate::fatal;
use crate::site::SiteState;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// Bytes of the window per variable; its address points to the middle.
const PART: usize = 1 << 36;
const PARTS: usize = 256;
/// Outside the canonical addresses of all 64-bit machines; for when no window can be had.
const NOWHERE: usize = 0x00ac_c000_0000_0000;

struct Part {
    site: AtomicPtr<SiteState>,
    var: AtomicUsize,
    /// The host address that the part last stood for.
    host: AtomicUsize,
}

/// A host pointer keeps its alignment up to this in the window.
const ALIGNMENT: usize = 64;

static PARTS_IN_USE: [Part; PARTS] = [const {
    Part {
        site: AtomicPtr::new(std::ptr::null_mut()),
        var: AtomicUsize::new(0),
        host: AtomicUsize::new(0),
    }
}; PARTS];
static NEXT_PART: AtomicUsize = AtomicUsize::new(0);
/// Start and number of parts of the window; 0 parts when there is none.
static WINDOW: OnceLock<(usize, usize)> = OnceLock::new();
static PREVIOUS: OnceLock<libc::sigaction> = OnceLock::new();

/// Reserves the window and installs the handler.
pub fn install() {
    WINDOW.get_or_init(|| {
        let mut parts = PARTS;
        while parts > 0 {
            // SAFETY: a new private mapping without access disturbs nothing.
            let start = unsafe {
                libc::mmap(
                    std::ptr::null_mut(),
                    parts * PART,
                    libc::PROT_NONE,
                    libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                    -1,
                    0,
                )
            };
            if start != libc::MAP_FAILED {
                return (start as usize, parts);
            }
            parts /= 2;
        }
        (0, 0)
    });
    PREVIOUS.get_or_init(|| {
        // SAFETY: zero is a valid start for both structures; the handler has the signature
        // that SA_SIGINFO asks for.
        unsafe {
            let mut previous: libc::sigaction = std::mem::zeroed();
            let mut action: libc::sigaction = std::mem::zeroed();
            let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) =
                on_fault;
            action.sa_sigaction = handler as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigaction(libc::SIGSEGV, &action, &mut previous);
            previous
        }
    });
}

/// The address a kernel gets for variable `var` of `site`, whose data is not present.
pub fn absent_address(host: usize, site: &'static SiteState, var: usize) -> usize {
    let Some(&(start, parts)) = WINDOW.get().filter(|(_, parts)| *parts > 0) else {
        return NOWHERE;
    };
    let site = std::ptr::from_ref(site).cast_mut();
    let used = NEXT_PART.load(Ordering::Acquire).min(parts);
    let known = PARTS_IN_USE[..used].iter().position(|part| {
        part.site.load(Ordering::Relaxed) == site && part.var.load(Ordering::Relaxed) == var
    });
    let part = known.unwrap_or_else(|| {
        let part = NEXT_PART.fetch_add(1, Ordering::AcqRel) % parts;
        PARTS_IN_USE[part].var.store(var, Ordering::Relaxed);
        PARTS_IN_USE[part].site.store(site, Ordering::Release);
        part
    });
    PARTS_IN_USE[part].host.store(host, Ordering::Relaxed);
    start + part * PART + PART / 2 + host % ALIGNMENT
}

extern "C" fn on_fault(
    signal: libc::c_int,
    info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
) {
    // SAFETY: the kernel passes a valid siginfo to a SA_SIGINFO handler.
    let address = unsafe { (*info).si_addr() } as usize;
    let (start, parts) = WINDOW.get().copied().unwrap_or((0, 0));
    if address.wrapping_sub(start) < parts * PART {
        let part = &PARTS_IN_USE[(address - start) / PART];
        let site = part.site.load(Ordering::Acquire);
        if !site.is_null() {
            // SAFETY: only leaked `SiteState`s are stored.
            let site = unsafe { &*site };
            let var = part.var.load(Ordering::Relaxed);
            let host = part.host.load(Ordering::Relaxed);
            let middle = PART / 2 + host % ALIGNMENT;
            let offset = ((address - start) % PART) as i64 - middle as i64;
            report(format_args!(
                "accrue: fatal error: {}: the kernel accesses '{}' ({offset} bytes from host \
                 address {host:#x}), but its data is not on device cpu:0; add a data clause for it, or unset \
                 ACCRUE_CPU_MEMORY=discrete\n",
                site.var_place(var),
                site.vars[var].name,
            ));
            fatal::leave_at_once();
        }
    }
    if let Some(site) = pool::current_region() {
        report(format_args!(
            "accrue: error: {}: the kernel of this {} accesses the invalid address {address:#x} \
             (an index out of bounds, or a pointer to host memory that was not translated)\n",
            site.place(),
            site.kind.name(),
        ));
    }
    pass_on(signal, info, context);
}

/// Formats into a buffer on the stack, as a signal handler must not allocate, and writes it.
fn report(text: std::fmt::Arguments<'_>) {
    use std::io::Write;
    let mut buffer = [0u8; 1024];
    let mut rest = &mut buffer[..];
    let _ = rest.write_fmt(text);
    let left = rest.len();
    let len = buffer.len() - left;
    // SAFETY: the buffer has `len` initialised bytes.
    unsafe { libc::write(2, buffer.as_ptr().cast(), len) };
}

/// Calls the handler that was there before, or lets the default action happen.
fn pass_on(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: `previous` describes the handler the user's program had installed; it is called as
    // the system would call it. Resetting to the default makes the repeated fault end the process.
    unsafe {
        match PREVIOUS.get() {
            Some(previous)
                if previous.sa_sigaction != libc::SIG_DFL
                    && previous.sa_sigaction != libc::SIG_IGN =>
            {
                if previous.sa_flags & libc::SA_SIGINFO != 0 {
                    let handler: extern "C" fn(
                        libc::c_int,
                        *mut libc::siginfo_t,
                        *mut libc::c_void,
                    ) = std::mem::transmute(previous.sa_sigaction);
                    handler(signal, info, context);
                } else {
                    let handler: extern "C" fn(libc::c_int) =
                        std::mem::transmute(previous.sa_sigaction);
                    handler(signal);
                }
            }
            Some(_) | None => {
                libc::signal(signal, libc::SIG_DFL);
            }
        }
    }
}
