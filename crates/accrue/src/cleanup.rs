//! What must not outlive the run: temporary directories, half-written outputs and child processes.
//!
//! Everything is in one list so that a signal can end the run as completely as an error does: the children and what they have
//! started are told to end, the files go when none of them can write any more, and the driver dies of the signal so that its
//! parent sees why.
//!
//! ```text
//! SIGINT                    cc gets SIGINT,  its ld SIGTERM, /tmp/accrue-… goes, accrue dies of SIGINT
//! SIGXFSZ (ulimit -f)       cc gets SIGTERM, its ld SIGTERM, /tmp/accrue-… goes, accrue dies of SIGXFSZ
//! SIGHUP under nohup        ignored, as nohup wants it
//! ```
//!
//! Removing a directory takes descriptors, which a run that fails for want of descriptors does not have: a few are kept back
//! ([`SPARE_DESCRIPTORS`]) from before there is anything to remove.
//!
//! A signal from a terminal goes to the children as well, and one of them may be dead before the signal is seen here: who
//! finds a child ended by a signal asks [`await_own_end`].
//!
//! SIGPIPE is not among them: Rust's runtime ignores it, and what is written to a closed pipe is an error like others.
//! SIGSEGV, SIGILL and SIGFPE are left to Rust's runtime, which reports that the stack has overflowed.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use signal_hook::consts::{
    SIGABRT, SIGALRM, SIGBUS, SIGHUP, SIGINT, SIGIO, SIGKILL, SIGPROF, SIGQUIT, SIGSYS, SIGTERM,
    SIGTRAP, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ,
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

/// How long processes that were told to end may take, and then those that are killed.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often nobody must be found: what loses its parent while the processes are listed may be in neither's list.
const SCANS: u32 = 3;

/// How much later than its child this process may get the signal that went to both.
const MOMENT: Duration = Duration::from_millis(50);

/// What removing a directory in a directory takes, which is also what finding this process's descendants takes: an open
/// directory, and one more or a file in it.
const SPARE_DESCRIPTORS: usize = 2;

/// How often removing is tried: other threads may write files into a directory until it is gone, or take the descriptors.
const ATTEMPTS: u32 = 100;

/// A signal that ends this process has come.
static ENDING: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

struct Pending {
    paths: Vec<PathBuf>,
    children: Vec<u32>,
    /// Given up before anything is removed.
    spare_descriptors: Vec<File>,
}

