//! What must not outlive the run: temporary directories, half-written outputs and child processes.
//!
//! Everything is in one list so that a signal can end the run as completely as an error does: the children are told to
//! end, the files go, and the driver dies of the signal so that its parent sees why.
//!
//! ```text
//! SIGINT                    cc gets SIGINT,  /tmp/accrue-… goes, accrue dies of SIGINT
//! SIGXFSZ (ulimit -f)       cc gets SIGTERM, /tmp/accrue-… goes, accrue dies of SIGXFSZ
//! SIGHUP under nohup        ignored, as nohup wants it
//! ```
//!
//! SIGPIPE is not among them: Rust's runtime ignores it, and what is written to a closed pipe is an error like others.
//! SIGSEGV, SIGILL and SIGFPE are left to Rust's runtime, which reports that the stack has overflowed.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use signal_hook::consts::{
    SIGABRT, SIGALRM, SIGBUS, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP,
    SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ,
};
use signal_hook::iterator::Signals;
use signal_hook::low_level::{emulate_default_handler, exit};

/// The signals with names that end a process unless it says otherwise (signal(7)).
const DEADLY: &[i32] = &[
    SIGABRT, SIGALRM, SIGBUS, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP,
    SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ,
];

/// Linux's signals without a name in POSIX: SIGSTKFLT and SIGPWR (where they have these numbers), and the real-time
/// signals that the C library leaves to programs.
const DEADLY_ON_LINUX: &[std::ops::RangeInclusive<i32>] = &[16..=16, 30..=30, 34..=64];

/// What compilers end cleanly for: others would leave their own temporary files.
const UNDERSTOOD_BY_COMPILERS: &[i32] = &[SIGHUP, SIGINT, SIGTERM];

struct Pending {
    paths: Vec<PathBuf>,
    children: Vec<u32>,
}

static PENDING: Mutex<Pending> = Mutex::new(Pending {
    paths: Vec::new(),
    children: Vec::new(),
});

fn pending() -> MutexGuard<'static, Pending> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on a signal removes everything in the list before it ends the process. Once is enough.
pub fn install() -> io::Result<()> {
    static INSTALLED: AtomicBool = AtomicBool::new(false);
    if INSTALLED.swap(true, Ordering::SeqCst) {
        return Ok(());
    }
    let mut signals = Signals::new(deadly_signals())?;
    std::thread::spawn(move || {
        // The first one is the last: it ends the process.
        if let Some(signal) = signals.forever().next() {
            let pending = pending();
            let understood = UNDERSTOOD_BY_COMPILERS.contains(&signal);
            for child in &pending.children {
                forward(*child, if understood { signal } else { SIGTERM });
            }
            for path in &pending.paths {
                remove(path);
            }
            // Returns for signals that it does not know; what a shell says of such an end is kept.
            let _ = emulate_default_handler(signal);
            exit(128 + signal);
        }
    });
    Ok(())
}

/// The signals that end this process: not those that its parent has had ignored, as nohup does.
fn deadly_signals() -> Vec<i32> {
    let ignored = ignored_signals();
    let of_linux = DEADLY_ON_LINUX.iter().cloned().flatten();
    let all = DEADLY.iter().copied().chain(of_linux);
    all.filter(|signal| ignored >> (signal - 1) & 1 == 0)
        .collect()
}

/// A bit per ignored signal, the lowest for signal 1, as Linux tells it; none where it cannot be known.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or(0)
}

/// A file or directory that a signal must remove.
pub fn add(path: &Path) {
    pending().paths.push(path.to_owned());
}

/// The file is complete: it stays.
pub fn forget(path: &Path) {
    pending().paths.retain(|listed| listed != path);
}

/// Removes a file or directory and takes it off the list.
pub fn remove_now(path: &Path) {
    remove(path);
    forget(path);
}

pub fn add_child(process: u32) {
    pending().children.push(process);
}

pub fn forget_child(process: u32) {
    pending().children.retain(|listed| *listed != process);
}

/// A path that is not there any more is as good as removed, and there is nobody to tell about other failures.
fn remove(path: &Path) {
    let _ = if path.is_dir() {
        std::fs::remove_dir_all(path)
    } else {
        std::fs::remove_file(path)
    };
}

fn forward(process: u32, signal: i32) {
    let process = i32::try_from(process)
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    let signal = rustix::process::Signal::from_named_raw(signal);
    if let (Some(process), Some(signal)) = (process, signal) {
        // The child may have ended by itself.
        let _ = rustix::process::kill_process(process, signal);
    }
}
