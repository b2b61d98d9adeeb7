//! Which callbacks are registered for which events, and which of them are switched off (OpenACC 3.4, 5.4).
//!
//! | request | registering | unregistering |
//! | --- | --- | --- |
//! | `acc_reg` | a callback, or one more reference to it | takes a reference; the last one takes the callback |
//! | `acc_toggle` with an event and a callback | switches it on again | off |
//! | `acc_toggle` with an event and no callback | all callbacks of the event on again | off |
//! | `acc_toggle` with no event and no callback | all callbacks on again | off |
//! | `acc_toggle_per_thread` with no event and no callback | all callbacks on again for the thread | off |
//!
//! Other requests change nothing. Callbacks are called in the order of their registration, for the end of something in the
//! reverse order.

use super::info::{ApiInfo, EventInfo, LAST, Pair, ProfInfo};
use crate::once::Brief;
use std::cell::Cell;
use std::ffi::{CStr, c_char};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// `acc_prof_callback`.
pub type Callback = unsafe extern "C" fn(*mut ProfInfo, *mut EventInfo, *mut ApiInfo);
/// `acc_prof_reg`: the type of [`acc_prof_register`] and [`acc_prof_unregister`].
pub type Register = extern "C" fn(i32, Option<Callback>, i32);
/// `acc_query_fn`.
pub type Found = Option<unsafe extern "C" fn()>;
/// `acc_prof_lookup_func`.
pub type Lookup = unsafe extern "C" fn(*const c_char) -> Found;

/// Some callback was registered. It stays true.
static ANY: AtomicBool = AtomicBool::new(false);

/// Whether tools may want to know anything.
#[inline]
pub fn any() -> bool {
    ANY.load(Relaxed)
}

/// `acc_register_t`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Request {
    Callback,
    Toggle,
    TogglePerThread,
}

impl Request {
    fn from_raw(raw: i32) -> Option<Request> {
        const ALL: [Request; 3] = [Request::Callback, Request::Toggle, Request::TogglePerThread];
        ALL.get(usize::try_from(raw).ok()?).copied()
    }
}

/// `acc_ev_none`.
const NONE: i32 = 0;

#[derive(Clone, Copy)]
struct Registered {
    event: i32,
    callback: Callback,
    references: u32,
    on: bool,
}

/// All that was registered, in that order.
struct Table {
    all: Vec<Registered>,
    /// Events that are switched off, as bits; that of `acc_ev_none` means all.
    off: u32,
}

static TABLE: Brief<Table> = Brief::new(Table {
    all: Vec::new(),
    off: 0,
});

thread_local! {
    static OFF_FOR_THREAD: Cell<bool> = const { Cell::new(false) };
}

/// The callbacks for an event, in the order of their calls.
pub fn of(event: i32) -> Vec<Callback> {
    if OFF_FOR_THREAD.get() {
        return Vec::new();
    }
    let table = TABLE.lock();
    if table.off & (1 << NONE | 1 << event) != 0 {
        return Vec::new();
    }
    let wanted = table.all.iter().filter(|one| one.event == event && one.on);
    let mut callbacks: Vec<Callback> = wanted.map(|one| one.callback).collect();
    if Pair::is_end(event) {
        callbacks.reverse();
    }
    callbacks
}

impl Table {
    fn find(&mut self, event: i32, callback: Callback) -> Option<usize> {
        let is_it =
            |one: &Registered| one.event == event && std::ptr::fn_addr_eq(one.callback, callback);
        self.all.iter().position(is_it)
    }

    fn add(&mut self, event: i32, callback: Callback) {
        match self.find(event, callback) {
            Some(known) => self.all[known].references += 1,
            None => self.all.push(Registered {
                event,
                callback,
                references: 1,
                on: true,
            }),
        }
    }

    fn remove(&mut self, event: i32, callback: Callback) {
        let Some(known) = self.find(event, callback) else {
            return;
        };
        self.all[known].references -= 1;
        if self.all[known].references == 0 {
            self.all.remove(known);
        }
    }

    fn switch(&mut self, event: i32, callback: Option<Callback>, on: bool) {
        match callback {
            Some(callback) => {
                if let Some(known) = self.find(event, callback) {
                    self.all[known].on = on;
                }
            }
            None if on => self.off &= !(1 << event),
            None => self.off |= 1 << event,
        }
    }
}

fn request(event: i32, callback: Option<Callback>, raw: i32, on: bool) {
    if !(NONE..LAST).contains(&event) {
        return;
    }
    match (Request::from_raw(raw), callback) {
        (Some(Request::Callback), Some(callback)) if event != NONE => {
            let mut table = TABLE.lock();
            if on {
                table.add(event, callback);
                ANY.store(true, Relaxed);
            } else {
                table.remove(event, callback);
            }
        }
        (Some(Request::Toggle), callback) => TABLE.lock().switch(event, callback, on),
        (Some(Request::TogglePerThread), None) if event == NONE => OFF_FOR_THREAD.set(!on),
        (Some(Request::Callback | Request::TogglePerThread) | None, _) => {}
    }
}

/// 5.4.1: registers a callback for an event, or switches callbacks on.
#[unsafe(no_mangle)]
pub extern "C" fn acc_prof_register(event: i32, callback: Option<Callback>, info: i32) {
    request(event, callback, info, true);
}

/// 5.4.1: undoes [`acc_prof_register`], or switches callbacks off.
#[unsafe(no_mangle)]
pub extern "C" fn acc_prof_unregister(event: i32, callback: Option<Callback>, info: i32) {
    request(event, callback, info, false);
}

/// 5.3: a function of the interface by its name, else null.
///
/// # Safety
/// The name is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acc_prof_lookup(name: *const c_char) -> Found {
    if name.is_null() {
        return None;
    }
    // SAFETY: a C string by the contract.
    let function = match unsafe { CStr::from_ptr(name) }.to_bytes() {
        b"acc_prof_register" => acc_prof_register as *const (),
        b"acc_prof_unregister" => acc_prof_unregister as *const (),
        b"acc_prof_lookup" => acc_prof_lookup as *const (),
        _ => return None,
    };
    // SAFETY: the caller gives the function its own type again before a call, as after `dlsym`.
    Some(unsafe { std::mem::transmute::<*const (), unsafe extern "C" fn()>(function) })
}
