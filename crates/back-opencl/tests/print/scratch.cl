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
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void accrue_k0_0(ulong word_0, ulong word_1, ulong accrue_scratch_address, __global char *accrue_memory)
{
    __local char accrue_local_accrue_k0_0_worker16000[16000] __attribute__((aligned(16)));
    __local char accrue_local_accrue_k0_0_worker16080[80] __attribute__((aligned(16)));
    __global double *y = (__global double *)ACCRUE_ADDRESS(word_0);
    int n = (int)word_1;
    bool t1 = (int)get_local_id(0) == 0;
    long t2 = (long)n;
    long t3 = 0L < t2 ? t2 : 0L;
    long t4 = (long)(uint)(int)get_num_groups(0);
    long t5 = (long)((ulong)t3 + (ulong)t4 - 1UL) / t4;
    long t6 = (long)((ulong)(long)(uint)(int)get_group_id(0) * (ulong)t5);
    long t7 = t6 < t3 ? t6 : t3;
    long t8 = (long)((ulong)t7 + (ulong)t5);
    long t9 = (long)((ulong)(t8 < t3 ? t8 : t3) - (ulong)t7);
    long t10 = 0L < t9 ? 0L : t9;
    long t11 = (long)((ulong)t10 + ((ulong)t9 + 1UL - 1UL));
    long t12 = (long)((ulong)t7 + (ulong)t10);
    int t13 = (int)(long)((ulong)t12 + ((ulong)(t11 < t9 ? t11 : t9) - (ulong)t10));
    for (int i = (int)t12; i < t13; ++i) {
        __local double (*t14)[2000] = (__local double (*)[2000])(__local double (*)[2000])accrue_local_accrue_k0_0_worker16000;
        __local double (*t15)[10] = (__local double (*)[10])(__local double (*)[10])accrue_local_accrue_k0_0_worker16080;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        long t16 = (long)((ulong)(long)(uint)(int)get_local_id(0) * 63UL);
        long t17 = t16 < 2000L ? t16 : 2000L;
        long t18 = (long)((ulong)t17 + 63UL);
        int t19 = (int)(long)((ulong)t17 + ((ulong)(t18 < 2000L ? t18 : 2000L) - (ulong)t17));
        for (int k = (int)t17; k < t19; ++k) {
            (*t14)[k] = (double)k;
            (*t15)[k % 10] = (double)k;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        double t20 = (*t14)[i] + (*t15)[2];
        if (t1) {
            y[i] = t20;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    return;
}
