//! Link flags of the shared library: a fixed soname, and `nodelete`, because pool and queue
//! threads keep running code of the library after a `dlclose`.

fn main() {
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libaccrue.so");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo:rerun-if-changed=build.rs");
}
