//! Regions that the device has no code for, or that are not right there with their arguments: they run on the host.
//!
//! The data of the region is on the device, and the program's own copy on the host may hold other values, which must
//! stay. So the host's kernel works on *shadows*, copies of the device's memory, made before and copied back after:
//!
//! ```text
//! device   [ a ]   [ s { p ─┐ } ]   [ p[0:n] ]       1. each mapping the region may reach ──▶ its shadow
//!            │          │  └────────────▲ │          2. attached pointers in shadows lead to shadows
//! shadow   [ a ]   [ s { p ─┐ } ]   [ p[0:n] ]       3. the kernel for the CPU, on the shadows
//!                          └────────────▲            4. the shadows ──▶ device, except attached pointers
//! ```

use crate::abi::{Action, Site};
use crate::device::{Device, Launch, Queue};
use crate::fatal::fatal;
use crate::launch::unknown_action;
use crate::once::Brief;
use crate::present::table::{Attachment, Hint, Mapping, Presence, PresentTable};
use crate::report;
use crate::runtime::{self, DeviceState};
use crate::section::{Operand, Section};
use crate::site::SiteState;
use crate::words::{Words, array};
use std::collections::BTreeSet;

/// A copy of device memory on the host.
struct Shadow {
    device: usize,
    bytes: usize,
    attachments: Vec<Attachment>,
    /// Words, so that it is aligned for every type of C.
    memory: Vec<u128>,
}

impl Shadow {
    fn start(&self) -> usize {
        self.memory.as_ptr() as usize
    }

    /// The host address that stands for a device address in, or relative to, this memory.
    fn translate(&self, device: usize) -> usize {
        self.start().wrapping_add(device.wrapping_sub(self.device))
    }

    fn holds(&self, device: usize) -> bool {
        device.wrapping_sub(self.device) < self.bytes
    }
}

/// All shadows of one launch.
struct Shadows<'a> {
    device: &'a dyn Device,
    all: Vec<Shadow>,
}

impl Shadows<'_> {
    fn find(&self, device: usize) -> Option<&Shadow> {
        self.all.iter().find(|shadow| shadow.holds(device))
    }

    fn add(&mut self, device: usize, bytes: usize, attachments: Vec<Attachment>) {
        let mut memory = vec![0u128; bytes.div_ceil(size_of::<u128>())];
        let host = memory.as_mut_ptr() as usize;
        // SAFETY: the new memory has room for the bytes; the device's are those of a mapping or an allocation.
        unsafe { self.device.copy_out(host, device, bytes, Queue::Sync) };
        self.all.push(Shadow {
            device,
            bytes,
            attachments,
            memory,
        });
    }

    /// Adds a mapping and all that its attached pointers lead to.
    fn add_mapping(&mut self, table: &PresentTable, mapping: &Mapping) {
        let mut waiting = vec![mapping];
        while let Some(mapping) = waiting.pop() {
            if self.find(mapping.device).is_some() {
                continue;
            }
            self.add(mapping.device, mapping.bytes, mapping.attachments.clone());
            waiting.extend(mapping.attachments.iter().filter_map(|attachment| {
                table
                    .iter()
                    .find(|other| other.device == attachment.leads_to)
            }));
        }
    }

    /// Lets attached pointers lead to shadows.
    fn attach(&mut self) {
        for index in 0..self.all.len() {
            for attachment in self.all[index].attachments.clone() {
                let target = self
                    .find(attachment.leads_to)
                    .map_or(0, |shadow| shadow.translate(attachment.target));
                let slot = self.all[index].start() + attachment.offset;
                // SAFETY: attachments lie in their mapping, and the shadow is as large.
                unsafe { (slot as *mut usize).write_unaligned(target) };
            }
        }
    }

    /// Copies everything back, except attached pointers.
    fn copy_back(&self) {
        for shadow in &self.all {
            let mut from = 0;
            let pointers = shadow
                .attachments
                .iter()
                .map(|attachment| attachment.offset);
            for pointer in pointers.chain([shadow.bytes]) {
                if pointer > from {
                    // SAFETY: the piece lies in the shadow and in the device's memory.
                    unsafe {
                        self.device.copy_in(
                            shadow.device + from,
                            shadow.start() + from,
                            pointer - from,
                            Queue::Sync,
                        );
                    }
                }
                from = pointer + size_of::<usize>();
            }
        }
        self.device.complete();
    }
}

/// Runs a kernel on the host in place of the device. `why`: what the region does or has that the device cannot run; none: it has no code.
///
/// # Safety
/// `words` are the words of the variables of `site`, whose kernel the launch has.
pub unsafe fn run(
    state: &'static DeviceState,
    queue: Queue,
    site: &'static Site,
    launch: &Launch<'_>,
    words: Words<'_>,
    why: Option<String>,
) {
    let device = &*state.device;
    say_once(launch.site, why);
    if let Queue::Async(queue) = queue {
        device.wait(queue);
    }
    device.complete();
    let mut shadows = Shadows {
        device,
        all: Vec::new(),
    };
    // SAFETY: passed on to the caller.
    let args = unsafe { arguments(state, site, launch, words, &mut shadows) };
    let args: Vec<u64> = args
        .into_iter()
        .map(|arg| match arg {
            Argument::Word(word) => word,
            Argument::Device(shadow, address) => shadows.all[shadow].translate(address) as u64,
        })
        .collect();
    device.complete();
    shadows.attach();
    let on_host = Launch {
        site: launch.site,
        kernel: launch.kernel,
        args: &args,
        gangs: launch.gangs,
        workers: launch.workers,
        vector: launch.vector,
        thread_limit: launch.thread_limit,
        disjoint: false,
    };
    let cpu = &*runtime::get().cpu().device;
    // SAFETY: the kernel was compiled for these arguments; all addresses are the host's.
    if let Err(fault) = unsafe { cpu.launch(&on_host, Queue::Sync) } {
        report::fault(cpu, launch.site, fault);
    }
    shadows.copy_back();
}

