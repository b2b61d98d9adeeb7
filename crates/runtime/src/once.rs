//! Values that are made once, at first use, in a process that may fork.
//!
//! In a child of `fork` only the forking thread exists. Had another one been making such a value, the child would wait for it
//! for ever. So whoever makes one holds [`hold`]'s lock, which the handlers of `fork` take ([`crate::fork`]). Reading a
//! value that is there takes no lock.
//!
//! What makes such a value may make others. It must not wait for a present table or a device's locks: the handlers
//! of `fork` have those before they take this one.

use std::cell::Cell;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Held while a value is made.
static MAKING: Mutex<()> = Mutex::new(());

thread_local! {
    /// How many values this thread is making, one for another.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// A value that is made at first use.
#[derive(Debug)]
pub struct Once<T>(OnceLock<T>);

impl<T> Default for Once<T> {
    fn default() -> Self {
        Once::new()
    }
}

impl<T> Once<T> {
    pub const fn new() -> Self {
        Once(OnceLock::new())
    }

    /// The value, if it was made.
    pub fn get(&self) -> Option<&T> {
        self.0.get()
    }

    /// Gives it the value, unless it has one.
    pub fn set(&self, value: T) -> Result<(), T> {
        self.0.set(value)
    }

    /// The value; `make` makes it at first use.
    pub fn get_or_init(&self, make: impl FnOnce() -> T) -> &T {
        match self.0.get() {
            Some(value) => value,
            None => {
                let _held = hold();
                let _deeper = Deeper::new();
                self.0.get_or_init(make)
            }
        }
    }
}

/// Nobody else makes a value as long as this is kept. None: this thread is making one, and so has the lock already.
pub fn hold() -> Option<MutexGuard<'static, ()>> {
    let outermost = DEPTH.get() == 0;
    outermost.then(|| MAKING.lock().unwrap_or_else(PoisonError::into_inner))
}

/// One level of making values.
struct Deeper;

impl Deeper {
    fn new() -> Deeper {
        DEPTH.set(DEPTH.get() + 1);
        Deeper
    }
}

impl Drop for Deeper {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}
