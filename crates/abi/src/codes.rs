//! The numbers of directives, of what is done with variables, and of forms of code.

macro_rules! codes {
    ($($(#[$of_enum:meta])* enum $name:ident as $prefix:literal {
        $($(#[$of_variant:meta])* $variant:ident = $number:literal $text:literal,)*
    })*) => {
        $(
            $(#[$of_enum])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            #[repr(u32)]
            pub enum $name {
                $($(#[$of_variant])* $variant = $number,)*
            }

            impl $name {
                /// The one with this number.
                pub fn from_raw(raw: u32) -> Option<$name> {
                    match raw {
                        $($number => Some($name::$variant),)*
                        _ => None,
                    }
                }

                /// The name in messages.
                pub fn name(self) -> &'static str {
                    match self {
                        $($name::$variant => $text,)*
                    }
                }
            }
        )*

        /// The names and numbers.
        pub(crate) const CONSTANTS: &[(&str, u64)] = &[
            $($((concat!($prefix, stringify!($variant)), $number),)*)*
        ];
    };
}

codes! {
    /// Kinds of directives.
    enum SiteKind as "SITE_" {
        Parallel = 1 "parallel",
        Serial = 2 "serial",
        Kernels = 3 "kernels",
        Data = 4 "data",
        HostData = 5 "host_data",
        EnterData = 6 "enter data",
        ExitData = 7 "exit data",
        Update = 8 "update",
        Wait = 9 "wait",
        Init = 10 "init",
        Shutdown = 11 "shutdown",
        Set = 12 "set",
        /// In a function: entered where it stands, left at the end of the scope.
        Declare = 13 "declare",
        /// Outside of functions: entered when the image is loaded.
        DeclareGlobal = 14 "declare",
    }

    /// What a directive does with a variable, and which words describe it.
    ///
    /// * `Value`: the words of the value itself, see [`value_words`](crate::value_words).
    /// * `Pointer`, `Deviceptr`: 1 word, the pointer.
    /// * all others: the data address, the address of the host pointer variable it was reached through (or 0), then a
    ///   [`Dim`](crate::Dim) for each dimension.
    ///
    /// `Attach` and `Detach` act on the pointer variable that word 1 points to; where word 1 is 0, word 0 is the address of
    /// that pointer variable. `UseDevice` has the address of the data (the value of a pointer variable, which then has one
    /// dimension, of no elements); the program asks for the device's address with `__accrue_device_address`. Without
    /// dimensions the program keeps using the host's address.
    enum Action as "ACTION_" {
        Copy = 1 "copy",
        Copyin = 2 "copyin",
        Copyout = 3 "copyout",
        Create = 4 "create",
        NoCreate = 5 "no_create",
        Present = 6 "present",
        Deviceptr = 7 "deviceptr",
        Attach = 8 "attach",
        Detach = 9 "detach",
        Delete = 10 "delete",
        UpdateSelf = 11 "self",
        UpdateDevice = 12 "device",
        UseDevice = 13 "use_device",
        Firstprivate = 14 "firstprivate",
        Value = 15 "implicit firstprivate",
        Pointer = 16 "implicit firstprivate",
    }

    /// Forms of a kernel's code, by who runs them.
    enum FormKind as "FORM_" {
        /// The program's own processor: a [`CpuKernel`](crate::CpuKernel).
        Cpu = 1 "C",
        /// A driver of PTX: a [`SimtKernel`](crate::SimtKernel) in a module of PTX and machine code.
        Ptx = 2 "PTX",
        /// A driver of OpenCL: a [`SimtKernel`](crate::SimtKernel) in a module of OpenCL C.
        OpenCl = 3 "OpenCL C",
        /// The same for CPU cores behind OpenCL: a gang is one work item.
        OpenClCores = 4 "OpenCL C for cores",
    }

    /// What a module's code is written in.
    enum CodeKind as "CODE_" {
        /// For GPUs of its compute capability and all later ones.
        Ptx = 0 "PTX",
        /// For GPUs of the same generation, of its compute capability or a later one.
        Machine = 1 "machine code",
        /// OpenCL C, from version 1.2 on: for all devices behind OpenCL whose addresses have 64 bits.
        OpenCl = 2 "OpenCL C",
    }
}

impl SiteKind {
    /// Whether the site launches kernels.
    pub fn is_compute(self) -> bool {
        matches!(
            self,
            SiteKind::Parallel | SiteKind::Serial | SiteKind::Kernels
        )
    }
}

/// How the words of a call say what an action is about: `crate::words` has their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    /// A value, in as many words as it is long.
    Value,
    /// A pointer's value, in one word.
    Pointer,
    /// An object in memory: its address, and a section's bounds.
    Object,
}

impl Action {
    /// How it is passed.
    #[inline]
    pub fn passed(self) -> Passed {
        match self {
            Action::Value => Passed::Value,
            Action::Deviceptr | Action::Pointer => Passed::Pointer,
            Action::Copy
            | Action::Copyin
            | Action::Copyout
            | Action::Create
            | Action::NoCreate
            | Action::Present
            | Action::Attach
            | Action::Detach
            | Action::Delete
            | Action::UpdateSelf
            | Action::UpdateDevice
            | Action::UseDevice
            | Action::Firstprivate => Passed::Object,
        }
    }
}

/// The number of `acc_device_not_host` among `acc_device_t` (OpenACC 3.4, section 3.1), which code for devices compares with.
pub const ACC_DEVICE_NOT_HOST: i32 = 3;
/// The number of `acc_device_opencl`.
pub const ACC_DEVICE_OPENCL: i32 = 9;
