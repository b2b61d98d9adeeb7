struct bits;
struct gaps;
union mix;
struct outer__unnamed_at_a_c_3_1_;
struct packed;
struct point;
struct bits {
    signed int s : 3;
    unsigned u : 7;
    _Bool flag : 1;
    signed int wide : 30;
};
_Static_assert(sizeof(struct bits) == 8, "size of struct bits");
_Static_assert(_Alignof(struct bits) == 4, "alignment of struct bits");
struct __attribute__((packed, aligned(16))) gaps {
    signed char a;
    char gap_1[8];
    signed char b;
    char gap_10[6];
};
_Static_assert(sizeof(struct gaps) == 16, "size of struct gaps");
_Static_assert(_Alignof(struct gaps) == 16, "alignment of struct gaps");
_Static_assert(__builtin_offsetof(struct gaps, a) == 0, "offset of a in struct gaps");
_Static_assert(__builtin_offsetof(struct gaps, b) == 9, "offset of b in struct gaps");
union mix {
    float f;
    int i;
    long l;
};
_Static_assert(sizeof(union mix) == 8, "size of union mix");
_Static_assert(_Alignof(union mix) == 8, "alignment of union mix");
_Static_assert(__builtin_offsetof(union mix, f) == 0, "offset of f in union mix");
_Static_assert(__builtin_offsetof(union mix, i) == 0, "offset of i in union mix");
_Static_assert(__builtin_offsetof(union mix, l) == 0, "offset of l in union mix");
struct outer__unnamed_at_a_c_3_1_ {
    union mix member_0;
    double grid[2][3];
    struct point *next;
};
_Static_assert(sizeof(struct outer__unnamed_at_a_c_3_1_) == 64, "size of struct outer__unnamed_at_a_c_3_1_");
_Static_assert(_Alignof(struct outer__unnamed_at_a_c_3_1_) == 8, "alignment of struct outer__unnamed_at_a_c_3_1_");
_Static_assert(__builtin_offsetof(struct outer__unnamed_at_a_c_3_1_, member_0) == 0, "offset of member_0 in struct outer__unnamed_at_a_c_3_1_");
_Static_assert(__builtin_offsetof(struct outer__unnamed_at_a_c_3_1_, grid) == 8, "offset of grid in struct outer__unnamed_at_a_c_3_1_");
_Static_assert(__builtin_offsetof(struct outer__unnamed_at_a_c_3_1_, next) == 56, "offset of next in struct outer__unnamed_at_a_c_3_1_");
struct __attribute__((packed, aligned(1))) packed {
    signed char c;
    int i;
    short double_2;
};
_Static_assert(sizeof(struct packed) == 7, "size of struct packed");
_Static_assert(_Alignof(struct packed) == 1, "alignment of struct packed");
_Static_assert(__builtin_offsetof(struct packed, c) == 0, "offset of c in struct packed");
_Static_assert(__builtin_offsetof(struct packed, i) == 1, "offset of i in struct packed");
_Static_assert(__builtin_offsetof(struct packed, double_2) == 5, "offset of double_2 in struct packed");
struct point {
    double x;
    int n;
};
_Static_assert(sizeof(struct point) == 16, "size of struct point");
_Static_assert(_Alignof(struct point) == 8, "alignment of struct point");
_Static_assert(__builtin_offsetof(struct point, x) == 0, "offset of x in struct point");
_Static_assert(__builtin_offsetof(struct point, n) == 8, "offset of n in struct point");

extern long long llround(double);
extern int accrue_extern_printf(signed char *, ...) __asm__("printf");
extern double sqrt(double);
extern long accrue_extern_strlen(signed char *) __asm__("strlen");

static void accrue_k0_0(const struct accrue_cpu_launch *launch, unsigned long long position)
{
    struct outer__unnamed_at_a_c_3_1_ *arg0 = (struct outer__unnamed_at_a_c_3_1_ *)launch->args[0];
    struct bits *arg1 = (struct bits *)launch->args[1];
    struct packed *arg2 = (struct packed *)launch->args[2];
    struct gaps *arg3 = (struct gaps *)launch->args[3];
    double *arg4 = (double *)launch->args[4];
    int arg5 = (int)launch->args[5];
    float arg6;
    __builtin_memcpy(&arg6, &launch->args[6], sizeof arg6);
    double _Complex arg7;
    __builtin_memcpy(&arg7, &launch->args[7], sizeof arg7);
    __int128 arg8;
    __builtin_memcpy(&arg8, &launch->args[9], sizeof arg8);
    _Bool arg9 = (_Bool)launch->args[11];
    struct point *t1 = arg0->next;
    double t2 = t1->x;
    double t3 = t2 + sqrt(2.0);
    arg0->grid[1][2] = t3;
    arg0->member_0.f = arg6;
    arg0->member_0.i = (int)((unsigned)arg0->member_0.i + 1U);
    arg1->wide = (int)arg1->s + (int)arg1->u;
    arg1->s = arg5;
    arg1->flag = arg9;
    arg2->i = arg2->i + arg5;
    signed char t4 = arg3->b;
    arg3->b = (signed char)(t4 + t4);
    double packed[4];
    __builtin_memset(&packed, 0, sizeof(double [4]));
    double copy[4];
    *(volatile double *)&packed[2] = t2;
    __builtin_memmove(&copy, &packed, sizeof(double [4]));
    double t5 = *(volatile double *)&copy[2];
    double int_2[(long)arg5];
    int_2[1] = t5;
    arg4[0] = int_2[1];
    arg4[1] = (double)(&int_2[1] - int_2);
    arg4[2] = __imag__ arg7;
    arg4[3] = __real__ (arg7 * ~arg7);
    arg4[4] = (double)(unsigned long)(long)(__int128)((unsigned __int128)arg8 >> (__int128)(64L));
    arg4[5] = (double)llround(t3);
    arg4[6] = (double)((((t2 < -__builtin_inf()) | (-__builtin_inf() != -__builtin_inf())) ? t2 : -__builtin_inf()) == -__builtin_inf());
    long t6 = accrue_extern_strlen((signed char *)"\"quoted\" \77\77/ back\\slash");
    accrue_extern_printf((signed char *)"kernel: %s %d\12", (signed char *)"\"quoted\" \77\77/ back\\slash", (int)t6);
    if (!(t1 == (struct point *)0)) {
        t1->n = arg5;
    }
    arg4[7] = (double)((double *)((void *)&arg4[0] + 8) - &arg4[0]);
    (void *)__builtin_memset((void *)&arg2->i, 0, 4L);
    return;
}
