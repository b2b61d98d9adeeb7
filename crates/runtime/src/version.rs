//! Programs and libraries of different versions of the interface, see [`ABI_VERSION`].
//!
//! ```text
//! accrue: fatal error: heat.c (in ./heat): compiled by an older accrue: its interface to libaccrue has version 1, that of
//! the library, /opt/lib/libaccrue.so, has version 2; compile heat.c again
//! ```
//! Both can be the older one: an object that was not compiled again after an update, or a library that `LD_LIBRARY_PATH`
//! or an old installation puts in the place of the newer one.

use crate::abi::ABI_VERSION;
use crate::fatal;
use std::ffi::{CStr, c_void};

/// Ends the program if data of it, made from the file `source`, is of another version.
pub fn check(version: u32, source: impl FnOnce() -> String, data: *const c_void) {
    if version != ABI_VERSION {
        refuse(version, &source(), data);
    }
}

#[cold]
fn refuse(version: u32, source: &str, data: *const c_void) -> ! {
    let function: fn(u32, &str, *const c_void) -> ! = refuse;
    let (program, library) = (file_of(data), file_of(function as *const c_void));
    let place = match &program {
        Some(program) => format!("{source} (in {program})"),
        None => source.to_string(),
    };
    let library = match library {
        Some(library) if Some(&library) != program.as_ref() => format!("the library, {library},"),
        Some(_) | None => "the library".to_string(),
    };
    let (age, way_out) = match version < ABI_VERSION {
        true => ("an older", format!("compile {source} again")),
        false => (
            "a newer",
            format!("use the library of that accrue, or compile {source} again with this one"),
        ),
    };
    fatal::fatal_text(&format!(
        "{place}: compiled by {age} accrue: its interface to libaccrue has version {version}, that of {library} has version \
         {ABI_VERSION}; {way_out}"
    ))
}

/// The executable or shared library that an address is in.
fn file_of(address: *const c_void) -> Option<String> {
    // SAFETY: a structure of pointers and numbers, which the function fills in.
    let mut found: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: any address may be asked for.
    if unsafe { libc::dladdr(address, &mut found) } == 0 || found.dli_fname.is_null() {
        return None;
    }
    // SAFETY: the name of a loaded file; nothing is unloaded while the program ends.
    let name = unsafe { CStr::from_ptr(found.dli_fname) };
    Some(name.to_string_lossy().into_owned())
}