/// One word for the host's kernel.
enum Argument {
    Word(u64),
    /// What this address of the device is in the shadow with this number.
    Device(usize, usize),
}

/// The arguments of the host's kernel; makes the shadows.
unsafe fn arguments(
    state: &'static DeviceState,
    site: &'static Site,
    launch: &Launch<'_>,
    mut words: Words<'_>,
    shadows: &mut Shadows<'_>,
) -> Vec<Argument> {
    let table = state.lock();
    // SAFETY: a valid site has `nvars` variables.
    let vars = unsafe { array(site.vars, site.nvars) };
    let mut args = Vec::with_capacity(launch.args.len());
    for (index, var) in vars.iter().enumerate() {
        let Some(action) = Action::from_raw(var.action) else {
            unknown_action(launch.site, index, var.action);
        };
        let arg = match action {
            Action::Value => {
                args.extend(words.value(var).iter().map(|&word| Argument::Word(word)));
                continue;
            }
            Action::Deviceptr => {
                let pointer = words.pointer();
                device_pointer(shadows, pointer, pointer, launch.site, index)
            }
            Action::Pointer => {
                let pointer = words.pointer();
                let id = table.of_pointer(pointer, &Hint::default());
                let inside = id.and_then(|id| table.get(id)).map_or(pointer, |m| m.host);
                of_host(&table, shadows, inside, pointer)
            }
            Action::Firstprivate => {
                let operand = words.operand(var, action);
                // The launch's copy on the device is one of the region's temporaries, which are forgotten afterwards.
                let translated = launch.args[args.len()] as usize;
                let inside =
                    translated.wrapping_add(first_byte(&operand).wrapping_sub(operand.base));
                match shadows.device.allocation(inside) {
                    Some(_) => device_pointer(shadows, inside, translated, launch.site, index),
                    // There is nothing of it.
                    None => Argument::Word(operand.base as u64),
                }
            }
            Action::Copy
            | Action::Copyin
            | Action::Copyout
            | Action::Create
            | Action::NoCreate
            | Action::Present
            | Action::Attach
            | Action::Detach
            | Action::Delete
            | Action::UpdateSelf
            | Action::UpdateDevice
            | Action::UseDevice => {
                let operand = words.operand(var, action);
                of_host(&table, shadows, first_byte(&operand), operand.base)
            }
        };
        args.push(arg);
    }
    args
}

/// Host address of the first byte that an operand maps.
fn first_byte(operand: &Operand<'_>) -> usize {
    let section = Section::outermost(operand);
    section.hull().map_or(operand.base, |hull| hull.start)
}

/// The argument for host address `base`, whose data, if present, holds `inside`.
fn of_host(
    table: &PresentTable,
    shadows: &mut Shadows<'_>,
    inside: usize,
    base: usize,
) -> Argument {
    let present = match table.find(inside, 1) {
        Presence::Present(id) => table.get(id),
        Presence::Absent | Presence::Partial(_) => None,
    };
    let Some(mapping) = present.filter(|_| base != 0) else {
        return Argument::Word(base as u64);
    };
    shadows.add_mapping(table, mapping);
    let shadow = shadows
        .all
        .iter()
        .position(|shadow| shadow.device == mapping.device);
    match shadow {
        Some(shadow) => Argument::Device(shadow, mapping.translate(base)),
        None => Argument::Word(base as u64),
    }
}

/// The argument for device address `pointer`, whose data, if there is any, holds `inside`.
fn device_pointer(
    shadows: &mut Shadows<'_>,
    inside: usize,
    pointer: usize,
    site: &'static SiteState,
    var: usize,
) -> Argument {
    if pointer == 0 {
        return Argument::Word(0);
    }
    let known = shadows.all.iter().position(|shadow| shadow.holds(inside));
    let shadow = known.unwrap_or_else(|| {
        let Some((start, bytes)) = shadows.device.allocation(inside) else {
            fatal(
                site.var_place(var),
                format_args!(
                    "this region has no GPU code and runs on the host, which cannot use '{}': {pointer:#x} is not \
                     memory of device {}",
                    site.vars[var].name,
                    shadows.device.name()
                ),
            );
        };
        shadows.add(start, bytes, Vec::new());
        shadows.all.len() - 1
    });
    Argument::Device(shadow, pointer)
}

/// Says once per region that it does not run where the program wants it to.
fn say_once(site: &'static SiteState, why: Option<String>) {
    static SAID: Brief<BTreeSet<usize>> = Brief::new(BTreeSet::new());
    let mut said = SAID.lock();
    if said.insert(std::ptr::from_ref(site) as usize) {
        let why = why.unwrap_or_else(|| "has no GPU code".to_string());
        crate::message::say!(
            "accrue: {}: this region {why} and runs on the host",
            site.place()
        );
    }
}
