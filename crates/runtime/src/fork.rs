//! `fork` in the user's program.
//!
//! Only the forking thread exists in the child, so locks that other threads hold would stay
//! locked for ever: the handlers take them before the fork and release them on both sides. The
//! child forgets pool and queues; they start anew at the next use. What another thread is starting at that moment, the
//! whole runtime perhaps, is waited for ([`crate::once`]).
//!
//! Tables and devices come before the lock of what is started, since who has one of them may start something. Between the
//! two another thread may have started what has locks of its own: then all is released, and taken again.

use crate::once;
use crate::present::table::PresentTable;
use crate::runtime;
use std::cell::Cell;
use std::io::StderrLock;
use std::mem::ManuallyDrop;
use std::sync::{MutexGuard, Once};

struct Frozen {
    /// Nobody starts anything.
    making: Option<MutexGuard<'static, ()>>,
    tables: Vec<MutexGuard<'static, PresentTable>>,
    devices: Vec<Box<dyn FnOnce(bool)>>,
    /// Nobody changes what is shared for a moment.
    changing: MutexGuard<'static, ()>,
    /// Nobody writes a message.
    messages: StderrLock<'static>,
}

thread_local! {
    static FROZEN: Cell<ManuallyDrop<Option<Frozen>>> = const { Cell::new(ManuallyDrop::new(None)) };
}

/// Registers the handlers, once: before any thread can start the runtime, so when a program's image is registered.
pub fn install() {
    static ONCE: Once = Once::new();
    // SAFETY: the handlers are plain functions that stay loaded.
    ONCE.call_once(|| unsafe {
        libc::pthread_atfork(Some(prepare), Some(parent), Some(child));
    });
}

extern "C" fn prepare() {
    // Each round that comes to nothing has another value that is made once: there are not many of them.
    let frozen = loop {
        let before = once::made();
        let frozen = freeze();
        if once::made() == before {
            break frozen;
        }
        frozen.thaw(false);
    };
    FROZEN.set(ManuallyDrop::new(Some(frozen)));
}

fn freeze() -> Frozen {
    let existing = || {
        runtime::started()
            .into_iter()
            .flat_map(|runtime| runtime.existing())
    };
    let tables = existing().map(|state| state.lock_as_it_is()).collect();
    let devices = existing().map(|state| state.device.freeze()).collect();
    Frozen {
        tables,
        devices,
        making: once::hold(),
        changing: once::hold_changes(),
        messages: std::io::stderr().lock(),
    }
}

impl Frozen {
    fn thaw(self, in_child: bool) {
        drop((self.messages, self.changing, self.making));
        for device in self.devices {
            device(in_child);
        }
        drop(self.tables);
    }
}

fn thaw(in_child: bool) {
    if let Some(frozen) = ManuallyDrop::into_inner(FROZEN.take()) {
        frozen.thaw(in_child);
    }
}

extern "C" fn parent() {
    thaw(false);
}

extern "C" fn child() {
    thaw(true);
}
