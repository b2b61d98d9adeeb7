//! Fatal errors: one message on stderr, exit status 1; after `assert` and `abort` in a kernel that of `abort`.
//!
//! `accrue: fatal error: heat.c:12: data in present clause was not found on device cpu:0: …`
//!
//! Tools that have registered for `acc_ev_error` get it before that, with its [`Error`]; then the routine that the program has given to
//! `acc_set_error_routine` gets the message.
//!
//! On a thread of the user the process ends through `exit`, so that buffered output is written
//! and the program's own exit handlers run; on a thread of the library it ends at once.

use crate::once::Brief;
use std::cell::Cell;
use std::ffi::{CString, c_char};
use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set once a fatal error was reported: exit handlers of the library then do nothing, because
/// the thread that failed may hold locks.
static DYING: AtomicBool = AtomicBool::new(false);

thread_local! {
    static LIBRARY_THREAD: Cell<bool> = const { Cell::new(false) };
}

/// What kind of error it is: `acc_error_t` of `acc_prof.h` (OpenACC 3.4, 5.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Error {
    /// None of the others.
    Other = 1,
    Execution = 3,
    DeviceInit = 4,
    DeviceUnavailable = 6,
    DeviceTypeUnavailable = 7,
    OutOfMemory = 9,
    NotPresent = 10,
    PartlyPresent = 11,
    Present = 12,
    InvalidArgument = 13,
    InvalidAsync = 14,
    InvalidNullPointer = 15,
    InvalidDataSection = 16,
}

/// Where a user's directive or call stands.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Source file; empty for a call of an API routine, whose place is unknown.
    pub file: &'static str,
    pub line: u32,
    /// The directive or routine.
    pub what: &'static str,
}

impl Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.file.is_empty() {
            f.write_str(self.what)
        } else {
            write!(f, "{}:{}", self.file, self.line)
        }
    }
}

/// True while the process ends because of a fatal error.
pub fn dying() -> bool {
    DYING.load(Ordering::Acquire)
}

/// Marks the current thread as one of the library's own.
pub fn mark_library_thread() {
    LIBRARY_THREAD.set(true);
}

/// Does work of a library's thread on the current one.
pub fn as_library_thread(work: impl FnOnce()) {
    let before = LIBRARY_THREAD.replace(true);
    work();
    LIBRARY_THREAD.set(before);
}

/// True on pool and queue threads.
pub fn on_library_thread() -> bool {
    LIBRARY_THREAD.get()
}

/// Reports a user's mistake or an exhausted resource and ends the process.
pub fn fatal(place: Place, message: impl Display) -> ! {
    fatal_as(Error::Other, place, message)
}

/// The same, for an error that tools can tell from others.
pub fn fatal_as(error: Error, place: Place, message: impl Display) -> ! {
    fatal_text_as(error, &format!("{place}: {message}"))
}

/// Reports that a kernel wanted the end of the program and ends it as `abort` does.
pub fn abort(place: Place, message: impl Display) -> ! {
    if !say(Error::Execution, &format!("{place}: {message}")) {
        leave();
    }
    // SAFETY: flushing all C streams and leaving are always allowed.
    unsafe {
        libc::fflush(std::ptr::null_mut());
        libc::abort()
    }
}

/// Like [`fatal`], for errors that belong to no directive.
pub fn fatal_text(message: &str) -> ! {
    fatal_text_as(Error::Other, message)
}

/// The same, for an error that tools can tell from others.
pub fn fatal_text_as(error: Error, message: &str) -> ! {
    let first = say(error, message);
    if on_library_thread() || !first {
        leave();
    }
    std::process::exit(1)
}

/// Writes the message if it is the first one; tells whether it is.
fn say(error: Error, message: &str) -> bool {
    let first = !DYING.swap(true, Ordering::AcqRel);
    if first {
        crate::message::say!("accrue: fatal error: {message}");
        let text = message.split('\0').next().unwrap_or_default();
        if let Ok(text) = CString::new(text) {
            crate::tools::failed(error, &text);
            tell(text);
        }
    }
    first
}

/// What a program has to do before it ends: end other processes, say.
pub type ErrorRoutine = unsafe extern "C" fn(*mut c_char);

static ROUTINE: Brief<Option<ErrorRoutine>> = Brief::new(None);

/// The routine is called at a fatal error, with its message; it may end the process itself, and may not call the library.
pub fn set_error_routine(routine: Option<ErrorRoutine>) {
    *ROUTINE.lock() = routine;
}

fn tell(text: CString) {
    let routine = *ROUTINE.lock();
    if let Some(routine) = routine {
        // SAFETY: the program has given the routine for such a call; the text is its own from here on.
        unsafe { routine(text.into_raw()) }
    }
}

/// Ends the process without exit handlers; buffered output is written.
pub fn leave() -> ! {
    // SAFETY: flushing all C streams and leaving are always allowed.
    unsafe {
        libc::fflush(std::ptr::null_mut());
        libc::_exit(1)
    }
}

/// Ends the process after a message was written, from inside a signal handler.
pub fn leave_at_once() -> ! {
    DYING.store(true, Ordering::Release);
    // SAFETY: `_exit` may be called from signal handlers.
    unsafe { libc::_exit(1) }
}
