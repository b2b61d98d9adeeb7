//! The text before all functions and kernels: what a driver has to switch on, and what the printed code calls.
//!
//! An address of the device's memory is a number of 64 bits wherever it comes from outside, and becomes a pointer by
//! `ACCRUE_ADDRESS`; a driver whose addresses are other numbers can define it otherwise. The rest are functions that OpenCL C 1.2
//! does not have, each only in the texts that call it. On a device without `double` it is an integer of the same size and alignment:
//! nothing that is built there computes with one.

use crate::{float_sums, heap, strings, vectors};
use std::fmt::Write;

/// What stands before everything else.
const HEAD: &str = "\
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#else
#define double ulong
#endif
#ifndef ACCRUE_ADDRESS
#define ACCRUE_ADDRESS(number) (number)
#endif
";

/// One that the text may need.
struct Piece {
    /// The name that printed code has.
    name: &'static str,
    text: &'static str,
}

/// Those that others use come first.
const PIECES: &[Piece] = &[
    Piece {
        name: "accrue_fence",
        text: "\
#if defined(__NV_CL_C_VERSION)
#define accrue_fence() __asm__ volatile(\"membar.gl;\" ::: \"memory\")
#elif defined(__opencl_c_atomic_scope_device) && defined(__opencl_c_atomic_order_acq_rel)
#define accrue_fence() atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)
#else
#define accrue_fence() mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)
#endif
",
    },
    Piece {
        name: "ACCRUE_VECTORS_64",
        text: "#ifndef ACCRUE_VECTORS_64\n#define ACCRUE_VECTORS_64 0\n#endif\n",
    },
    Piece {
        name: "ACCRUE_VECTORS_32",
        text: "#ifndef ACCRUE_VECTORS_32\n#define ACCRUE_VECTORS_32 0\n#endif\n",
    },
    Piece {
        name: "accrue_apart",
        text: "\
#ifdef POCL_DEVICE_ADDRESS_BITS
#define accrue_apart() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define accrue_apart()
#endif
",
    },
    Piece {
        name: "accrue_copy",
        text: "\
#define accrue_copy(SPACE_TO, to, SPACE_FROM, from, type) \\
    do { \\
        SPACE_TO char *accrue_to = (SPACE_TO char *)(to); \\
        SPACE_FROM const char *accrue_from = (SPACE_FROM const char *)(from); \\
        for (ulong accrue_at = 0; accrue_at < sizeof(type); ++accrue_at) \\
            accrue_to[accrue_at] = accrue_from[accrue_at]; \\
    } while (0)
",
    },
    Piece {
        name: "accrue_zero",
        text: "\
#define accrue_zero(SPACE, at, type) \\
    do { \\
        SPACE char *accrue_to = (SPACE char *)(at); \\
        for (ulong accrue_at = 0; accrue_at < sizeof(type); ++accrue_at) \\
            accrue_to[accrue_at] = 0; \\
    } while (0)
",
    },
    Piece {
        name: "accrue_set",
        text: "\
#define accrue_set(SPACE, at, byte, count) \\
    do { \\
        SPACE char *accrue_to = (SPACE char *)(at); \\
        char accrue_byte = (char)(byte); \\
        ulong accrue_count = (ulong)(count); \\
        for (ulong accrue_at = 0; accrue_at < accrue_count; ++accrue_at) \\
            accrue_to[accrue_at] = accrue_byte; \\
    } while (0)
",
    },
    Piece {
        name: "accrue_bytes",
        text: "\
#define accrue_bytes(SPACE_TO, to, SPACE_FROM, from, count) \\
    do { \\
        SPACE_TO char *accrue_to = (SPACE_TO char *)(to); \\
        SPACE_FROM const char *accrue_from = (SPACE_FROM const char *)(from); \\
        ulong accrue_count = (ulong)(count); \\
        for (ulong accrue_at = 0; accrue_at < accrue_count; ++accrue_at) \\
            accrue_to[accrue_at] = accrue_from[accrue_at]; \\
    } while (0)
",
    },
    Piece {
        name: "accrue_move",
        text: "\
#define accrue_move(SPACE_TO, to, SPACE_FROM, from, count) \\
    do { \\
        SPACE_TO char *accrue_to = (SPACE_TO char *)(to); \\
        SPACE_FROM const char *accrue_from = (SPACE_FROM const char *)(from); \\
        ulong accrue_count = (ulong)(count); \\
        if ((ulong)accrue_to <= (ulong)accrue_from) \\
            for (ulong accrue_at = 0; accrue_at < accrue_count; ++accrue_at) \\
                accrue_to[accrue_at] = accrue_from[accrue_at]; \\
        else \\
            for (ulong accrue_at = accrue_count; accrue_at-- > 0;) \\
                accrue_to[accrue_at] = accrue_from[accrue_at]; \\
    } while (0)
",
    },
    Piece {
        name: "accrue_ctz32",
        text: "static int accrue_ctz32(uint x)\n{\n    return 31 - (int)clz(x & (0 - x));\n}\n",
    },
    Piece {
        name: "accrue_ctz64",
        text: "static int accrue_ctz64(ulong x)\n{\n    return 63 - (int)clz(x & (0 - x));\n}\n",
    },
    Piece {
        name: "accrue_turn",
        text: "\
static ulong accrue_turn(float x)
{
    float c;
    float s = sincos(x, &c);
    return as_ulong((float2)(s, c));
}
",
    },
    Piece {
        name: "accrue_bswap32",
        text: "static uint accrue_bswap32(uint x)\n{\n    return as_uint(as_uchar4(x).wzyx);\n}\n",
    },
    Piece {
        name: "accrue_bswap64",
        text: "static ulong accrue_bswap64(ulong x)\n{\n    return as_ulong(as_uchar8(x).s76543210);\n}\n",
    },
];

