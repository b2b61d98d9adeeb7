//! The bits of flag words: for the compiler as structures of truth values, for the library as masks.
//!
//! ```text
//! KernelFlags { gang_loop: true, gang_dims: [false, true, false], .. }.bits()  ==  KERNEL_GANG_LOOP | KERNEL_GANG_DIMS[1]
//! ```

/// What a flag is: a truth value, or one for each gang dimension.
pub trait Flag {
    type Bits;
    /// The bits of a flag word.
    fn bits(self, bits: Self::Bits) -> u32;
    /// The bits with names.
    fn named(name: &str, bits: Self::Bits) -> Vec<(String, u64)>;
}

impl Flag for bool {
    type Bits = u32;

    fn bits(self, bit: u32) -> u32 {
        if self { bit } else { 0 }
    }

    fn named(name: &str, bit: u32) -> Vec<(String, u64)> {
        vec![(name.to_string(), u64::from(bit))]
    }
}

impl Flag for [bool; 3] {
    type Bits = [u32; 3];

    fn bits(self, bits: [u32; 3]) -> u32 {
        let flags = self.into_iter().zip(bits);
        flags.fold(0, |all, (flag, bit)| all | flag.bits(bit))
    }

    fn named(name: &str, bits: [u32; 3]) -> Vec<(String, u64)> {
        let names = (1..).map(|dimension| format!("{name}_{dimension}"));
        names.zip(bits.map(u64::from)).collect()
    }
}

