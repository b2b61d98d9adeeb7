//! Values that are made once, at first use, and what threads change for a moment, in a process that may fork.
//!
//! In a child of `fork` only the forking thread exists. Had another one been making such a value, the child would wait for it
//! for ever. So whoever makes one holds [`hold`]'s lock, which the handlers of `fork` take ([`crate::fork`]). Reading a
//! value that is there takes no lock.
//!
//! What makes such a value may make others. It must not wait for a present table or a device's locks: the handlers
//! of `fork` have those before they take this one.
//!
//! What threads change for a moment, a [`Brief`], has a lock of its own that the handlers take: such a change may happen in
//! the dynamic loader's lock, when a library with regions comes or goes, and what is made at first use may open libraries.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Held while a value is made.
static MAKING: Mutex<()> = Mutex::new(());

/// How many values were made. Changes with [`MAKING`] held.
static MADE: AtomicU64 = AtomicU64::new(0);

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
                let value = self.0.get_or_init(make);
                MADE.fetch_add(1, Relaxed);
                value
            }
        }
    }
}

/// Nobody else makes a value as long as this is kept. None: this thread is making one, and so has the lock already.
pub fn hold() -> Option<MutexGuard<'static, ()>> {
    let outermost = DEPTH.get() == 0;
    outermost.then(|| MAKING.lock().unwrap_or_else(PoisonError::into_inner))
}

/// How many values were made so far. One that is being made counts when who waits for [`hold`] has it.
pub fn made() -> u64 {
    MADE.load(Relaxed)
}

/// Held while a [`Brief`] is locked.
static CHANGING: Mutex<()> = Mutex::new(());

/// A value that threads read and change for a moment each, and that no child of `fork` finds locked. Who has it locked
/// makes no [`Once`] and locks no other one.
#[derive(Debug)]
pub struct Brief<T>(Mutex<T>);

impl<T> Brief<T> {
    pub const fn new(value: T) -> Self {
        Brief(Mutex::new(value))
    }

    /// Exclusive use of the value.
    pub fn lock(&self) -> Locked<'_, T> {
        let changing = hold_changes();
        Locked {
            value: self.0.lock().unwrap_or_else(PoisonError::into_inner),
            _changing: changing,
        }
    }
}

/// Nobody changes a [`Brief`] as long as this is kept.
pub fn hold_changes() -> MutexGuard<'static, ()> {
    CHANGING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A [`Brief`] that is locked. The fields are dropped in this order.
#[derive(Debug)]
pub struct Locked<'a, T> {
    value: MutexGuard<'a, T>,
    _changing: MutexGuard<'static, ()>,
}

impl<T> Deref for Locked<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Locked<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
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
