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
//! 3. Pointers in initial values are attached: they lead to the device's copies of what they lead to on the host. What has no name, as
//!    strings have none, is made present for them; linkers let strings overlap, and those that do are one piece.
//! 4. When the image goes, the references go from all devices that have them.
//!
//! ```text
//! load a.so      declared: a.so: g                    device 0: -             version 1
//! parallel       lock of device 0: version 0 ≠ 1  →   device 0: g present     version 1
//! unload a.so    declared: -                          device 0: -             version 2
//! ```
//! Cost: a comparison per lock.

use crate::abi::{Action, Image, Pointer, Site, SiteKind};
use crate::data::{Actions, Counter, Entry, Exit, IfAbsent, POINTER};
use crate::device::{Device, Queue};
use crate::fatal;
use crate::launch::misplaced_action;
use crate::once::Brief;
use crate::present::table::{Hint, MappingId, Origin, PresentTable};
use crate::region;
use crate::runtime::{self, DeviceState};
use crate::section::{Piece, Section};
use crate::site;
use crate::tools;
use crate::words::{Words, array};
use std::borrow::Cow;
use std::sync::atomic::{
    AtomicBool, AtomicU64,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What one directive declares.
struct Declaration {
    /// The address of its site.
    site: usize,
    variables: Vec<Object>,
    /// What pointers in initial values lead to, where it is no variable.
    unnamed: Vec<Object>,
}

/// An object of the program.
#[derive(Clone)]
struct Object {
    piece: Piece,
    /// Where its element 0 is.
    base: usize,
    /// What is copied to devices.
    value: Option<Vec<u8>>,
    /// The pointers in the value.
    pointers: &'static [Pointer],
    origin: &'static Origin,
}

impl Object {
    /// The pointers in the value that are not null: where in the object they are, where what they lead to begins, and what they are.
    fn leading(&self) -> impl Iterator<Item = (usize, &'static Pointer, usize)> + '_ {
        let value = self.value.as_deref().unwrap_or_default();
        self.pointers.iter().filter_map(|pointer| {
            let at = pointer.offset as usize;
            let bytes = value.get(at..at + POINTER)?.try_into().ok()?;
            let target = usize::from_ne_bytes(bytes);
            (target != 0).then_some((at, pointer, target))
        })
    }
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
    let (mut variables, mut unnamed) = (Vec::new(), Vec::new());
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
        let value = |piece: Piece| -> Vec<u8> {
            // SAFETY: the variable is there, by the contract, and so is what its initial value leads to.
            unsafe { std::slice::from_raw_parts(piece.start as *const u8, piece.bytes).to_vec() }
        };
        let variable = Object {
            piece,
            base: operand.base,
            value: copies.then(|| value(piece)),
            // SAFETY: the site is valid.
            pointers: unsafe { array(operand.var.pointers, operand.var.npointers) },
            origin: &state.vars[index],
        };
        let leading = variable.leading();
        unnamed.extend(leading.filter(|(_, pointer, _)| pointer.bytes > 0).map(
            |(_, pointer, target)| {
                let piece = Piece {
                    start: target.wrapping_sub(pointer.before as usize),
                    bytes: pointer.bytes as usize,
                };
                Object {
                    piece,
                    base: piece.start,
                    value: Some(value(piece)),
                    pointers: &[],
                    origin: variable.origin,
                }
            },
        ));
        variables.push(variable);
    });
    DECLARED.lock().push(Arc::new(Declaration {
        site: std::ptr::from_ref(site) as usize,
        variables,
        unnamed,
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
    let new: Vec<&Declaration> = new.map(|declaration| &**declaration).collect();
    let merged = merged(new.iter().flat_map(|declaration| &declaration.unnamed));
    let mut actions = Actions::new(device, table, Queue::Sync, None);
    let (mut to_copy, mut new_mappings) = (Vec::new(), Vec::new());
    for declaration in &new {
        let unnamed = declaration.unnamed.iter().map(|object| {
            let behind = merged.partition_point(|it| it.piece.start <= object.piece.start);
            &merged[behind - 1]
        });
        for object in declaration.variables.iter().chain(unnamed) {
            let (id, is_new) = actions.declare(object);
            made.push((declaration.site, id));
            if is_new {
                new_mappings.push(id);
            }
            // Of several files that declare a variable, the one that defines it knows its pointers.
            if is_new || !object.pointers.is_empty() && new_mappings.contains(&id) {
                to_copy.push((id, object));
            }
        }
    }
    // Everything is there that pointers may lead to.
    let copies = to_copy
        .into_iter()
        .filter_map(|(id, object)| actions.copy_value(id, object));
    let copies: Vec<_> = copies.collect();
    device.complete();
    drop(copies);
}

/// The objects in the order of their addresses; those that overlap or touch each other are one.
fn merged<'a>(objects: impl Iterator<Item = &'a Object>) -> Vec<Object> {
    let mut sorted: Vec<&Object> = objects.collect();
    sorted.sort_by_key(|object| (object.piece.start, object.piece.bytes));
    let mut merged: Vec<Object> = Vec::new();
    for object in sorted {
        let touched = merged
            .last_mut()
            .filter(|last| object.piece.start <= last.piece.end());
        let Some(last) = touched else {
            merged.push(object.clone());
            continue;
        };
        let known = last.piece.end() - object.piece.start;
        let value = object.value.as_deref().unwrap_or_default();
        if let (Some(all), Some(more)) = (&mut last.value, value.get(known..)) {
            all.extend_from_slice(more);
            last.piece.bytes += more.len();
        }
    }
    merged
}

impl Actions<'_> {
    /// Makes an object of the program present, with a reference, and tells whether it was not; nothing is copied.
    fn declare(&mut self, object: &Object) -> (MappingId, bool) {
        let Object {
            piece,
            base,
            origin,
            ..
        } = *object;
        let entry = Entry {
            counter: Counter::Declared,
            if_absent: IfAbsent::Create,
            copy_in: false,
            always_in: false,
            zero: false,
            in_place: false,
            capture: false,
            part_suffices: false,
            around: false,
        };
        let mappings = self.table.len();
        let id = match self.try_enter(piece, base, &[piece], entry, origin) {
            Ok(Some(id)) => id,
            // `Create` makes one.
            Ok(None) => self.create(piece, base, &[piece], entry, origin),
            Err(unfit) => self.refuse(unfit, piece, origin, "declare"),
        };
        (id, self.table.len() > mappings)
    }

    /// Copies an object's value, with attached pointers. The copy is complete when the device is; until then what is returned is kept.
    fn copy_value<'a>(&mut self, id: MappingId, object: &'a Object) -> Option<Cow<'a, [u8]>> {
        let mapping = self.table.get(id).filter(|mapping| !mapping.is_shared())?;
        let to = mapping.translate(object.piece.start);
        let mut value = Cow::Borrowed(object.value.as_deref()?);
        for (at, pointer, target) in object.leading() {
            let begin = target.wrapping_sub(pointer.before as usize);
            let holder = self.table.of_pointer(begin, &Hint::default());
            let Some(holder) = holder.and_then(|holder| self.table.get(holder)) else {
                continue;
            };
            let (there, leads_to) = (holder.translate(target), holder.device);
            value.to_mut()[at..at + POINTER].copy_from_slice(&there.to_ne_bytes());
            let place = object.piece.start + at;
            self.table.attach(id, place, there, leads_to);
        }
        let memory = tools::memory_of(object.origin, object.piece, to);
        let _upload = tools::transfer(tools::Pair::Upload, &memory);
        let from = value.as_ptr() as usize;
        // SAFETY: the mapping has the piece's size, and the value is kept until the copy is complete.
        unsafe { self.device.copy_in(to, from, value.len(), self.queue) };
        Some(value)
    }
}
