//! The static data of a program and what kernels get.
//!
//! The compiler's side is [`initial`]: an initializer in C for each structure, complete by the rules of Rust.
//!
//! ```text
//! initial::Code { kind: &0, sm: &60, ptx: &70, pad: &0, bytes: &"sizeof t - 1", text: &"t" }
//!     →    { 0, 60, 70, 0, sizeof t - 1, t }
//! ```

use crate::c::{CType, Member, Structure};
use std::ffi::{c_char, c_void};
use std::sync::atomic::AtomicPtr;

/// The compiled body of one kernel for one gang.
pub type CpuGang = unsafe extern "C" fn(*const CpuLaunch, u64);
/// Called once after the last gang; combines the slots.
pub type CpuFinish = unsafe extern "C" fn(*const CpuLaunch);

macro_rules! structs {
    ($($(#[$of_struct:meta])* struct $name:ident as $tag:literal {
        $($(#[$of_member:meta])* $member:ident: $type:ty,)*
    })*) => {
        $(
            $(#[$of_struct])*
            #[repr(C)]
            pub struct $name {
                $($(#[$of_member])* pub $member: $type,)*
            }

            impl CType for $name {
                const WRITTEN: bool = false $(|| <$type as CType>::WRITTEN)*;

                fn declare(declarator: &str) -> String {
                    format!(concat!("struct ", $tag, " {}"), declarator)
                }

                fn declare_const(declarator: &str) -> String {
                    let written = Self::WRITTEN;
                    format!("{}{}", if written { "" } else { "const " }, Self::declare(declarator))
                }
            }
        )*

        /// All structures, in an order that C accepts.
        pub const ALL: &[Structure] = &[$(Structure {
            tag: $tag,
            size: size_of::<$name>(),
            members: &[$(Member {
                name: stringify!($member),
                offset: std::mem::offset_of!($name, $member),
                declare: <$type as CType>::declare,
            },)*],
        },)*];

        /// Initializers in C, member by member.
        pub mod initial {
            use std::fmt::{Display, Formatter, Result};

            $(
                #[doc = concat!("Of [`super::", stringify!($name), "`].")]
                pub struct $name<'a> {
                    $(pub $member: &'a dyn Display,)*
                }

                impl Display for $name<'_> {
                    fn fmt(&self, f: &mut Formatter) -> Result {
                        let members: &[&dyn Display] = &[$(self.$member),*];
                        for (index, member) in members.iter().enumerate() {
                            write!(f, "{}{member}", if index == 0 { "{ " } else { ", " })?;
                        }
                        f.write_str(" }")
                    }
                }
            )*
        }
    };
}

structs! {
    /// What a CPU kernel gets.
    struct CpuLaunch as "accrue_cpu_launch" {
        args: *const u64,
        gangs: [u64; 3],
        workers: u64,
        vector: u64,
        /// One slot per gang, uninitialised, 128-byte aligned.
        slots: *mut c_char,
        slot_stride: u64,
    }

    /// What the loops of a compute construct access of a variable whose clause has no section: which of several present parts of it is
    /// meant.
    struct Reach as "accrue_reach" {
        /// Bytes of one element.
        element: u64,
        /// Programs over the argument words ([`trip`](crate::trip)): the first element, …
        lower: *const i64,
        /// … and how many there are.
        length: *const i64,
    }

    /// A pointer in a variable.
    struct Pointer as "accrue_pointer" {
        /// Bytes from the beginning of the variable, or of an element.
        offset: u64,
        /// Of declared data: how many bytes before what it leads to an object begins that is to be present with the variable, …
        before: u64,
        /// … and how many bytes this object has. 0: there is none.
        bytes: u64,
    }

    /// One variable of a directive.
    struct Var as "accrue_var" {
        /// The variable as the user wrote it (`a`, `s.p`).
        name: *const c_char,
        /// An [`Action`](crate::Action).
        action: u32,
        /// Bits of [`VarFlags`](crate::VarFlags).
        flags: u32,
        /// Bytes of one element; of the whole object when `ndims` is 0.
        elem_size: u64,
        /// Number of dimensions with (lower, length, stride) words.
        ndims: u16,
        /// Bit k (k > 0) set: dimension k is reached through a pointer stored in memory. With the flag `VAR_LIMIT`: the number of
        /// another variable.
        pointer_dims: u16,
        /// Position of the clause item.
        line: u32,
        column: u32,
        /// With action `Firstprivate`: how many pointers of an element the kernels follow. Of a site of declared data: how many are in the
        /// initial value.
        npointers: u32,
        /// In the copy they lead to the device's copies of what they lead to, if these are present.
        pointers: *const Pointer,
        /// Null where that is not known, or the directive is no compute construct.
        reach: *const Reach,
    }

    /// One kernel of a compute construct.
    struct Kernel as "accrue_kernel" {
        name: *const c_char,
        line: u32,
        /// Bits of [`KernelFlags`](crate::KernelFlags).
        flags: u32,
        nforms: u32,
        pad: u32,
        /// Its code, one form per kind of device that there is code for.
        forms: *const Form,
    }

    /// A kernel's code in one form.
    struct Form as "accrue_form" {
        /// A [`FormKind`](crate::FormKind).
        kind: u32,
        pad: u32,
        /// The structure that belongs to the kind.
        code: *const c_void,
    }

    /// A kernel as functions of the program.
    struct CpuKernel as "accrue_cpu_kernel" {
        gang: Option<CpuGang>,
        finish: Option<CpuFinish>,
        /// Bytes of scratch memory per gang, 0 for none.
        slot_bytes: u64,
        /// Of a kernel whose loops over gangs have nothing else to share inside: a program for the number of iterations
        /// ([`trip`](crate::trip)). Null where there is none.
        trip: *const i64,
    }

    /// The device code of one translation unit in one language, for one kind of device.
    struct Code as "accrue_code" {
        /// A [`CodeKind`](crate::CodeKind).
        kind: u32,
        /// Least compute capability, as 10 * major + minor; 0 for OpenCL C.
        sm: u32,
        /// Version of the language, as 10 * major + minor; 0 for machine code.
        ptx: u32,
        pad: u32,
        /// Bytes of `text` without the NUL at its end.
        bytes: u64,
        /// The text, or the image of the machine code.
        text: *const c_char,
    }

    /// All device code of one translation unit that one kind of driver reads.
    struct Module as "accrue_module" {
        ncodes: u32,
        pad: u32,
        codes: *const Code,
        /// Belongs to the library: the module as loaded on each device.
        runtime: AtomicPtr<c_void>,
    }

    /// The version of a kernel for launches in which memory that it only reads is nowhere memory that it writes. Bit n of
    /// a mask is argument word n.
    struct SimtDisjoint as "accrue_simt_disjoint" {
        /// Name of the entry function; its parameters are those of the other version, but that the `read_words` of a kernel in
        /// OpenCL C are pointers.
        entry: *const c_char,
        /// Addresses of memory that is only read, and of memory that is written.
        read_words: u64,
        written_words: u64,
        /// Addresses that have to be multiples of 16.
        aligned_words: u64,
        /// 1 if memory that is written may not be behind two arguments either, 0 otherwise.
        written_once: u64,
        /// Belongs to the library: the version as loaded on each device.
        runtime: AtomicPtr<c_void>,
    }

    /// What a kernel is right for only: nothing that it writes is behind another of its arguments. Bit n of a mask is argument word n.
    struct SimtApart as "accrue_simt_apart" {
        /// Addresses of memory that is only read, and of memory that is written.
        read_words: u64,
        written_words: u64,
    }

    /// Versions of a kernel for short and for few long vector loops inside worker loops.
    struct SimtInner as "accrue_simt_inner" {
        /// A program for the number of iterations of the inner loops.
        length: *const i64,
        /// Several workers share a warp.
        narrow: *const SimtKernel,
        /// One worker of several warps.
        wide: *const SimtKernel,
    }

    /// A version of a kernel whose loop is covered by the grid. A block has `vector` iterations of a loop of one dimension;
    /// of more dimensions it has 32 columns of `vector / 32` rows, and z counts the rest. The programs give the numbers that
    /// the kernel computes, or nothing.
    struct SimtGrid as "accrue_simt_grid" {
        /// The number of iterations of the innermost dimension, …
        columns: *const i64,
        /// … of the one around it, and of all others. Null where there are none.
        rows: *const i64,
        outer: *const i64,
        kernel: *const SimtKernel,
        /// Another version, for launches that cannot have this one, or null.
        next: *const SimtGrid,
    }

    /// One kernel as an entry of a module, for devices whose threads are work items of blocks. The entry takes the argument words
    /// by value (nothing when there are none) and the address of the launch's scratch memory; in OpenCL C also a pointer to the
    /// memory that all these addresses are in, which the kernel does not use, so that the driver keeps it where it is:
    ///
    /// ```text
    /// .visible .entry NAME(.param .align 8 .b8 NAME_args[8*N], .param .u64 NAME_scratch)                    PTX
    /// __kernel void NAME(ulong word_0, …, ulong word_N-1, ulong scratch, __global uchar *memory)           OpenCL C
    /// ```
    /// A lane is dimension 0 of a block, a worker dimension 1, in both.
    struct SimtKernel as "accrue_simt_kernel" {
        module: *const Module,
        /// Name of the entry function.
        entry: *const c_char,
        /// Bits of [`SimtFlags`](crate::SimtFlags).
        flags: u32,
        /// Words in the argument block.
        args_words: u32,
        /// Most workers and lanes the code was made for; 0 for no limit of its own.
        max_workers: u32,
        /// Below 32: every launch has just as many lanes, and workers that fill whole warps.
        max_vector: u32,
        /// Dynamic shared memory per worker.
        shared_worker_bytes: u64,
        /// Scratch memory per gang and per worker.
        scratch_gang_bytes: u64,
        scratch_worker_bytes: u64,
        /// Constant values of `num_workers` and `vector_length`; 0 where they are not constant or not given.
        workers: u32,
        vector: u32,
        /// A program for the number of iterations of the gang-partitioned loop, see [`trip`](crate::trip); null when
        /// unknown.
        trip: *const i64,
        /// Belongs to the library: the kernel as loaded on each device.
        runtime: AtomicPtr<c_void>,
        /// What must hold for it, or else the host runs it; of a version that `each` leads to, which the launch has found to hold. Or null.
        apart: *const SimtApart,
        /// A second version, or null.
        disjoint: *const SimtDisjoint,
        /// Versions for other numbers of lanes, or null.
        inner: *const SimtInner,
        /// The version for launches of few iterations, each of which has a gang, or null.
        each: *const SimtGrid,
        /// The versions for a grid that covers the loop, or null. Of such a version itself: the same.
        grid: *const SimtGrid,
    }

    /// Kernels of a construct, one after another, that the launch runs several times.
    struct Rounds as "accrue_rounds" {
        /// The number of the first of them, and how many they are.
        first: u32,
        nkernels: u32,
        /// The argument word that has the number of the round, from 0.
        word: u32,
        pad: u32,
        /// A program for the number of rounds ([`trip`](crate::trip)).
        count: *const i64,
    }

    /// One directive.
    struct Site as "accrue_site" {
        abi: u32,
        /// A [`SiteKind`](crate::SiteKind).
        kind: u32,
        file: *const c_char,
        function: *const c_char,
        /// The directive as the user wrote it.
        text: *const c_char,
        line: u32,
        column: u32,
        /// Bits of [`SiteFlags`](crate::SiteFlags).
        flags: u32,
        /// `DEVICE_*` bits of a `device_type` clause (init, shutdown, set), 0 for none.
        device_type: u32,
        nvars: u32,
        nkernels: u32,
        vars: *const Var,
        kernels: *const Kernel,
        /// How many of the variables, the last ones, are of the program and used by other units' functions only. The call
        /// has no words for them.
        nglobals: u32,
        nrounds: u32,
        /// Their words.
        globals: *const u64,
        /// In the order of their kernels, which no two of them share.
        rounds: *const Rounds,
        /// Belongs to the library: its own record of this site.
        runtime: AtomicPtr<c_void>,
    }

    /// All sites of one companion object. Its first four members stay where they are in all versions: the library reads
    /// them to say what does not fit.
    struct Image as "accrue_image" {
        abi: u32,
        nsites: u32,
        sites: *const *const Site,
        /// The source file.
        source: *const c_char,
        runtime: *mut c_void,
    }
}

// SAFETY: descriptors are constant data of the program, except members of type `AtomicPtr`.
unsafe impl Sync for Var {}
// SAFETY: only read, and what it points to is static.
unsafe impl Sync for Reach {}
// SAFETY: as above.
unsafe impl Sync for Rounds {}
// SAFETY: as above.
unsafe impl Sync for Kernel {}
// SAFETY: as above.
unsafe impl Sync for Form {}
// SAFETY: as above.
unsafe impl Sync for CpuKernel {}
// SAFETY: as above.
unsafe impl Sync for Site {}
// SAFETY: as above.
unsafe impl Sync for Code {}
// SAFETY: as above.
unsafe impl Sync for Module {}
// SAFETY: as above.
unsafe impl Sync for SimtKernel {}
// SAFETY: as above.
unsafe impl Sync for SimtDisjoint {}
