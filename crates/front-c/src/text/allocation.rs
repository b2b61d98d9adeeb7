//! OpenMP's routines for memory as regions have them (OpenMP 5.2, section 18.13): functions in C in front of the text that clang reads,
//! which take the memory from the device's own `malloc`.
//!
//! ```text
//! p = omp_aligned_alloc(64, n, a)       [ raw | size | p: n bytes …
//! omp_free(p, a)                        free(raw)
//! ```
//! In front of what the program gets, two words say where the memory begins and how much was asked for. Which memory it is, the
//! compiler chooses: allocators change nothing, but the routines must go together.

use super::scan::Unit;

/// The routines.
const ROUTINES: [&str; 6] = [
    "omp_alloc",
    "omp_aligned_alloc",
    "omp_calloc",
    "omp_aligned_calloc",
    "omp_realloc",
    "omp_free",
];

/// In one line: the lines behind it are the user's.
const DEFINITIONS: &str = "\
static void*__accrue_omp_aligned_alloc(unsigned long align,unsigned long size,unsigned long allocator){\
unsigned long least=align<16?16:align,raw,at;(void)allocator;\
if(!size||(least&(least-1))||size>(~0ul>>1)||least>(~0ul>>2))return 0;\
raw=(unsigned long)__builtin_malloc(size+least+16);if(!raw)return 0;\
at=(raw+16+least-1)&~(least-1);\
((unsigned long*)at)[-1]=raw;((unsigned long*)at)[-2]=size;return(void*)at;}\
static void*__accrue_omp_alloc(unsigned long size,unsigned long allocator){\
return __accrue_omp_aligned_alloc(16,size,allocator);}\
static void*__accrue_omp_aligned_calloc(unsigned long align,unsigned long count,unsigned long size,unsigned long allocator){\
void*p;if(size&&count>~0ul/size)return 0;\
p=__accrue_omp_aligned_alloc(align,count*size,allocator);if(p)__builtin_memset(p,0,count*size);return p;}\
static void*__accrue_omp_calloc(unsigned long count,unsigned long size,unsigned long allocator){\
return __accrue_omp_aligned_calloc(16,count,size,allocator);}\
static void __accrue_omp_free(void*p,unsigned long allocator){\
(void)allocator;if(p)__builtin_free((void*)((unsigned long*)p)[-1]);}\
static void*__accrue_omp_realloc(void*p,unsigned long size,unsigned long allocator,unsigned long before){\
void*n=__accrue_omp_aligned_alloc(16,size,allocator);unsigned long old;\
if(p&&(n||!size)){old=((unsigned long*)p)[-2];if(n)__builtin_memcpy(n,p,old<size?old:size);__accrue_omp_free(p,before);}return n;}";

/// The function that is called on a device in place of a routine of `omp.h`.
pub fn on_devices(name: &str) -> Option<String> {
    ROUTINES.contains(&name).then(|| format!("__accrue_{name}"))
}

/// The functions, if the unit has directives of OpenMP and knows the routines.
pub(super) fn definitions(unit: &Unit) -> &'static str {
    let has_omp = unit
        .directives
        .iter()
        .any(|it| it.directive.omp().is_some());
    let is_named = || {
        let mut windows = unit.text.windows(ROUTINES[0].len());
        windows.any(|word| word == ROUTINES[0].as_bytes())
    };
    match has_omp && is_named() {
        true => DEFINITIONS,
        false => "",
    }
}
