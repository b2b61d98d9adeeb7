//! The data of `declare` directives outside of functions (OpenACC 3.4, section 2.13): present on each device for as long as the
//! program, or the shared library that it belongs to, is loaded.
//!
//! Problem: an image says what it declares when it is loaded, long before the program has chosen a device, and libraries come and go
//! while devices are in use.
//!
//! Steps:
//! 1. An image's constructor notes its variables; no device is touched. What `copyin` copies is the value of that moment, at the
//!    beginning of the data region, so it is kept.
//! 2. Whoever takes the lock of a device's present table finds everything there: if more has been declared since the last time, it is
//!    made present first. Each variable has a reference of a counter of its own, which no directive can take.
//! 3. When the image goes, the references go from all devices that have them.
//!
//! ```text
//! load a.so      declared: a.so: g                    device 0: -             version 1
//! parallel       lock of device 0: version 0 ≠ 1  →   device 0: g present     version 1
//! unload a.so    declared: -                          device 0: -             version 2
//! ```
//! Cost: a comparison per lock.

use crate::abi::{Action, Image, Site, SiteKind};
use crate::data::{Actions, Counter, Entry, Exit, IfAbsent};
use crate::device::{Device, Queue};
use crate::fatal;
use crate::launch::misplaced_action;
use crate::once::Brief;
use crate::present::table::{MappingId, Origin, PresentTable};
use crate::region;
use crate::runtime::{self, DeviceState};
use crate::section::{Piece, Section};
use crate::site;
use crate::tools;
use crate::words::{Words, array};
use std::sync::atomic::{
    AtomicBool, AtomicU64,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What one directive declares.
struct Declaration {
    /// The address of its site.
    site: usize,
    variables: Vec<Variable>,
}

/// A variable of the program.
struct Variable {
    piece: Piece,
    /// Where its element 0 is.
    base: usize,
    /// What is copied to devices.
    value: Option<Box<[u8]>>,
    origin: &'static Origin,
}

static DECLARED: Brief<Vec<Arc<Declaration>>> = Brief::new(Vec::new());
/// Changes with [`DECLARED`].
static VERSION: AtomicU64 = AtomicU64::new(0);
/// Devices are given up: nothing is to be undone on them.
static ENDING: AtomicBool = AtomicBool::new(false);

/// What a device has of it. Used with the lock of its present table only.
#[derive(Default)]
pub struct OnDevice {
    version: AtomicU64,
    /// The mappings by directive.
    made: Mutex<Vec<(usize, MappingId)>>,
}

impl OnDevice {
    /// All of it is gone from the device: it is made anew when the device is used again.
    pub fn forget(&self) {
        locked(&self.made).clear();
        self.version.store(u64::MAX, Relaxed);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes the variables of a directive. Touches no device.
///
/// # Safety
/// `site` is a valid site of a `declare` directive outside of functions and `words` are the words for it; the variables are there
/// until the image is unregistered.
pub unsafe fn register(site: &'static Site, words: *const u64) {
    // SAFETY: passed on to the caller.
    let (state, (_, words)) = unsafe { (site::state(site), Words::new(site, words)) };
    let mut variables = Vec::new();
    words.for_each_operand(site, state, &mut |index, operand| {
        let copies = match operand.action {
            Action::Copyin => true,
            Action::Create => false,
            action => misplaced_action(state, index, action),
        };
        let piece = match Section::outermost(&operand).hull() {
            Ok(piece) => piece,
            Err(error) => region::bad_section(state, index, error),
        };
        if piece.bytes == 0 {
            return;
        }
        // SAFETY: the variable is there, by the contract.
        let value =
            || unsafe { std::slice::from_raw_parts(piece.start as *const u8, piece.bytes).into() };
        variables.push(Variable {
            piece,
            base: operand.base,
            value: copies.then(value),
            origin: &state.vars[index],
        });
    });
    DECLARED.lock().push(Arc::new(Declaration {
        site: std::ptr::from_ref(site) as usize,
        variables,
    }));
    VERSION.fetch_add(1, AcqRel);
}

/// Forgets what an image has declared.
///
/// # Safety
/// The image is valid and was registered.
pub unsafe fn unregister(image: &Image) {
    // SAFETY: a valid image has `nsites` sites.
    let sites: &[*const Site] = unsafe { array(image.sites, image.nsites) };
    let is_declared = |site: &&*const Site| {
        // SAFETY: as above.
        let kind = unsafe { (**site).as_ref() }.map(|site| site.kind);
        kind == Some(SiteKind::DeclareGlobal as u32)
    };
    let gone: Vec<usize> = sites
        .iter()
        .filter(is_declared)
        .map(|site| *site as usize)
        .collect();
    if gone.is_empty() {
        return;
    }
    DECLARED
        .lock()
        .retain(|declaration| !gone.contains(&declaration.site));
    VERSION.fetch_add(1, AcqRel);
    if ENDING.load(Acquire) || fatal::dying() || fatal::on_library_thread() {
        return;
    }
    let devices = runtime::started().into_iter();
    for state in devices.flat_map(|runtime| runtime.existing()) {
        remove(state, &gone);
    }
}

/// The process ends, and the devices with it.
pub fn end() {
    ENDING.store(true, Release);
}

fn remove(state: &'static DeviceState, gone: &[usize]) {
    let mut table = state.lock_as_it_is();
    let mut made = locked(&state.declared.made);
    let ended: Vec<MappingId> = made
        .iter()
        .filter(|(site, _)| gone.contains(site))
        .map(|(_, id)| *id)
        .collect();
    made.retain(|(site, _)| !gone.contains(site));
    drop(made);
    if ended.is_empty() {
        return;
    }
    let exit = Exit {
        counter: Counter::Declared,
        copy_out: false,
        always_out: false,
        finalize: false,
    };
    let mut actions = Actions::new(&*state.device, &mut table, Queue::Sync, None);
    for id in ended {
        actions.exit(id, &[], exit);
    }
    actions.free_released();
}

/// Makes all that is declared present on a device whose table is locked.
#[inline]
pub fn bring(on_device: &OnDevice, device: &dyn Device, table: &mut PresentTable) {
    let version = VERSION.load(Acquire);
    if on_device.version.load(Relaxed) != version {
        bring_new(on_device, device, table, version);
    }
}

#[cold]
fn bring_new(on_device: &OnDevice, device: &dyn Device, table: &mut PresentTable, version: u64) {
    on_device.version.store(version, Relaxed);
    let _doing = tools::declared();
    let declared = DECLARED.lock().clone();
    let mut made = locked(&on_device.made);
    let known: Vec<usize> = made.iter().map(|(site, _)| *site).collect();
    let new = declared
        .iter()
        .filter(|declaration| !known.contains(&declaration.site));
    let mut actions = Actions::new(device, table, Queue::Sync, None);
    for declaration in new {
        for variable in &declaration.variables {
            let id = actions.declare(
                variable.piece,
                variable.base,
                &variable.value,
                variable.origin,
            );
            made.push((declaration.site, id));
        }
    }
    device.complete();
}

impl Actions<'_> {
    /// Makes a variable of the program present, with a reference. `value` is copied if it was not.
    fn declare(
        &mut self,
        piece: Piece,
        base: usize,
        value: &Option<Box<[u8]>>,
        origin: &'static Origin,
    ) -> MappingId {
        let entry = Entry {
            counter: Counter::Declared,
            if_absent: IfAbsent::Create,
            copy_in: false,
            always_in: false,
            zero: false,
            in_place: false,
            capture: false,
            part_suffices: false,
        };
        let mappings = self.table.len();
        let id = match self.try_enter(piece, base, &[piece], entry, origin) {
            Ok(Some(id)) => id,
            // `Create` makes one.
            Ok(None) => self.create(piece, base, &[piece], entry, origin),
            Err(unfit) => self.refuse(unfit, piece, origin, "declare"),
        };
        let is_new = self.table.len() > mappings;
        let mapping = self.table.get(id).filter(|mapping| !mapping.is_shared());
        if let (Some(mapping), Some(value), true) = (mapping, value, is_new) {
            let to = mapping.translate(piece.start);
            let from = value.as_ptr() as usize;
            let memory = tools::memory_of(origin, piece, to);
            let _upload = tools::transfer(tools::Pair::Upload, &memory);
            // SAFETY: the mapping has the piece's size, and the value is kept until the copy is complete.
            unsafe { self.device.copy_in(to, from, value.len(), self.queue) };
        }
        id
    }
}
