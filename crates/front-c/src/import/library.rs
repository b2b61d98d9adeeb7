//! What is known about functions of the C library and of the compiler. Passes see it as traits of the functions' declarations.

use accrue_dialects::core::{ExternTraits, Known};

/// Functions of `<math.h>` and `<complex.h>`; each also with `f` and `l` behind its name.
const MATHEMATICAL: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "ilogb",
    "j0",
    "j1",
    "jn",
    "ldexp",
    "lgamma",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "nearbyint",
    "nextafter",
    "nexttoward",
    "pow",
    "remainder",
    "rint",
    "round",
    "scalbln",
    "scalbn",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
    "y0",
    "y1",
    "yn",
    "cabs",
    "cacos",
    "cacosh",
    "carg",
    "casin",
    "casinh",
    "catan",
    "catanh",
    "ccos",
    "ccosh",
    "cexp",
    "cimag",
    "clog",
    "conj",
    "cpow",
    "cproj",
    "creal",
    "csin",
    "csinh",
    "csqrt",
    "ctan",
    "ctanh",
    "isnan",
    "isinf",
    "finite",
];

/// Other functions that touch no memory.
const PURE: &[&str] = &[
    "abs",
    "labs",
    "llabs",
    "toupper",
    "tolower",
    "isalpha",
    "isdigit",
    "isspace",
    "isalnum",
    "popcount",
    "clz",
    "ctz",
    "ffs",
    "parity",
    "bswap16",
    "bswap32",
    "bswap64",
    "popcountl",
    "popcountll",
    "clzl",
    "clzll",
    "ctzl",
    "ctzll",
    "ffsl",
    "ffsll",
    "parityl",
    "parityll",
    "signbit",
    "isfinite",
    "isnormal",
    "isgreater",
    "isless",
];

/// Functions that device code may call though they touch memory.
const OTHER: &[&str] = &[
    "printf",
    "puts",
    "putchar",
    "malloc",
    "calloc",
    "realloc",
    "free",
    "memcpy",
    "memmove",
    "memset",
    "memcmp",
    "memchr",
    "strlen",
    "strcmp",
    "strncmp",
    "strcpy",
    "strncpy",
    "strcat",
    "strncat",
    "strchr",
    "strrchr",
    "abort",
    "exit",
    "acc_on_device",
    FENCE,
    "goacc_parlevel_id",
    "goacc_parlevel_size",
];

/// The compiler's function that is a fence.
pub const FENCE: &str = "__sync_synchronize";

/// Routines of `omp.h` that devices have as functions: cores in `libaccrue` and the host's OpenMP library, GPUs in the device library.
const OPENMP_ON_DEVICES: [&str; 4] = [
    "omp_is_initial_device",
    "omp_get_device_num",
    "omp_get_wtime",
    "omp_get_wtick",
];

/// Whether devices have this routine of `omp.h`.
pub fn is_openmp_on_devices(name: &str) -> bool {
    OPENMP_ON_DEVICES.contains(&name)
}

/// Functions whose result is new memory.
const ALLOCATE: &[&str] = &["malloc", "calloc", "aligned_alloc"];

/// Functions of C and POSIX that get the addresses of numbers and structs, and do not keep them.
const KEEP_NO_ADDRESS: &str = "printf fprintf sprintf snprintf scanf fscanf sscanf fread fwrite read write memset memcpy memmove memcmp \
    time gettimeofday clock_gettime localtime gmtime mktime strftime strtod strtof strtol strtoul strtoll strtoull frexp frexpf \
    modf modff remquo sincos sincosf getrusage times stat fstat getline rand_r erand48 nrand48 jrand48";

/// Functions that write to nothing of the program's but what their arguments lead to.
const WRITE_ARGUMENTS_ONLY: &str = "printf fprintf puts putchar fputs fputc putc fflush fwrite malloc calloc free clock time gettimeofday \
    clock_gettime omp_get_wtime strlen strcmp atoi atof";

/// Before the names of the compiler's own functions.
const BUILTIN: &str = "__builtin_";

/// Before the names that the device library's own code has for instructions.
const INSTRUCTION: &str = "__accrue_lib_";

/// True when the function's result depends on its arguments only.
pub fn is_pure(name: &str) -> bool {
    let name = plain(name);
    let stem = |suffix| {
        name.strip_suffix(suffix)
            .is_some_and(|stem| MATHEMATICAL.contains(&stem))
    };
    MATHEMATICAL.contains(&name)
        || PURE.contains(&name)
        || stem('f')
        || stem('l')
        || name.starts_with(INSTRUCTION)
}

