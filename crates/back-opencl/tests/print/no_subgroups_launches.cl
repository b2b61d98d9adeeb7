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
__kernel void accrue_k0_0(ulong word_0, ulong word_1, ulong accrue_scratch_address, __global char *accrue_memory)
{
    __global char *accrue_scratch = (__global char *)ACCRUE_ADDRESS(accrue_scratch_address);
    __global double *v = (__global double *)ACCRUE_ADDRESS(word_0);
    __global long *v_2 = (__global long *)ACCRUE_ADDRESS(word_1);
    bool t1 = (int)get_local_id(0) == 0;
    long v_3 = 0L;
    double v_4 = -(double)INFINITY;
    v_4 = ((v_4 > -(double)INFINITY) | (-(double)INFINITY != -(double)INFINITY) | ((v_4 == -(double)INFINITY) & (signbit(v_4) == 0))) ? v_4 : -(double)INFINITY;
    v_3 = v_3 ^ 0L;
    if ((uint)(int)get_num_groups(0) > 1U) {
        long t2 = (long)(uint)(int)get_group_id(0);
        bool t3 = t2 == 0L;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (t1) {
            *(__global double *)&((__global char *)accrue_scratch)[(long)((ulong)t2 * 32UL + 4096UL)] = v_4;
            *(__global long *)&((__global char *)accrue_scratch)[(long)((ulong)t2 * 32UL + 4112UL)] = v_3;
            if (t3) {
                *(__global double *__global *)&((__global char *)accrue_scratch)[4104] = v;
                *(__global long *__global *)&((__global char *)accrue_scratch)[4120] = v_2;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    } else {
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (t1) {
            double t4 = *v;
            long t5 = v_3;
            long t6 = *v_2;
            *v = ((t4 > v_4) | (v_4 != v_4) | ((t4 == v_4) & (signbit(t4) == 0))) ? t4 : v_4;
            *v_2 = t6 ^ t5;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    return;
}

//@kernel accrue_k0_0_halve
__kernel void accrue_k0_0_halve(ulong word_0, ulong accrue_scratch_address, __global char *accrue_memory)
{
    __global char *accrue_scratch = (__global char *)ACCRUE_ADDRESS(accrue_scratch_address);
    long records = (long)word_0;
    long t1 = (long)(((ulong)records + 1UL) >> 1L);
    long t2 = (long)((ulong)(long)(uint)(int)get_group_id(0) * (ulong)(long)(uint)(int)get_local_size(0) + (ulong)(long)(uint)(int)get_local_id(0));
    long t3 = (long)((ulong)t2 + (ulong)t1);
    if (t3 < records) {
        __global double *t4 = (__global double *)&((__global char *)accrue_scratch)[(long)((ulong)t2 * 32UL + 4096UL)];
        double t5 = *t4;
        double t6 = *(__global double *)&((__global char *)accrue_scratch)[(long)((ulong)t3 * 32UL + 4096UL)];
        *t4 = ((t5 > t6) | (t6 != t6) | ((t5 == t6) & (signbit(t5) == 0))) ? t5 : t6;
        __global long *t7 = (__global long *)&((__global char *)accrue_scratch)[(long)((ulong)t2 * 32UL + 4112UL)];
        *t7 = *t7 ^ *(__global long *)&((__global char *)accrue_scratch)[(long)((ulong)t3 * 32UL + 4112UL)];
    }
    if ((t1 == 1L) & (t2 == 0L)) {
        __global double *t8 = *(__global double *__global *)&((__global char *)accrue_scratch)[4104];
        double t9 = *t8;
        double t10 = *(__global double *)&((__global char *)accrue_scratch)[4096];
        *t8 = ((t9 > t10) | (t10 != t10) | ((t9 == t10) & (signbit(t9) == 0))) ? t9 : t10;
        __global long *t11 = *(__global long *__global *)&((__global char *)accrue_scratch)[4120];
        *t11 = *t11 ^ *(__global long *)&((__global char *)accrue_scratch)[4112];
    }
    return;
}
