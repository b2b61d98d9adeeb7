//! Variables of a thread that stay usable until the thread is really gone.
//!
//! A region may run in a destructor of the thread: in an exit handler, in one of a pthread key, in one of C++. A Rust
//! thread-local variable with a destructor is gone by then. So the library's are without ([`ManuallyDrop`]), and what
//! they hold is given back here: by the destructor of a pthread key, which the system calls again as long as others
//! of their kind use the library.
//!
//! ```text
//! region                        the thread keeps a launch's vectors, watch()
//! thread ends
//!   destructors of C++          regions use what the thread keeps
//!   destructors of keys         ours: forget_all(); one of the program: a region keeps vectors anew, watch()
//!   destructors of keys again   ours: forget_all()
//! ```
//!
//! [`ManuallyDrop`]: std::mem::ManuallyDrop

use crate::device::registry;
use crate::once::Once;
use crate::{directives, launch};
use std::cell::Cell;
use std::ffi::c_void;

thread_local! {
    static WATCHED: Cell<bool> = const { Cell::new(false) };
}

/// To be called when the calling thread begins to keep something.
pub fn watch() {
    static KEY: Once<Option<libc::pthread_key_t>> = Once::new();
    if WATCHED.get() {
        return;
    }
    let key = KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: the destructor is a plain function that stays loaded.
        let made = unsafe { libc::pthread_key_create(&mut key, Some(forget_all)) };
        (made == 0).then_some(key)
    });
    // Without a key, what the thread keeps is lost with it.
    if let Some(key) = *key {
        let value = std::ptr::without_provenance(1);
        // SAFETY: the key exists; its value is only told from null.
        WATCHED.set(unsafe { libc::pthread_setspecific(key, value) } == 0);
    }
}

extern "C" fn forget_all(_value: *mut c_void) {
    WATCHED.set(false);
    launch::forget();
    directives::forget();
    registry::forget_thread();
}
