#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#else
#define double ulong
#endif
#ifndef ACCRUE_ADDRESS
#define ACCRUE_ADDRESS(number) (number)
#endif
#pragma OPENCL FP_CONTRACT OFF

static __attribute__((always_inline)) int f_count(int, __global int *, __local char *accrue_group);
static __attribute__((always_inline)) void f_scale(int, __global int *, __local char *accrue_group);

static __attribute__((always_inline)) int f_count(int n, __global int *x, __local char *accrue_group)
{
    int c = 0;
    int c_2 = (int)get_local_id(0) == 0 ? c : 0;
    long t1 = (long)n;
    long t2 = 0L < t1 ? t1 : 0L;
    long t3 = 0L < t2 ? 0L : t2;
    long t4 = (long)((ulong)t3 + ((ulong)t2 + 1UL - 1UL));
    long t5 = (long)((ulong)(t4 < t2 ? t4 : t2) - (ulong)t3);
    long t6 = (long)(uint)(int)get_local_size(0);
    long t7 = (long)((ulong)t5 + (ulong)t6 - 1UL) / t6;
    long t8 = (long)((ulong)(long)(uint)(int)get_local_id(0) * (ulong)t7);
    long t9 = t8 < t5 ? t8 : t5;
    long t10 = (long)((ulong)t9 + (ulong)t7);
    long t11 = (long)((ulong)t3 + (ulong)t9);
    int t12 = (int)(long)((ulong)t11 + ((ulong)(t10 < t5 ? t10 : t5) - (ulong)t9));
    for (int i = (int)t11; i < t12; ++i) {
        c_2 = c_2 + (int)(x[i] > 0);
    }
    int t13 = c_2;
    __local int *t14 = (__local int *)(__local char *)(accrue_group + 0);
    if (1) {
        *(__local int *)&((__local char *)t14)[(int)((uint)(int)get_local_id(0) * 16U)] = t13;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint v = *(__local int *)&((__local char *)t14)[0];
    for (int i_2 = 1; i_2 < (int)get_local_size(0); ++i_2) {
        v = v + (uint)*(__local int *)&((__local char *)t14)[(int)((uint)i_2 * 16U)];
    }
    c = (int)v;
    return c;
}

static __attribute__((always_inline)) void f_scale(int n, __global int *x, __local char *accrue_group)
{
    __local int (*t1)[32] = (__local int (*)[32])(__local int (*)[32])(accrue_group + 512);
    long t2 = (long)(uint)(int)get_local_size(0);
    long t3 = (long)(32UL + (ulong)t2 - 1UL) / t2;
    long t4 = (long)((ulong)(long)(uint)(int)get_local_id(0) * (ulong)t3);
    long t5 = t4 < 32L ? t4 : 32L;
    long t6 = (long)((ulong)t5 + (ulong)t3);
    int t7 = (int)(long)((ulong)t5 + ((ulong)(t6 < 32L ? t6 : 32L) - (ulong)t5));
    for (int i = (int)t5; i < t7; ++i) {
        (*t1)[i] = i;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    long t8 = (long)n;
    long t9 = 0L < t8 ? t8 : 0L;
    long t10 = (long)(uint)(int)get_local_size(0);
    long t11 = (long)((ulong)t9 + (ulong)t10 - 1UL) / t10;
    long t12 = (long)((ulong)(long)(uint)(int)get_local_id(0) * (ulong)t11);
    long t13 = t12 < t9 ? t12 : t9;
    long t14 = (long)((ulong)t13 + (ulong)t11);
    int t15 = (int)(long)((ulong)t13 + ((ulong)(t14 < t9 ? t14 : t9) - (ulong)t13));
    for (int i_2 = (int)t13; i_2 < t15; ++i_2) {
        x[i_2] = x[i_2] * (*t1)[31 - i_2 % 32];
    }
    return;
}

//@kernel accrue_k5_0
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void accrue_k5_0(ulong word_0, ulong word_1, ulong word_2, ulong accrue_scratch_address, __global char *accrue_memory)
{
    __local char accrue_group[640] __attribute__((aligned(16)));
    __global int *x = (__global int *)ACCRUE_ADDRESS(word_0);
    __global int *y = (__global int *)ACCRUE_ADDRESS(word_1);
    int n = (int)word_2;
    bool t1 = (int)get_local_id(0) == 0;
    long t2 = (long)n;
    long t3 = 0L < t2 ? t2 : 0L;
    long t4 = (long)(uint)(int)get_num_groups(0);
    long t5 = (long)((ulong)t3 + (ulong)t4 - 1UL) / t4;
    long t6 = (long)((ulong)(long)(uint)(int)get_group_id(0) * (ulong)t5);
    long t7 = t6 < t3 ? t6 : t3;
    long t8 = (long)((ulong)t7 + (ulong)t5);
    int t9 = (int)(long)((ulong)t7 + ((ulong)(t8 < t3 ? t8 : t3) - (ulong)t7));
    for (int i = (int)t7; i < t9; ++i) {
        int t10 = f_count(n, x, accrue_group);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (t1) {
            y[i] = t10;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        f_scale(n, y, accrue_group);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        f_scale(n, x, accrue_group);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    return;
}
