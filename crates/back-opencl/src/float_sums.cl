#if defined(__NV_CL_C_VERSION) && defined(ACCRUE_NVIDIA) && ACCRUE_NVIDIA >= LEAST
static REAL NAME(volatile SPACE REAL *place, REAL x)
{
    REAL old;
    __asm__ volatile("atom.STATE.add.SHORT %0, [%1], %2;" : "=LETTER"(old) : "l"((ulong)place), "LETTER"(x) : "memory");
    return old;
}
static void NAME_only(volatile SPACE REAL *place, REAL x)
{
    __asm__ volatile("red.STATE.add.SHORT [%0], %1;" : : "l"((ulong)place), "LETTER"(x) : "memory");
}
#elif defined(ACCRUE_FLOAT_ATOMICS) && defined(FEATURE)
static REAL NAME(volatile SPACE REAL *place, REAL x)
{
    return atomic_fetch_add_explicit((volatile SPACE atomic_REAL *)place, x, memory_order_relaxed, memory_scope_device);
}
#define NAME_only(place, x) ((void)NAME(place, x))
#else
static REAL NAME(volatile SPACE REAL *place, REAL x)
{
    WORD is = *(volatile SPACE WORD *)place;
    WORD was;
    do {
        was = is;
        is = FAMILY_cmpxchg((volatile SPACE WORD *)place, was, as_WORD(as_REAL(was) + x));
    } while (is != was);
    return as_REAL(is);
}
#define NAME_only(place, x) ((void)NAME(place, x))
#endif