/// Complex numbers: a structure of two parts, which has the alignment of C's, and functions of it.
const COMPLEX: &str = include_str!("complex.cl");

/// The structures, and what [`COMPLEX`] says of each: the type of the parts, whether quotients are computed in 64 bits, the smallest number that is not subnormal, the largest over 2,
/// over 8, a number whose ratios to others are normal, and the factor that makes small ones so.
const COMPLEX_TYPES: [(&str, [(&str, &str); 7]); 2] = [
    (
        "accrue_c32",
        [
            ("REAL", "float"),
            ("IN_DOUBLE", "1"),
            ("SMALLEST", "0x1p-126f"),
            ("HALF_OF_LARGEST", "0x1.fffffep+126f"),
            ("SMALL_DIVISOR", "0x1p-102f"),
            ("LARGE_DIVIDEND", "0x1p+103f"),
            ("SCALE_UP", "0x1p24f"),
        ],
    ),
    (
        "accrue_c64",
        [
            ("REAL", "double"),
            ("IN_DOUBLE", "0"),
            ("SMALLEST", "0x1p-1022"),
            ("HALF_OF_LARGEST", "0x1.fffffffffffffp+1022"),
            ("SMALL_DIVISOR", "0x1p-969"),
            ("LARGE_DIVIDEND", "0x1p+970"),
            ("SCALE_UP", "0x1p53"),
        ],
    ),
];

/// The text before `text`, which is all else.
pub fn before(text: &str, contract: bool) -> String {
    let heap = heap::text(text);
    let text = &format!("{text}{heap}");
    let mut head = String::from(HEAD);
    let switch = if contract { "ON" } else { "OFF" };
    let _ = writeln!(head, "#pragma OPENCL FP_CONTRACT {switch}");
    for piece in PIECES {
        if text.contains(piece.name) {
            head.push_str(piece.text);
        }
    }
    head.push_str(&float_sums::text(text));
    head.push_str(&heap);
    head.push_str(&strings::text(text));
    head.push_str(&vectors::types(text));
    for (name, words) in COMPLEX_TYPES {
        if text.contains(name) {
            let named = COMPLEX.replace("COMPLEX", name);
            let replaced = |text: String, (from, to): (&str, &str)| text.replace(from, to);
            head.push_str(&words.into_iter().fold(named, replaced));
        }
    }
    head
}
