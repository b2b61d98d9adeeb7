//! Libraries of drivers, which are opened when a program first asks for their devices: nothing is linked.
//!
//! ```text
//! open("libcuda.so.1")   →   the library, or the loader's reason
//! symbol(…, "cuInit")    →   its address, or the name that is missing: the driver is too old
//! ```

use std::ffi::{CStr, c_char, c_int, c_void};

/// Opens the library; or says why that fails.
pub fn open(name: &CStr) -> Result<*mut c_void, String> {
    // `dlopen` is looked up, as a statically linked program does not have it and the linker warns about its use.
    // SAFETY: the name is NUL-terminated.
    let dlopen = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"dlopen".as_ptr()) };
    if dlopen.is_null() {
        return Err("a statically linked program cannot load it".into());
    }
    // SAFETY: this is the C library's function.
    let library = unsafe {
        let dlopen = std::mem::transmute::<
            *mut c_void,
            unsafe extern "C" fn(*const c_char, c_int) -> *mut c_void,
        >(dlopen);
        dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL)
    };
    if !library.is_null() {
        return Ok(library);
    }
    // SAFETY: the text is valid until the next call of this kind on this thread.
    let reason = unsafe {
        let reason = libc::dlerror();
        if reason.is_null() {
            "no reason given".into()
        } else {
            CStr::from_ptr(reason).to_string_lossy().into_owned()
        }
    };
    Err(reason)
}

/// Address of a function of the library; or its name when there is none.
pub fn symbol(
    library: *mut c_void,
    name: &'static str,
    terminated: &'static str,
) -> Result<*mut c_void, &'static str> {
    // SAFETY: the library stays loaded, and the name is NUL-terminated.
    let found = unsafe { libc::dlsym(library, terminated.as_ptr().cast()) };
    if found.is_null() {
        Err(name)
    } else {
        Ok(found)
    }
}
