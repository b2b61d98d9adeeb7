//! The interface in C.
//!
//! The text of a structure comes from the types of its members in Rust, so that the two cannot differ:
//!
//! ```text
//! pub vars: *const Var        const struct accrue_var *vars;
//! pub gangs: [u64; 3]    →    unsigned long long gangs[3];
//! pub module: *const Module   struct accrue_module *module;      (not const: it has a member that the library writes)
//! ```
//! [`declarations`] is for text that no preprocessor sees any more, as the companion's; [`header`] has the constants too.

use crate::{codes, flags, functions, structs, trip, words};
use std::ffi::{c_char, c_void};
use std::fmt::Write;
use std::sync::atomic::AtomicPtr;

/// A type that C has, too.
pub trait CType {
    /// The library writes it, though it is static data.
    const WRITTEN: bool = false;

    /// The declaration of `declarator` with this type.
    fn declare(declarator: &str) -> String;

    /// The same with the type made `const`, unless the library writes it.
    fn declare_const(declarator: &str) -> String {
        format!("const {}", Self::declare(declarator))
    }
}

macro_rules! scalars {
    ($($rust:ty => $c:literal,)*) => {
        $(impl CType for $rust {
            fn declare(declarator: &str) -> String {
                format!(concat!($c, " {}"), declarator)
            }
        })*
    };
}
scalars! {
    c_char => "char",
    c_void => "void",
    u16 => "unsigned short",
    i32 => "int",
    u32 => "unsigned",
    i64 => "long long",
    u64 => "unsigned long long",
    () => "void",
}

impl<T: CType> CType for *const T {
    fn declare(declarator: &str) -> String {
        T::declare_const(&format!("*{declarator}"))
    }

    fn declare_const(declarator: &str) -> String {
        T::declare_const(&format!("*const {declarator}"))
    }
}

impl<T: CType> CType for *mut T {
    fn declare(declarator: &str) -> String {
        T::declare(&format!("*{declarator}"))
    }

    fn declare_const(declarator: &str) -> String {
        T::declare(&format!("*const {declarator}"))
    }
}

impl<T: CType> CType for AtomicPtr<T> {
    const WRITTEN: bool = true;

    fn declare(declarator: &str) -> String {
        <*mut T>::declare(declarator)
    }
}

impl<T: CType, const N: usize> CType for [T; N] {
    const WRITTEN: bool = T::WRITTEN;

    fn declare(declarator: &str) -> String {
        T::declare(&format!("{declarator}[{N}]"))
    }
}

macro_rules! function_types {
    ($($($parameter:ident)*;)*) => {
        $(impl<R: CType, $($parameter: CType),*> CType for unsafe extern "C" fn($($parameter),*) -> R {
            fn declare(declarator: &str) -> String {
                let parameters = [$($parameter::declare("")),*];
                let parameters = parameters.each_ref().map(|parameter| parameter.trim_end());
                R::declare(&format!("{declarator}({})", parameters.join(", ")))
            }
        })*
    };
}
function_types! { A; A B; }

impl<F: CType> CType for Option<F> {
    /// A function, or null.
    fn declare(declarator: &str) -> String {
        F::declare(&format!("(*{declarator})"))
    }
}

/// A member of a structure.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    pub name: &'static str,
    pub offset: usize,
    /// Gives its declaration in C, by its name.
    pub declare: fn(&str) -> String,
}

/// A structure.
#[derive(Clone, Copy, Debug)]
pub struct Structure {
    /// Its tag in C.
    pub tag: &'static str,
    pub size: usize,
    pub members: &'static [Member],
}

impl Structure {
    fn definition(&self) -> String {
        let mut text = format!("struct {} {{\n", self.tag);
        for member in self.members {
            let _ = writeln!(text, "    {};", (member.declare)(member.name));
        }
        text.push_str("};\n");
        text
    }
}

/// The structures and the functions that an image calls. The text has no preprocessor directives.
pub fn declarations() -> String {
    let mut text = String::new();
    text.extend(structs::ALL.iter().map(Structure::definition));
    for function in functions::OF_IMAGES {
        let _ = writeln!(text, "extern {};", function.prototype());
    }
    text
}

/// What a compiler checks that is given [`declarations`], with options of the user's that may change layouts: sizes tell, as
/// all structures have members that packing or another size of addresses would move.
pub fn size_assertions() -> String {
    let mut text = String::new();
    for Structure { tag, size, .. } in structs::ALL {
        let _ = writeln!(
            text,
            "__extension__ _Static_assert(sizeof(struct {tag}) == {size}, \"options change the layout of struct {tag}\");"
        );
    }
    text
}

/// A constant expression of C for each structure and member, true if C lays it out as Rust does.
pub fn layout() -> Vec<String> {
    let structure = |structure: &Structure| {
        let tag = structure.tag;
        let offsets = structure.members.iter().map(move |member| {
            let (name, offset) = (member.name, member.offset);
            format!("__builtin_offsetof(struct {tag}, {name}) == {offset}")
        });
        let size = format!("sizeof(struct {tag}) == {}", structure.size);
        offsets.chain([size]).collect::<Vec<_>>()
    };
    structs::ALL.iter().flat_map(structure).collect()
}

/// Everything, for programs in C and C++: the constants as macros, the structures, the functions.
pub fn header() -> String {
    let mut text = format!("#define ACCRUE_ABI_VERSION {}\n", crate::ABI_VERSION);
    let named = [words::CONSTANTS, codes::CONSTANTS, trip::CONSTANTS].concat();
    let named = named
        .into_iter()
        .map(|(name, value)| (name.to_string(), value));
    for (name, value) in named.chain(flags::constants().concat()) {
        let _ = match u32::try_from(value) {
            Ok(value) => writeln!(text, "#define ACCRUE_{name} {value}"),
            Err(_) => writeln!(text, "#define ACCRUE_{name} {value:#x}ull"),
        };
    }
    text.push_str("#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    text.push_str(&declarations());
    for function in functions::OF_HOSTS {
        let _ = writeln!(text, "extern {};", function.prototype());
    }
    text.push_str("#ifdef __cplusplus\n}\n#endif\n");
    text
}
