//! Texts of fatal errors about data: the variable, its range, the device, and the neighbouring
//! mappings with who made them.

use crate::device::absent::Window;
use crate::device::{Device, Fault, OutOfMemory};
use crate::fatal;
use crate::present::table::{Mapping, MappingId, PresentTable};
use crate::section::Piece;
use crate::site::SiteState;
use std::fmt::Write;

/// Most mappings listed in an out-of-memory message.
const LISTED: usize = 10;

fn range(host: usize, bytes: usize) -> String {
    format!(
        "host={host:#x}..{:#x} ({bytes} bytes)",
        host.wrapping_add(bytes)
    )
}

fn named(name: &str) -> String {
    if name.is_empty() {
        String::new()
    } else {
        format!("name={name} ")
    }
}

/// One line about a mapping.
pub fn mapping(table: &PresentTable, mapping: &Mapping) -> String {
    format!(
        "{}{} device={:#x} structured={} dynamic={}, mapped by {}",
        named(mapping.origin.name),
        range(mapping.host, mapping.bytes),
        mapping.device,
        table.references(mapping),
        mapping.dynamic,
        mapping.origin.place,
    )
}

fn neighbours(table: &PresentTable, host: usize) -> String {
    let (below, above) = table.neighbours(host);
    let mut text = String::new();
    if let Some(below) = below {
        let _ = write!(text, "\n  nearest mapping below: {}", mapping(table, below));
    }
    if let Some(above) = above {
        let _ = write!(text, "\n  nearest mapping above: {}", mapping(table, above));
    }
    if text.is_empty() {
        text.push_str("\n  nothing is mapped on this device");
    }
    text
}

/// `present` (or a routine that needs the data present) found nothing.
pub fn not_present(
    device: &dyn Device,
    table: &PresentTable,
    piece: Piece,
    name: &str,
    clause: &str,
) -> String {
    format!(
        "data in {clause} clause was not found on device {}: {}{}{}",
        device.name(),
        named(name),
        range(piece.start, piece.bytes),
        neighbours(table, piece.start)
    )
}

/// Only a part of the data is present.
pub fn partially_present(
    device: &dyn Device,
    table: &PresentTable,
    piece: Piece,
    other: MappingId,
    name: &str,
    clause: &str,
) -> String {
    let other = table.get(other).map_or_else(String::new, |other| {
        format!("\n  it overlaps: {}", mapping(table, other))
    });
    format!(
        "variable in {clause} clause is partially present on device {}: {}{}{other}",
        device.name(),
        named(name),
        range(piece.start, piece.bytes),
    )
}

/// A kernel has failed: ends the program, with the line of the failing instruction where it is known, else with that of
/// the directive.
pub fn fault(device: &dyn Device, site: &'static SiteState, fault: Fault) -> ! {
    let Fault {
        mut message,
        source,
        address,
        aborted,
    } = fault;
    if let Some(absent) = address.and_then(|address| Window::NOWHERE.find(address)) {
        message = format!(
            "the kernel accesses '{}' ({} bytes from host address {:#x}), but its data is not on device {}; add a \
             data clause for it\n  {message}",
            absent.name(),
            absent.offset,
            absent.host,
            device.name(),
        );
    } else {
        message = format!("a kernel failed on device {}: {message}", device.name());
    }
    let mut place = site.place();
    if let Some((file, line)) = source {
        let _ = write!(
            message,
            "\n  in the {} construct of {place}, in function {}",
            site.kind.name(),
            site.function
        );
        place.file = String::leak(file);
        place.line = line;
    }
    match aborted {
        true => fatal::abort(place, message),
        false => fatal::fatal_as(fatal::Error::Execution, place, message),
    }
}

/// The device has no memory left.
pub fn out_of_memory(
    device: &dyn Device,
    table: &PresentTable,
    error: OutOfMemory,
    name: &str,
) -> String {
    let mut largest: Vec<&Mapping> = table.iter().collect();
    largest.sort_by_key(|mapping| std::cmp::Reverse(mapping.bytes));
    let mapped: usize = largest.iter().map(|mapping| mapping.bytes).sum();
    let mut text = format!(
        "out of memory on device {}: {}{} bytes requested, {} of {} bytes in use; {} mappings \
         with {mapped} bytes",
        device.name(),
        named(name),
        error.requested,
        error.in_use,
        error.total,
        largest.len(),
    );
    for largest in largest.iter().take(LISTED) {
        let _ = write!(text, "\n  {}", mapping(table, largest));
    }
    text
}