/// Which function of those that passes and back ends know it is.
pub fn known(name: &str) -> Option<Known> {
    let plain = plain(name);
    let of_stem = |stem: &str| {
        let offered = MATHEMATICAL.contains(&stem) || stem == "roundeven";
        let mut all = Known::ALL.iter().copied();
        all.find(|known| offered && known.stem() == stem)
    };
    match plain {
        "abs" | "labs" | "llabs" => Some(Known::Abs),
        "sincos" | "sincosf" => Some(Known::SinCos),
        "scalbn" | "scalbnf" | "scalbnl" => Some(Known::Ldexp),
        "printf" => Some(Known::Print),
        FENCE => Some(Known::Fence),
        "goacc_parlevel_id" => Some(Known::LevelPosition),
        "goacc_parlevel_size" => Some(Known::LevelSize),
        _ => of_stem(plain)
            .or_else(|| of_stem(plain.strip_suffix(['f', 'l'])?))
            .or_else(|| builtin(name.strip_prefix(BUILTIN)?)),
    }
}

/// Which function it is, of those that are the compiler's own.
fn builtin(name: &str) -> Option<Known> {
    Some(match name {
        "isgreater" => Known::IsGreater,
        "isgreaterequal" => Known::IsGreaterEqual,
        "isless" => Known::IsLess,
        "islessequal" => Known::IsLessEqual,
        "islessgreater" => Known::IsLessGreater,
        "isunordered" => Known::IsUnordered,
        "isfinite" => Known::IsFinite,
        "isinf" => Known::IsInf,
        "isinf_sign" => Known::IsInfSign,
        "isnan" => Known::IsNan,
        "isnormal" => Known::IsNormal,
        "signbit" | "signbitf" => Known::SignBit,
        "popcount" | "popcountl" | "popcountll" => Known::PopCount,
        "parity" | "parityl" | "parityll" => Known::Parity,
        "clz" | "clzl" | "clzll" => Known::LeadingZeros,
        "ctz" | "ctzl" | "ctzll" => Known::TrailingZeros,
        "ffs" | "ffsl" | "ffsll" => Known::FirstSet,
        "bswap16" | "bswap32" | "bswap64" => Known::ByteSwap,
        "trap" | "unreachable" => Known::Trap,
        _ => return None,
    })
}

/// What passes may know about a function of the library.
pub fn traits(name: &str, variadic: bool) -> ExternTraits {
    let plain = plain(name);
    let among = |names: &str| names.split_whitespace().any(|known| known == plain);
    ExternTraits {
        pure: is_pure(name),
        variadic,
        allocates: ALLOCATE.contains(&plain),
        keeps_no_address: among(KEEP_NO_ADDRESS),
        writes_arguments_only: among(WRITE_ARGUMENTS_ONLY),
    }
}

/// True for functions that every device of ours has.
pub fn is_known(name: &str) -> bool {
    is_pure(name) || OTHER.contains(&plain(name))
}

/// True for jumps out of the function.
pub fn is_jump(name: &str) -> bool {
    let name = plain(name).trim_start_matches('_');
    matches!(name, "setjmp" | "longjmp" | "sigsetjmp" | "siglongjmp")
}

/// `sqrt` of `__builtin_sqrt`.
pub fn plain(name: &str) -> &str {
    name.strip_prefix(BUILTIN).unwrap_or(name)
}

/// The library function that a compiler's builtin stands for, where there is one.
pub fn library_name(name: &str) -> &str {
    let short = plain(name);
    let stem = |suffix| {
        short
            .strip_suffix(suffix)
            .is_some_and(|stem| MATHEMATICAL.contains(&stem))
    };
    let in_library = MATHEMATICAL.contains(&short)
        || stem('f')
        || stem('l')
        || OTHER.contains(&short)
        || matches!(short, "abs" | "labs" | "llabs");
    if in_library { short } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mathematical_functions_in_all_precisions() {
        assert!(is_pure("sqrt") && is_pure("sqrtf") && is_pure("__builtin_fabsl"));
        assert!(!is_pure("printf") && is_known("printf"));
        assert!(!is_known("my_function"));
        assert!(traits("calloc", false).allocates && !traits("realloc", false).allocates);
        assert!(traits("__builtin_printf", true).keeps_no_address);
        assert_eq!(traits("my_function", false), ExternTraits::default());
        assert_eq!(known("__builtin_fmaxf"), Some(Known::Max));
        assert_eq!(known("erf"), Some(Known::Erf));
        assert_eq!(known("ldexpf"), known("__builtin_scalbn"));
        assert_eq!(known("__builtin_ctzll"), Some(Known::TrailingZeros));
        assert_eq!((known("llabs"), known("turnf")), (Some(Known::Abs), None));
        assert_eq!(library_name("__builtin_sqrtf"), "sqrtf");
        assert_eq!(library_name("__builtin_popcount"), "__builtin_popcount");
    }
}
