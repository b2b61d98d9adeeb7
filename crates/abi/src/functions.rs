//! The functions of the library that programs call.

use crate::c::CType;
use crate::structs::{Image, Site};
use std::ffi::c_void;

/// A function's name and type in C.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    pub name: &'static str,
    declare: fn(&str) -> String,
}

impl Function {
    pub fn prototype(&self) -> String {
        (self.declare)(self.name)
    }
}

macro_rules! functions {
    ($($(#[$of_table:meta])* $table:ident { $($(#[$of_function:meta])* $name:ident as $type:ident($($parameter:ty),*) -> $result:ty;)* })*) => {
        $(
            $($(#[$of_function])* pub type $type = unsafe extern "C" fn($($parameter),*) -> $result;)*

            $(#[$of_table])*
            pub const $table: &[Function] = &[$(Function {
                name: stringify!($name),
                declare: <$type as CType>::declare,
            },)*];
        )*
    };
}

functions! {
    /// Called by the host's text.
    OF_HOSTS {
        __accrue_launch as Launch(*const Site, *const u64) -> i32;
        __accrue_data_begin as DataBegin(*const Site, *const u64) -> ();
        __accrue_data_next as DataNext(*const Site) -> i32;
        __accrue_exec as Exec(*const Site, *const u64) -> ();
        __accrue_device_is as DeviceIs(u32) -> i32;
        __accrue_device_address as DeviceAddress(*const Site, u32) -> *mut c_void;
        __accrue_declare_leave as DeclareLeave(*const *const Site) -> ();
        __accrue_declare_global as DeclareGlobal(*const Site, *const u64) -> ();
        __accrue_unobserved as Unobserved(i32) -> i32;
        __accrue_requires as Requires(i32) -> ();
        __accrue_target_is as TargetIs(i32, u32) -> i32;
        __accrue_mapped_pointer as MappedPointer(*const c_void) -> *mut c_void;
    }

    /// Called by the companion when the program is loaded and unloaded.
    OF_IMAGES {
        __accrue_register_image as RegisterImage(*mut Image) -> ();
        __accrue_unregister_image as UnregisterImage(*mut Image) -> ();
    }
}

/// The declarations behind which the user's text stands: with names that no program has, for every dialect of C.
pub const HOST_DECLARATIONS: &str = "\
__extension__ typedef unsigned long long __accrue_word;struct __accrue_site;\
int __accrue_launch(struct __accrue_site*,const __accrue_word*);\
void __accrue_data_begin(struct __accrue_site*,const __accrue_word*);\
int __accrue_data_next(struct __accrue_site*);\
void __accrue_exec(struct __accrue_site*,const __accrue_word*);\
int __accrue_device_is(unsigned int);\
int __builtin_goacc_parlevel_id(int);\
int __builtin_goacc_parlevel_size(int);";

/// The same for texts with `use_device` clauses.
pub const DEVICE_ADDRESS_DECLARATION: &str =
    "void*__accrue_device_address(struct __accrue_site*,unsigned int);";

/// The same for texts with `declare` directives in functions: called with the address of a pointer to the directive's site.
pub const DECLARE_LEAVE_DECLARATION: &str =
    "void __accrue_declare_leave(struct __accrue_site*const*);";

/// The same for texts with loops whose constructs nobody waits for one by one.
pub const UNOBSERVED_DECLARATION: &str = "int __accrue_unobserved(int);";

/// The same for texts with `declare` directives outside of functions.
pub const DECLARE_GLOBAL_DECLARATION: &str =
    "void __accrue_declare_global(struct __accrue_site*,const __accrue_word*);";

/// The same for texts that require something of devices.
pub const REQUIRES_DECLARATION: &str = "void __accrue_requires(int);";

/// The same for texts that ask what a device of OpenMP is.
pub const TARGET_IS_DECLARATION: &str = "int __accrue_target_is(int,unsigned int);";

/// The same for texts that call variants of functions with pointers to memory of the device.
pub const MAPPED_POINTER_DECLARATION: &str = "void*__accrue_mapped_pointer(const void*);";

/// The number that stands for the default device where one is asked for.
pub const DEFAULT_TARGET: i32 = i32::MIN;
