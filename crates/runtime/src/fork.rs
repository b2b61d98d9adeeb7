//! `fork` in the user's program.
//!
//! Only the forking thread exists in the child, so locks that other threads hold would stay
//! locked for ever: the handlers take them before the fork and release them on both sides. The
//! child forgets pool and queues; they start anew at the next use. What another thread is starting at that moment, the
//! whole runtime perhaps, is waited for ([`crate::once`]).

use crate::once;
use crate::present::table::PresentTable;
use crate::runtime;
use std::cell::Cell;
use std::mem::ManuallyDrop;
use std::sync::{MutexGuard, Once};

struct Frozen {
    /// Nobody starts anything.
    making: Option<MutexGuard<'static, ()>>,
    tables: Vec<MutexGuard<'static, PresentTable>>,
    devices: Vec<Box<dyn FnOnce(bool)>>,
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
    // If another thread is starting the runtime: until it has.
    drop(once::hold());
    let existing = || {
        runtime::started()
            .into_iter()
            .flat_map(|runtime| runtime.existing())
    };
    let mut frozen = Frozen {
        making: None,
        tables: existing().map(|state| state.lock_as_it_is()).collect(),
        devices: existing().map(|state| state.device.freeze()).collect(),
    };
    frozen.making = once::hold();
    FROZEN.set(ManuallyDrop::new(Some(frozen)));
}

fn thaw(in_child: bool) {
    if let Some(frozen) = ManuallyDrop::into_inner(FROZEN.take()) {
        drop(frozen.making);
        for device in frozen.devices {
            device(in_child);
        }
        drop(frozen.tables);
    }
}

extern "C" fn parent() {
    thaw(false);
}

extern "C" fn child() {
    thaw(true);
}
