//! `fork` in the user's program.
//!
//! Only the forking thread exists in the child, so locks that other threads hold would stay
//! locked for ever: the handlers take them before the fork and release them on both sides. The
//! child forgets pool and queues; they start anew at the next use.

use crate::present::table::PresentTable;
use crate::runtime;
use std::cell::Cell;
use std::mem::ManuallyDrop;
use std::sync::{MutexGuard, Once};

struct Frozen {
    tables: Vec<MutexGuard<'static, PresentTable>>,
    devices: Vec<Box<dyn FnOnce(bool)>>,
}

thread_local! {
    static FROZEN: Cell<ManuallyDrop<Option<Frozen>>> = const { Cell::new(ManuallyDrop::new(None)) };
}

/// Registers the handlers, once.
pub fn install() {
    static ONCE: Once = Once::new();
    // SAFETY: the handlers are plain functions that stay loaded.
    ONCE.call_once(|| unsafe {
        libc::pthread_atfork(Some(prepare), Some(parent), Some(child));
    });
}

extern "C" fn prepare() {
    let runtime = runtime::get();
    let frozen = Frozen {
        tables: runtime.existing().map(|state| state.lock()).collect(),
        devices: runtime
            .existing()
            .map(|state| state.device.freeze())
            .collect(),
    };
    FROZEN.set(ManuallyDrop::new(Some(frozen)));
}

fn thaw(in_child: bool) {
    if let Some(frozen) = ManuallyDrop::into_inner(FROZEN.take()) {
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
