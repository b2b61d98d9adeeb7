//! Words that no variable may be called: those of OpenCL C beside C's, and the functions that printed code calls.

use crate::library::of_floats;
use accrue_dialects::core::Known;
use std::sync::LazyLock;

/// All of them.
pub static RESERVED: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let functions = Known::ALL
        .iter()
        .filter_map(|function| of_floats(*function));
    let words = WORDS.iter().chain(VECTORS).copied();
    words.chain(functions).collect()
});

/// The vectors of each element type.
macro_rules! vectors {
    ($($element:literal)*) => {
        &[$(
            concat!($element, "2"),
            concat!($element, "3"),
            concat!($element, "4"),
            concat!($element, "8"),
            concat!($element, "16"),
        )*]
    };
}

const VECTORS: &[&str] = vectors!(
    "char" "uchar" "short" "ushort" "int" "uint" "long" "ulong" "half" "float" "double"
);

const WORDS: &[&str] = &[
    "kernel",
    "global",
    "local",
    "constant",
    "private",
    "generic",
    "read_only",
    "write_only",
    "read_write",
    "uniform",
    "pipe",
    "bool",
    "uchar",
    "ushort",
    "uint",
    "ulong",
    "half",
    "quad",
    "complex",
    "imaginary",
    "size_t",
    "ptrdiff_t",
    "intptr_t",
    "uintptr_t",
    "event_t",
    "sampler_t",
    "queue_t",
    "image1d_t",
    "image2d_t",
    "image3d_t",
    "popcount",
    "clz",
    "abs",
    "rotate",
    "min",
    "max",
    "barrier",
    "mem_fence",
    "printf",
    "as_int",
    "as_uint",
    "as_float",
    "as_long",
    "as_ulong",
    "as_double",
    "as_uchar4",
    "as_uchar8",
    "as_short",
    "as_ushort",
    "atomic_add",
    "atomic_sub",
    "atomic_and",
    "atomic_or",
    "atomic_xor",
    "atomic_min",
    "atomic_max",
    "atomic_xchg",
    "atomic_cmpxchg",
    "atom_add",
    "atom_sub",
    "atom_xchg",
    "atom_cmpxchg",
    "atomic_work_item_fence",
    "get_local_id",
    "get_local_size",
    "get_group_id",
    "get_num_groups",
    "INFINITY",
    "NAN",
    "NULL",
    "MAXFLOAT",
    "HUGE_VAL",
    "HUGE_VALF",
    "linux",
    "unix",
];
