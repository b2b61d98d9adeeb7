//! Tools that come with the program or by `ACC_PROFLIB` (OpenACC 3.4, 4.3 and 5.3): their `acc_register_library` is called before
//! the runtime starts.
//!
//! ```text
//! acc_register_library in the program, or preloaded        called first
//! ACC_PROFLIB="liba.so;/opt/b.so"                           then that of each library, in this order
//! ```
//! A program need not have that function, so the library's reference to it is weak. What cannot be loaded is said and passed over.
//! GCC's library for OpenMP, which programs may be linked with too, has one that ends the program: it is no tool.

use super::callbacks::{Lookup, Register, acc_prof_lookup, acc_prof_register, acc_prof_unregister};
use crate::device::library;
use crate::once::Once;
use crate::words;
use std::cell::Cell;
use std::ffi::{CString, c_void};

/// `acc_register_library`.
type RegisterLibrary = unsafe extern "C" fn(Register, Register, Lookup);

// The addresses of the program's function and of one that stands beside it in GCC's static library, null if there is none. Rust has
// no weak references.
core::arch::global_asm!(
    ".weak acc_register_library",
    ".pushsection .data.rel.ro.accrue, \"aw\"",
    ".balign 8",
    ".hidden accrue_register_library_of_program",
    ".globl accrue_register_library_of_program",
    "accrue_register_library_of_program:",
    ".quad acc_register_library",
    ".weak goacc_profiling_initialize",
    ".hidden accrue_profiling_of_gcc",
    ".globl accrue_profiling_of_gcc",
    "accrue_profiling_of_gcc:",
    ".quad goacc_profiling_initialize",
    ".popsection",
);

unsafe extern "C" {
    #[link_name = "accrue_register_library_of_program"]
    static OF_PROGRAM: Option<RegisterLibrary>;
    #[link_name = "accrue_profiling_of_gcc"]
    static OF_GCC: *const c_void;
}

thread_local! {
    /// The thread is in a tool's function, which may call routines.
    static LOADING: Cell<bool> = const { Cell::new(false) };
}

/// Lets tools register, once.
pub fn load() {
    static LOADED: Once<()> = Once::new();
    if LOADING.get() || LOADED.get().is_some() {
        return;
    }
    LOADED.get_or_init(|| {
        LOADING.set(true);
        // SAFETY: the word is set by the linker or the loader and never changes.
        if let Some(register) = unsafe { OF_PROGRAM }.filter(|register| !is_of_gcc(*register)) {
            introduce(register);
        }
        for name in wanted() {
            if let Err(why) = open(&name) {
                crate::message::say!("accrue: warning: ACC_PROFLIB: {name}: {why}; it is not used");
            }
        }
        LOADING.set(false);
    });
}

/// The libraries that `ACC_PROFLIB` names; none for a program that runs with more rights than its user.
fn wanted() -> Vec<String> {
    // SAFETY: the call has no preconditions.
    if unsafe { libc::getauxval(libc::AT_SECURE) } != 0 {
        return Vec::new();
    }
    let names = std::env::var("ACC_PROFLIB").unwrap_or_default();
    let names = names.split(';').map(str::trim);
    names
        .filter(|name| !name.is_empty())
        .map(str::to_string)
        .collect()
}

/// Whether the function is that of GCC's library. Where that is linked statically it is taken to be.
fn is_of_gcc(register: RegisterLibrary) -> bool {
    // SAFETY: the word is set by the linker or the loader and never changes.
    if !unsafe { OF_GCC }.is_null() {
        return true;
    }
    // SAFETY: the structure is one of plain words, for which zero is a value.
    let mut place: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: any address may be asked about.
    let found = unsafe { libc::dladdr(register as *const c_void, &mut place) };
    if found == 0 {
        return false;
    }
    // SAFETY: the loader gives a C string, or null.
    let file = unsafe { words::text(place.dli_fname) };
    let name = file.rsplit('/').next().unwrap_or_default();
    name.starts_with("libgomp.")
}

fn open(name: &str) -> Result<(), String> {
    let file = CString::new(name).map_err(|_| "the name has a NUL".to_string())?;
    let opened = library::open(&file)?;
    let function = "acc_register_library";
    let found = library::symbol(opened, function, "acc_register_library\0")
        .map_err(|function| format!("it has no {function}"))?;
    // SAFETY: the specification says of which type the function of this name is.
    let register = unsafe { std::mem::transmute::<*mut c_void, RegisterLibrary>(found) };
    introduce(register);
    Ok(())
}

fn introduce(register: RegisterLibrary) {
    // SAFETY: the tool's function is there to be called so.
    unsafe { register(acc_prof_register, acc_prof_unregister, acc_prof_lookup) };
}
