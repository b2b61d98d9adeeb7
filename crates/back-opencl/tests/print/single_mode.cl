#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#else
#define double ulong
#endif
#ifndef ACCRUE_ADDRESS
#define ACCRUE_ADDRESS(number) (number)
#endif
#pragma OPENCL FP_CONTRACT OFF

//@kernel accrue_k0_0
//@enough_groups accrue_k0_0 4
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void accrue_k0_0(ulong word_0, ulong word_1, ulong word_2, ulong word_3, ulong accrue_scratch_address, __global char *accrue_memory)
{
    __local char accrue_local_accrue_k0_0_slot0[4] __attribute__((aligned(16)));
    __global double *y = (__global double *)ACCRUE_ADDRESS(word_0);
    __global int *c = (__global int *)ACCRUE_ADDRESS(word_1);
    __global int *d = (__global int *)ACCRUE_ADDRESS(word_2);
    int n = (int)word_3;
    bool t1 = (int)get_local_id(0) == 0;
    double t2 = (double)n;
    if (t1) {
        y[0] = t2;
    }
    if (t1) {
        int t3 = 1;
        int t4 = atomic_add((volatile __global int *)&c[0], t3);
        *(__local int *)accrue_local_accrue_k0_0_slot0 = t4;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int old = *(__local int *)accrue_local_accrue_k0_0_slot0;
    if (old > 3) {
        if (t1) {
            d[0] = old;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    double t = y[0];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    long t5 = (long)n;
    long t6 = 1L < t5 ? (long)((ulong)t5 - 1UL) : 0L;
    long t7 = (long)((ulong)t6 + 128UL - 1UL) / 128L;
    long t8 = (long)((ulong)(long)(uint)(int)get_local_id(0) * (ulong)t7);
    long t9 = t8 < t6 ? t8 : t6;
    long t10 = (long)((ulong)t9 + (ulong)t7);
    int t11 = (int)(1U + (uint)(int)(long)((ulong)t9 + ((ulong)(t10 < t6 ? t10 : t6) - (ulong)t9)));
    for (int i = (int)(1U + (uint)(int)t9); i < t11; ++i) {
        y[i] = t * y[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    double t12 = y[n - 1];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (t1) {
        y[0] = t12;
    }
    return;
}
