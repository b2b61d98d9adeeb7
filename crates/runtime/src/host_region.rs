//! Regions that the device has no code for, or that are not right there with their arguments: they run on the host.
//!
//! The data of the region is on the device, and the program's own copy on the host may hold other values, which must
//! stay. So the host's kernel works on *shadows*, copies of the device's memory, made before and copied back after:
//!
//! ```text
//! device   [ a ]   [ s { p ─┐ } ]   [ p[0:n] ]       1. memory the region may reach ──▶ its shadow
//!            │          │  └────────────▲ │          2. pointers in shadows lead to shadows
//! shadow   [ a ]   [ s { p ─┐ } ]   [ p[0:n] ]       3. the kernel for the CPU, on the shadows
//!                          └────────────▲            4. pointers lead to the device's memory, the shadows ──▶ device
//! ```

mod shadows;

use self::shadows::Shadows;
use crate::abi::{Action, KERNEL_POINTERS, Site, VAR_OWN};
use crate::device::{Launch, Queue};
use crate::fatal::fatal;
use crate::launch::unknown_action;
use crate::once::Brief;
use crate::present::table::{Hint, Presence, PresentTable};
use crate::report;
use crate::runtime::{self, DeviceState};
use crate::section::{Operand, Section};
use crate::site::SiteState;
use crate::words::{Words, array};
use std::collections::BTreeSet;

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
    let has_pointers = launch.kernel.flags & KERNEL_POINTERS != 0;
    let table = state.lock();
    let mut shadows = Shadows::new(device, &table);
    // SAFETY: passed on to the caller.
    let args = unsafe { arguments(state, &table, site, launch, words, &mut shadows) };
    match has_pointers {
        true => shadows.translate_pointers(&table),
        false => device.complete(),
    }
    drop(table);
    let on_host = Launch {
        site: launch.site,
        kernel: launch.kernel,
        args: &args,
        gangs: launch.gangs,
        workers: launch.workers,
        vector: launch.vector,
        thread_limit: launch.thread_limit,
        disjoint: false,
        is_round: launch.is_round,
    };
    let cpu = &*runtime::get().cpu().device;
    // SAFETY: the kernel was compiled for these arguments; all addresses are the host's.
    if let Err(fault) = unsafe { cpu.launch(&on_host, Queue::Sync) } {
        report::fault(cpu, launch.site, fault);
    }
    if has_pointers {
        shadows.restore_pointers();
    }
    shadows.copy_back();
}

/// The arguments of the host's kernel; makes the shadows.
unsafe fn arguments(
    state: &'static DeviceState,
    table: &PresentTable,
    site: &'static Site,
    launch: &Launch<'_>,
    mut words: Words<'_>,
    shadows: &mut Shadows<'_>,
) -> Vec<u64> {
    // SAFETY: a valid site has `nvars` variables.
    let vars = unsafe { array(site.vars, site.nvars) };
    let has_pointers = launch.kernel.flags & KERNEL_POINTERS != 0;
    let mut args: Vec<u64> = Vec::with_capacity(launch.args.len());
    for (index, var) in vars.iter().enumerate() {
        let Some(action) = Action::from_raw(var.action) else {
            unknown_action(launch.site, index, var.action);
        };
        let mut device_pointer = |inside: usize, pointer: usize| {
            let host = shadows.on_host(table, inside, pointer);
            host.unwrap_or_else(|| no_memory(state, launch.site, index, pointer))
        };
        let arg = match action {
            // The program has no such variable: what the launch has.
            Action::Value if var.flags & VAR_OWN != 0 => {
                words.value(var);
                launch.args[args.len()] as usize
            }
            _ if var.flags & VAR_OWN != 0 => {
                words.operand(var, action);
                let memory = launch.args[args.len()] as usize;
                device_pointer(memory, memory)
            }
            Action::Value => {
                let values = words.value(var).iter();
                args.extend(values.map(|&word| match has_pointers {
                    true => shadows.word_on_host(table, word),
                    false => word,
                }));
                continue;
            }
            Action::Deviceptr => match words.pointer() {
                0 => 0,
                pointer => device_pointer(pointer, pointer),
            },
            Action::Pointer => {
                let pointer = words.pointer();
                let device = launch.args[args.len()] as usize;
                let id = table.part_at(pointer, device, &Hint::default());
                let inside = id.and_then(|id| table.get(id)).map_or(pointer, |m| m.host);
                of_host(table, shadows, (inside, 1), (pointer, device))
            }
            Action::Firstprivate => {
                let operand = words.operand(var, action);
                // The launch's copy on the device is one of the region's temporaries, which are forgotten afterwards.
                let translated = launch.args[args.len()] as usize;
                let inside = translated.wrapping_add(mapped(&operand).0.wrapping_sub(operand.base));
                match state.device.allocation(inside) {
                    Some(_) => device_pointer(inside, translated),
                    // There is nothing of it.
                    None => operand.base,
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
                let device = launch.args[args.len()] as usize;
                of_host(table, shadows, mapped(&operand), (operand.base, device))
            }
        };
        args.push(arg as u64);
    }
    args
}

/// The host address of what an operand maps, and how many bytes that are.
fn mapped(operand: &Operand<'_>) -> (usize, usize) {
    let hull = Section::outermost(operand).hull();
    hull.map_or((operand.base, 1), |hull| (hull.start, hull.bytes.max(1)))
}

/// The argument for host address `base`, of whose data, if any is present, these bytes are a part, or some of them: of a variable that
/// an enclosing construct names, no more than a section need be present; of several, that with the address `device`.
fn of_host(
    table: &PresentTable,
    shadows: &mut Shadows<'_>,
    (start, bytes): (usize, usize),
    (base, device): (usize, usize),
) -> usize {
    let present = match table.find(start, bytes) {
        Presence::Present(id) => table.get(id),
        Presence::Partial(id) => {
            let mut parts = table.overlapping(start, start.saturating_add(bytes));
            let meant = parts.find(|part| part.translate(base) == device);
            meant.or_else(|| table.get(id))
        }
        Presence::Absent => None,
    };
    let mapping = present.filter(|_| base != 0);
    mapping
        .and_then(|mapping| shadows.on_host(table, mapping.device, mapping.translate(base)))
        .unwrap_or(base)
}

/// The program's pointer leads to no memory of the device.
fn no_memory(
    state: &'static DeviceState,
    site: &'static SiteState,
    var: usize,
    pointer: usize,
) -> ! {
    fatal(
        site.var_place(var),
        format_args!(
            "this region has no GPU code and runs on the host, which cannot use '{}': {pointer:#x} is not \
             memory of device {}",
            site.vars[var].name,
            state.device.name()
        ),
    )
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
