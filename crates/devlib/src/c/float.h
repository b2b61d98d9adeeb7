/* The next file that is included is for float: see double.h. */
#undef REAL
#undef WORD
#undef FN
#undef LIB
#undef MACRO
#undef K
#undef PICK

#define REAL float
#define WORD u32
#define FN(name) name##f
#define LIB(name) __accrue_##name##f
#define MACRO(name) name##F
#define K(literal) literal##f
#define PICK(for_double, for_float) for_float
