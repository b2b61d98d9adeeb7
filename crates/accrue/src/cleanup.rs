//! What must not outlive the run: temporary directories, half-written outputs and child processes.
//!
//! Everything is in one list so that SIGINT, SIGTERM and SIGHUP can end the run as completely as an error does: the
//! children get the same signal, the files go, and the driver dies of the signal so that its parent sees why.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

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
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            let pending = pending();
            for child in &pending.children {
                forward(*child, signal);
            }
            for path in &pending.paths {
                remove(path);
            }
            // Returns only if the default action is to go on, which it is for none of the three.
            let _ = emulate_default_handler(signal);
        }
    });
    Ok(())
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