macro_rules! flags {
    ($($(#[$of_struct:meta])* struct $name:ident {
        $($(#[$of_flag:meta])* $flag:ident: $type:ty = $constant:ident $bits:expr,)*
    })*) => {
        $(
            $(#[$of_struct])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub struct $name {
                $($(#[$of_flag])* pub $flag: $type,)*
            }

            $($(#[$of_flag])* pub const $constant: <$type as Flag>::Bits = $bits;)*

            impl $name {
                /// The flag word.
                pub fn bits(self) -> u32 {
                    0 $(| Flag::bits(self.$flag, $constant))*
                }
            }
        )*

        /// The names and bits of all flag words.
        pub(crate) fn constants() -> Vec<Vec<(String, u64)>> {
            vec![$([$(<$type as Flag>::named(stringify!($constant), $constant),)*].concat(),)*]
        }
    };
}

flags! {
    /// Of a variable.
    struct VarFlags {
        /// The variable has no clause; its attribute is implicit (OpenACC 3.4, 2.6.2).
        implicit: bool = VAR_IMPLICIT 1,
        readonly: bool = VAR_READONLY 2,
        zero: bool = VAR_ZERO 4,
        always_in: bool = VAR_ALWAYS_IN 8,
        always_out: bool = VAR_ALWAYS_OUT 16,
        capture: bool = VAR_CAPTURE 32,
        /// Word 1 is a pointer to be attached.
        attach: bool = VAR_ATTACH 64,
        /// With action `Pointer`: what the pointer points to must be present (`present(p)` without a section). With others: the
        /// object must be present, whatever else is done with it.
        required: bool = VAR_REQUIRED 128,
        /// A scalar that kernels use for the result of a reduction only: one thread reads and writes it, once per kernel.
        result: bool = VAR_RESULT 256,
        /// The variable is a pointer and is named without a section: of data that is present, what it points to is meant.
        pointer: bool = VAR_POINTER 512,
        /// It is enough if a part of the variable is present: a `data` construct around, which has made it present or not, may
        /// have named a section; or the section is one that no clause has.
        part: bool = VAR_PART 1024,
        /// The address is one of the device's already.
        on_device: bool = VAR_ON_DEVICE 2048,
        /// With action `Pointer`: the kernels only compare the pointer with those into another variable, whose number is in
        /// `pointer_dims`.
        limit: bool = VAR_LIMIT 4096,
        /// With action `Pointer`: the kernels only look at the pointer, and at nothing that it leads to. Where that is not present, it is
        /// as it is (OpenMP 5.2, 5.8.6).
        value: bool = VAR_VALUE 8192,
        /// A pointer in a struct or array that no clause names and that the kernels follow. With action `Value`: it becomes the device's address of what it
        /// leads to, if that is present. With `Attach`: the same in a copy of the struct that the region has made; in one that was
        /// present it is left alone.
        followed: bool = VAR_FOLLOWED 16384,
        /// A struct around members that `enter data` or `exit data` names: it counts only where such a directive has made it present.
        around: bool = VAR_AROUND 32768,
        /// There is no such variable in the program. The launch has memory of so many bytes for it, in which kernels leave what later ones
        /// read; with action `Value`: the number of the round ([`Rounds`](crate::Rounds)).
        own: bool = VAR_OWN 65536,
    }

    /// Of a directive.
    struct SiteFlags {
        finalize: bool = SITE_FINALIZE 1,
        if_present: bool = SITE_IF_PRESENT 2,
        async_given: bool = SITE_ASYNC_GIVEN 4,
        default_present: bool = SITE_DEFAULT_PRESENT 8,
        /// The directive is OpenMP's: devices have OpenMP's numbers, and the structured and the dynamic counter of a mapping count
        /// as one.
        openmp: bool = SITE_OPENMP 16,
        /// The call has the sizes of each kernel: see [`SIZE_WORDS`](crate::SIZE_WORDS).
        sizes: bool = SITE_SIZES 32,
    }

    /// Of a kernel.
    struct KernelFlags {
        /// The kernel has a gang-partitioned loop: its default gang count is the number of cores.
        gang_loop: bool = KERNEL_GANG_LOOP 1,
        /// A serial phase of a `kernels` construct: always one gang.
        single_gang: bool = KERNEL_SINGLE_GANG 2,
        /// Loops are spread over single gang dimensions, and these are dimension 1, 2 and 3.
        gang_dims: [bool; 3] = KERNEL_GANG_DIMS [4, 8, 16],
        /// Iterations of the gang-partitioned loop may take very different times: cores take more than one gang each.
        uneven: bool = KERNEL_UNEVEN 32,
        /// The kernel takes pointers from memory or puts them there. Where it runs on the host in place of a device, they are
        /// translated.
        pointers: bool = KERNEL_POINTERS 64,
    }

    /// Of a kernel that is an entry of a module.
    struct SimtFlags {
        /// The kernel has worker-partitioned loops.
        workers: bool = SIMT_WORKERS 1,
        /// The kernel has vector-partitioned loops.
        vector: bool = SIMT_VECTOR 2,
        /// The kernel uses scratch memory.
        scratch: bool = SIMT_SCRATCH 4,
        /// The gang-partitioned loop is also spread over workers.
        gang_worker_loop: bool = SIMT_GANG_WORKER_LOOP 8,
        /// The gang-partitioned loop is also spread over lanes.
        gang_vector_loop: bool = SIMT_GANG_VECTOR_LOOP 16,
        /// On a GPU no loop is spread over gangs, though one is elsewhere (`device_type` clauses).
        no_gang_loop: bool = SIMT_NO_GANG_LOOP 32,
        /// A lane works on four iterations of the gang-partitioned loop at a time if it has as many.
        several: bool = SIMT_SEVERAL 64,
        /// Each gang has work of its own beside its share of the gang-partitioned loop.
        gang_cost: bool = SIMT_GANG_COST 128,
        /// On a GPU loops are spread over single gang dimensions, and these are dimension 1, 2 and 3: the grid has them
        /// all.
        gang_dims: [bool; 3] = SIMT_GANG_DIMS [256, 512, 1024],
        /// Nobody can tell whether gangs without iterations of the gang-partitioned loops run.
        only_loops: bool = SIMT_ONLY_LOOPS 2048,
        /// The code computes with floating-point numbers of 64 bits, which some devices do not have.
        doubles: bool = SIMT_DOUBLES 4096,
        /// A launch of several gangs is followed by launches of the entry whose name ends in `HALVING`: they bring the gangs' records
        /// together.
        halving: bool = SIMT_HALVING 8192,
        /// All work items of a group wait for each other in a branch in a loop.
        waits_in_branches: bool = SIMT_WAITS_IN_BRANCHES 16384,
        /// On a GPU a loop is spread over gangs, though none is elsewhere (loops that the launch can tell to be independent).
        own_gang_loop: bool = SIMT_OWN_GANG_LOOP 32768,
        /// A loop is spread over gangs and lanes at once, and the code is right for any number of lanes up to the largest: launches of few
        /// iterations take few.
        open_lanes: bool = SIMT_OPEN_LANES 65536,
    }

    /// What OpenMP's `requires` asks of devices.
    struct RequirementFlags {
        unified_address: bool = REQUIRES_UNIFIED_ADDRESS 1,
        unified_shared_memory: bool = REQUIRES_UNIFIED_SHARED_MEMORY 2,
        reverse_offload: bool = REQUIRES_REVERSE_OFFLOAD 4,
    }

    /// Kinds of OpenMP's devices, of which a program asks what one is.
    struct TargetKinds {
        initial: bool = TARGET_INITIAL 1,
        cores: bool = TARGET_CORES 2,
        nvidia: bool = TARGET_NVIDIA 4,
        opencl: bool = TARGET_OPENCL 8,
    }

    /// Of a `device_type` clause: the types that it names.
    struct DeviceTypes {
        none: bool = DEVICE_NONE 1,
        host: bool = DEVICE_HOST 2,
        nvidia: bool = DEVICE_NVIDIA 4,
        radeon: bool = DEVICE_RADEON 8,
        default: bool = DEVICE_DEFAULT 16,
        any: bool = DEVICE_ANY 32,
        sim: bool = DEVICE_SIM 64,
        opencl: bool = DEVICE_OPENCL 128,
    }
}
