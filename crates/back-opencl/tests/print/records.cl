#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#else
#define double ulong
#endif
#ifndef ACCRUE_ADDRESS
#define ACCRUE_ADDRESS(number) (number)
#endif
#pragma OPENCL FP_CONTRACT OFF
#define accrue_zero(SPACE, at, type) \
    do { \
        SPACE char *accrue_to = (SPACE char *)(at); \
        for (ulong accrue_at = 0; accrue_at < sizeof(type); ++accrue_at) \
            accrue_to[accrue_at] = 0; \
    } while (0)

struct bits;
struct long_2;
struct packed;
struct __attribute__((packed, aligned(8))) bits {
    char gap_0[16];
};
typedef char accrue_size_of_struct_bits[sizeof(struct bits) == 16 ? 1 : -1];
struct long_2 {
    double v[51];
};
typedef char accrue_size_of_struct_long_2[sizeof(struct long_2) == 408 ? 1 : -1];
typedef char accrue_place_in_struct_long_2_v[__builtin_offsetof(struct long_2, v) == 0 ? 1 : -1];
struct __attribute__((packed, aligned(1))) packed {
    char c;
    int i;
    short s;
    double l;
};
typedef char accrue_size_of_struct_packed[sizeof(struct packed) == 15 ? 1 : -1];
typedef char accrue_place_in_struct_packed_c[__builtin_offsetof(struct packed, c) == 0 ? 1 : -1];
typedef char accrue_place_in_struct_packed_i[__builtin_offsetof(struct packed, i) == 1 ? 1 : -1];
typedef char accrue_place_in_struct_packed_s[__builtin_offsetof(struct packed, s) == 5 ? 1 : -1];
typedef char accrue_place_in_struct_packed_l[__builtin_offsetof(struct packed, l) == 7 ? 1 : -1];

//@kernel accrue_k0_0
__kernel void accrue_k0_0(ulong word_0, ulong word_1, ulong word_2, ulong word_3, ulong word_4, ulong word_5, ulong accrue_scratch_address, __global char *accrue_memory)
{
    __local char accrue_local_mine[408] __attribute__((aligned(16)));
    __global struct packed *v = (__global struct packed *)ACCRUE_ADDRESS(word_0);
    __global struct bits *v_2 = (__global struct bits *)ACCRUE_ADDRESS(word_1);
    __global struct long_2 *v_3 = (__global struct long_2 *)ACCRUE_ADDRESS(word_2);
    __global struct long_2 *v_4 = (__global struct long_2 *)ACCRUE_ADDRESS(word_3);
    int v_5 = (int)word_4;
    long v_6 = (long)word_5;
    bool t1 = (int)get_local_id(0) == 0;
    int t2 = (int)((uint)v->i + (uint)v_5);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (t1) {
        v->i = t2;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    short t3 = v->s;
    short t4 = (short)(t3 * t3);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (t1) {
        v->s = t4;
    }
    double t5 = (double)v_6;
    if (t1) {
        v->l = t5;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    double t6 = v->l + t5;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (t1) {
        v->l = t6;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    __global uchar *t7 = (__global uchar *)v_2 + 0;
    __global uchar *t8 = (__global uchar *)v_2 + 0;
    __global uchar *t9 = (__global uchar *)v_2 + 8;
    __global uchar *t10 = (__global uchar *)v_2 + 12;
    int t11 = (int)((uint)(int)((long)(((ulong)t7[0] << 0) << 59) >> 59) + (uint)(int)(((ulong)t8[0] << 0 | (ulong)t8[1] << 8 | (ulong)t8[2] << 16 | (ulong)t8[3] << 24) << 39 >> 44));
    long t12 = (long)((ulong)(long)((long)(((ulong)t9[0] << 0 | (ulong)t9[1] << 8 | (ulong)t9[2] << 16 | (ulong)t9[3] << 24 | (ulong)t9[4] << 32) << 27) >> 27) + (ulong)(long)(((ulong)t10[0] << 0 | (ulong)t10[1] << 8 | (ulong)t10[2] << 16 | (ulong)t10[3] << 24) << 39 >> 44));
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (t1) {
        __global uchar *t13 = (__global uchar *)v_2 + 0;
        t13[0] = (uchar)((t13[0] & 224) | (((ulong)v_5 << 0) & 31));
    }
    if (t1) {
        __global uchar *t14 = (__global uchar *)v_2 + 0;
        t14[0] = (uchar)((t14[0] & 31) | (((ulong)t11 << 5) & 224));
        t14[1] = (uchar)((t14[1] & 0) | (((ulong)t11 >> 3) & 255));
        t14[2] = (uchar)((t14[2] & 0) | (((ulong)t11 >> 11) & 255));
        t14[3] = (uchar)((t14[3] & 254) | (((ulong)t11 >> 19) & 1));
    }
    if (t1) {
        __global uchar *t15 = (__global uchar *)v_2 + 8;
        t15[0] = (uchar)((t15[0] & 0) | (((ulong)t12 << 0) & 255));
        t15[1] = (uchar)((t15[1] & 0) | (((ulong)t12 >> 8) & 255));
        t15[2] = (uchar)((t15[2] & 0) | (((ulong)t12 >> 16) & 255));
        t15[3] = (uchar)((t15[3] & 0) | (((ulong)t12 >> 24) & 255));
        t15[4] = (uchar)((t15[4] & 224) | (((ulong)t12 >> 32) & 31));
    }
    if (t1) {
        __global uchar *t16 = (__global uchar *)v_2 + 12;
        t16[0] = (uchar)((t16[0] & 31) | (((ulong)v_6 << 5) & 224));
        t16[1] = (uchar)((t16[1] & 0) | (((ulong)v_6 >> 3) & 255));
        t16[2] = (uchar)((t16[2] & 0) | (((ulong)v_6 >> 11) & 255));
        t16[3] = (uchar)((t16[3] & 254) | (((ulong)v_6 >> 19) & 1));
    }
    if (t1) {
        *v_4 = *v_3;
    }
    if (t1) {
        accrue_zero(__local, (__local struct long_2 *)accrue_local_mine, struct long_2);
    }
    __local double *t17 = &((__local struct long_2 *)accrue_local_mine)->v[50];
    if (t1) {
        *t17 = t6;
    }
    if (t1) {
        *v_3 = *(__local struct long_2 *)accrue_local_mine;
    }
    return;
}