static PENDING: Mutex<Pending> = Mutex::new(Pending {
    paths: Vec::new(),
    children: Vec::new(),
    spare_descriptors: Vec::new(),
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
    // Before the flag: who finds that set waits for the thread, which must have seen the signal.
    let mut signals = Signals::new(deadly_signals())?;
    for signal in deadly_signals() {
        signal_hook::flag::register(signal, ENDING.clone())?;
    }
    std::thread::spawn(move || {
        // The first one is the last: it ends the process.
        if let Some(signal) = signals.forever().next() {
            ENDING.store(true, Ordering::SeqCst);
            // Held to the end: nobody else may take a child's end for a failure of its own.
            let mut pending = pending();
            pending.spare_descriptors.clear();
            end_children(&pending.children, signal);
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

/// Ends the children and all that they have started, and returns when none of them can write files any more.
///
/// A shell that has just begun still has its parent's handlers, which may swallow the signal (`trap 'work &' TERM`): whoever
/// is alive without handling the signal that it was sent has lost it, and gets it again. That must come before the signal to
/// its own children: it waits for one of them, and would go on to its next command.
fn end_children(children: &[u32], signal: i32) {
    // What loses its parent in the meantime is then a child of this process.
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    let understood = UNDERSTOOD_BY_COMPILERS.contains(&signal);
    let start = Instant::now();
    let mut told: Vec<u32> = vec![];
    let mut empty_scans = 0;
    while empty_scans < SCANS && start.elapsed() < 2 * PATIENCE {
        let late = start.elapsed() > PATIENCE;
        let mut alive = vec![];
        for process in descendants() {
            let kind = match children.contains(&process) && understood {
                _ if late => SIGKILL,
                true => signal,
                false => SIGTERM,
            };
            let Some(handling) = handling(process, kind) else {
                continue;
            };
            if late || handling == Handling::Default || !told.contains(&process) {
                forward(process, kind);
            }
            alive.push(process);
        }
        empty_scans = match alive.is_empty() {
            true => empty_scans + 1,
            false => 0,
        };
        told = alive;
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// What this process has started, as Linux tells it, parents before what they have started; nothing where it cannot be known.
fn descendants() -> Vec<u32> {
    let mut found: Vec<u32> = vec![];
    let mut next = vec!["self".to_string()];
    while let Some(process) = next.pop() {
        let threads = std::fs::read_dir(format!("/proc/{process}/task"));
        for thread in threads.into_iter().flatten().flatten() {
            let list = std::fs::read_to_string(thread.path().join("children"));
            for number in list.unwrap_or_default().split_whitespace() {
                let Ok(number) = number.parse() else { continue };
                if !found.contains(&number) {
                    found.push(number);
                    next.push(number.to_string());
                }
            }
        }
    }
    found
}

/// What becomes of a signal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Handling {
    /// It ends the process, as soon as it is not blocked.
    Default,
    /// The process has a handler for it or ignores it.
    Own,
}

/// How a process handles a signal; none if it has ended, which one that its parent has not asked for yet has.
fn handling(process: u32, signal: i32) -> Option<Handling> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    // The name in the first line is the program's choice, but has no line breaks.
    let field = |name| status.lines().find_map(|line| line.strip_prefix(name));
    if field("State:")?.trim_start().starts_with(['Z', 'X']) {
        return None;
    }
    // One that is blocked waits, as shells have it until a child has begun.
    let mut masks = ["SigIgn:", "SigCgt:"].into_iter();
    let own = masks.any(|name| field(name).is_some_and(|mask| holds(mask, signal)));
    Some(if own {
        Handling::Own
    } else {
        Handling::Default
    })
}

/// Whether a signal is in a mask as Linux writes it: a bit per signal, the lowest for signal 1.
fn holds(mask: &str, signal: i32) -> bool {
    u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask >> (signal - 1) & 1 != 0)
}

/// Does not return if a signal that ends this process has come, or comes in a moment: `signal` has ended a child.
pub fn await_own_end(signal: i32) {
    if !deadly_signals().contains(&signal) {
        return;
    }
    let start = Instant::now();
    while ENDING.load(Ordering::SeqCst) || start.elapsed() < MOMENT {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Does not return if a signal has come that ends this process: its exit status is the signal, whatever the run has found
/// when its children were ended.
pub fn await_end_by_signal() {
    while ENDING.load(Ordering::SeqCst) {
        std::thread::sleep(Duration::from_millis(1));
    }
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

/// Makes a directory that a signal must remove.
pub fn make(make: impl FnOnce() -> io::Result<PathBuf>) -> io::Result<PathBuf> {
    let mut pending = pending();
    while pending.spare_descriptors.len() < SPARE_DESCRIPTORS {
        let spare = File::open("/").map_err(|error| {
            io::Error::new(error.kind(), format!("temporary directory: {error}"))
        })?;
        pending.spare_descriptors.push(spare);
    }
    let path = make()?;
    pending.paths.push(path.clone());
    Ok(path)
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
    let mut pending = pending();
    if path.is_dir() {
        pending.spare_descriptors.clear();
    }
    remove(path);
    pending.paths.retain(|listed| listed != path);
}

/// Starts a process that must not outlive this one; after a signal none is started any more.
pub fn spawn(command: &mut Command) -> io::Result<Child> {
    let mut pending = pending();
    let child = command.spawn()?;
    pending.children.push(child.id());
    Ok(child)
}

pub fn forget_child(process: u32) {
    pending().children.retain(|listed| *listed != process);
}

/// A path that is not there any more is as good as removed, and there is nobody to tell about other failures.
fn remove(path: &Path) {
    if !path.is_dir() {
        let _ = std::fs::remove_file(path);
        return;
    }
    for _ in 0..ATTEMPTS {
        let Err(error) = std::fs::remove_dir_all(path) else {
            return;
        };
        match Errno::from_io_error(&error) {
            Some(Errno::NOTEMPTY) => {}
            Some(Errno::MFILE | Errno::NFILE) => std::thread::sleep(Duration::from_millis(1)),
            _ => return,
        }
    }
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
