//! Faults in kernels that run in the program's own process, which are the CPU device's and those on CPU cores behind OpenCL: null pointers, and
//! missing data clauses where the device has memory of its own.
//!
//! With memory of its own, a host pointer that is not present reaches a kernel as an address in the *window*: a large
//! reserved range without access. Each (directive, variable) has its own part of the window, so
//! the fault handler can name both:
//!
//! `accrue: fatal error: heat.c:12: the kernel accesses 'a', which is not on device cpu:0 …`
//!
//! Other faults inside a kernel of the CPU device are reported with the directive and then left to whatever handler
//! was there before.

use super::absent::{PART, PARTS, Window};
use super::cpu::pool;
use crate::fatal;
use crate::once::Once;
use crate::site::SiteState;
use std::fmt::{self, Display};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The reserved range, or, when none could be had, addresses that are nowhere.
static WINDOW: Once<Window> = Once::new();
/// Whose kernels the parts of the window have been given to last: see [`Holder::number`].
static HOLDERS: [AtomicUsize; PARTS] = [const { AtomicUsize::new(0) }; PARTS];
/// Addresses below are those of a null pointer's elements.
const PAGE: usize = 4096;
static PREVIOUS: Once<libc::sigaction> = Once::new();
/// A thread is reporting a fault and ends the process; others that fault meanwhile say nothing.
static REPORTED: AtomicBool = AtomicBool::new(false);

/// A device whose kernels run in this process.
#[derive(Clone, Copy)]
pub enum Holder {
    Cpu,
    /// With its number among those behind OpenCL.
    OpenCl(usize),
}

impl Holder {
    fn number(self) -> usize {
        match self {
            Holder::Cpu => 0,
            Holder::OpenCl(ordinal) => ordinal + 1,
        }
    }

    fn from_number(number: usize) -> Holder {
        match number {
            0 => Holder::Cpu,
            number => Holder::OpenCl(number - 1),
        }
    }

    /// What to do about data that is not there.
    fn remedy(self) -> &'static str {
        match self {
            Holder::Cpu => "add a data clause for it, or unset ACCRUE_CPU_MEMORY=discrete",
            Holder::OpenCl(_) => "add a data clause for it",
        }
    }
}

impl Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Holder::Cpu => write!(f, "cpu:0"),
            Holder::OpenCl(ordinal) => write!(f, "opencl:{ordinal}"),
        }
    }
}

/// Reserves the window.
pub fn reserve() {
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
                let start = start as usize;
                return Window { start, parts };
            }
            parts /= 2;
        }
        Window::NOWHERE
    });
}

/// Installs the handler.
pub fn install() {
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

/// Runs `load`, which may load drivers, and leaves the handler of faults as it was: the compiler behind PoCL puts one of its own on top of
/// it, which is gone for a moment when it runs, so that a second thread that faults meanwhile ended the process without a message.
pub fn keep_handler<T>(load: impl FnOnce() -> T) -> T {
    // SAFETY: zero is a valid start; the handler is only read here, and set to what it was.
    unsafe {
        let mut before: libc::sigaction = std::mem::zeroed();
        libc::sigaction(libc::SIGSEGV, std::ptr::null(), &mut before);
        let loaded = load();
        libc::sigaction(libc::SIGSEGV, &before, std::ptr::null_mut());
        loaded
    }
}

/// The address a kernel of the device gets for variable `var` of `site`, whose data is not present.
pub fn absent_address(host: usize, site: &'static SiteState, var: usize, holder: Holder) -> usize {
    let window = WINDOW.get().copied().unwrap_or(Window::NOWHERE);
    let address = window.address(host, site, var);
    HOLDERS[(address - window.start) / PART].store(holder.number(), Ordering::Relaxed);
    address
}

extern "C" fn on_fault(
    signal: libc::c_int,
    info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
) {
    // SAFETY: the kernel passes a valid siginfo to a SA_SIGINFO handler.
    let address = unsafe { (*info).si_addr() } as usize;
    if let Some(window) = WINDOW.get()
        && let Some(absent) = window.find(address)
    {
        let holder = HOLDERS[(address - window.start) / PART].load(Ordering::Relaxed);
        let holder = Holder::from_number(holder);
        while REPORTED.swap(true, Ordering::Relaxed) {
            // SAFETY: waiting is allowed in signal handlers.
            unsafe { libc::pause() };
        }
        report(format_args!(
            "accrue: fatal error: {}: the kernel accesses '{}' ({} bytes from host \
             address {:#x}), but its data is not on device {holder}; {}\n",
            absent.site.var_place(absent.var),
            absent.name(),
            absent.offset,
            absent.host,
            holder.remedy(),
        ));
        fatal::leave_at_once();
    }
    if let Some(site) = pool::current_region() {
        let reason = match (address, WINDOW.get()) {
            (0..PAGE, _) => "a null pointer",
            (_, None) => "an index out of bounds",
            (_, Some(_)) => {
                "an index out of bounds, or a pointer to host memory that was not translated"
            }
        };
        report(format_args!(
            "accrue: error: {}: the kernel of this {} accesses the invalid address {address:#x} ({reason})\n",
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
