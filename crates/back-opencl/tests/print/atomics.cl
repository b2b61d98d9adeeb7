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
__kernel void accrue_k0_0(ulong word_0, ulong word_1, ulong word_2, ulong accrue_scratch_address, __global char *accrue_memory)
{
    __local char accrue_local_accrue_k0_0_slot0[4] __attribute__((aligned(16)));
    __local char accrue_local_accrue_k0_0_slot1[4] __attribute__((aligned(16)));
    __local char accrue_local_accrue_k0_0_slot2[4] __attribute__((aligned(16)));
    __global int *y = (__global int *)ACCRUE_ADDRESS(word_0);
    __global int *c = (__global int *)ACCRUE_ADDRESS(word_1);
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
        int own = 0;
        if (t1) {
            int t10 = 1;
            int t11 = atomic_add((volatile __global int *)&c[0], t10);
            *(__local int *)accrue_local_accrue_k0_0_slot0 = t11;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        int old = *(__local int *)accrue_local_accrue_k0_0_slot0;
        if (t1) {
            int t12 = *(volatile __global int *)&c[0];
            *(__local int *)accrue_local_accrue_k0_0_slot1 = t12;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        own = *(__local int *)accrue_local_accrue_k0_0_slot1;
        long t13 = (long)n;
        long t14 = 0L < t13 ? t13 : 0L;
        long t15 = 0L < t14 ? 0L : t14;
        long t16 = (long)((ulong)t15 + ((ulong)t14 + 1UL - 1UL));
        int t17 = (int)(long)((ulong)t15 + ((ulong)(t16 < t14 ? t16 : t14) - (ulong)t15));
        for (int j = (int)t15; j < t17; ++j) {
            int mine = 0;
            mine = mine + y[j];
            __local int *t18 = &((__local int *)accrue_local_accrue_k0_0_slot2)[0];
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            if (t1) {
                int t19 = 1;
                int t20 = atomic_sub((volatile __global int *)&c[0], t19);
                *t18 = t20;
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            int seen = *t18;
            int t21 = mine + seen;
            if (t1) {
                y[j] = t21;
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        }
        int t22 = own + old;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (t1) {
            y[i] = t22;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    return;
}
