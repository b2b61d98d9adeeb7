//! The device half of the C library: mathematics and memory functions for kernels on NVIDIA GPUs, as PTX text.
//!
//! A kernel that calls `sin` needs its code in the same PTX module. The PTX printer writes `call (r), __accrue_sin, (x);`
//! and puts the text of [`functions`] in front of its own:
//!
//! ```text
//! functions(&["sin"])   →   .func (…) __accrue_trig_reduce (…) { … }     what sin calls comes first
//!                           .func (…) __accrue_sin (.param .b64 x) { … }
//! ```
//! Parameters and results are those of the C prototype. The texts come from two places:
//!
//! - `lib.ptx`: compiled by accrue itself from the C files in `src/c` (`tools/build.py`), and kept in the repository, so
//!   that users need no tools to get it.
//! - `ptx/system.ptx`: by hand; what C cannot say, because it is one instruction or belongs to the driver.
//!
//! Errors of the functions are in `README.md` of this crate and are tested by `tests/accuracy.rs`.

mod inline;
mod library;

pub use inline::{Inline, Line};
use library::Library;
use std::sync::OnceLock;

/// The function is not in the library.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the device library has no function `{0}`")]
pub struct Unknown(pub String);

fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY
        .get_or_init(|| Library::parse(&[include_str!("ptx/system.ptx"), include_str!("lib.ptx")]))
}

/// True if kernels may call the C function `name`.
pub fn has(name: &str) -> bool {
    library().find(name).is_some()
}

/// What the PTX text calls the C function `name`: `__accrue_sin` for `sin`; functions of the driver, such as `vprintf`,
/// keep their names.
pub fn ptx_name(name: &str) -> Option<&'static str> {
    library().find(name).map(|item| library().name(item))
}

/// The C function `name` for the place of a call, if it is short enough and needs no memory.
pub fn inline(name: &str) -> Option<Inline> {
    let item = library().find(name)?;
    Inline::of(library().item_text(item))
}

/// The PTX text of the C functions, or functions of the library, `needed` and of all that they call, each once, callees first. The text has no
/// `.version`, `.target` and `.address_size` lines; it needs sm_60 and PTX 6.0 or later.
pub fn functions(needed: &[&str]) -> Result<String, Unknown> {
    let library = library();
    let items = needed
        .iter()
        .map(|name| {
            let item = library
                .find(name)
                .or_else(|| library.find_by_ptx_name(name));
            item.ok_or_else(|| Unknown(name.to_string()))
        })
        .collect::<Result<Vec<_>, _>>()?;
    Ok(library.text(&items))
}

/// All C functions of the library, in alphabetic order.
pub fn names() -> Vec<&'static str> {
    library().c_names()
}
