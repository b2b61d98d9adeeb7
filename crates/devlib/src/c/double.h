/* The next file that is included is for double. Files for both kinds of numbers are written with these names, and included
 * once after double.h and once after float.h.
 */
#undef REAL
#undef WORD
#undef FN
#undef LIB
#undef MACRO
#undef K
#undef PICK

/* The type, and the unsigned integer of its size. */
#define REAL double
#define WORD u64
/* A function of C or a helper, a function of the library, a macro. */
#define FN(name) name
#define LIB(name) __accrue_##name
#define MACRO(name) name
/* A constant; one that is not the same for both. */
#define K(literal) literal
#define PICK(for_double, for_float) for_double
