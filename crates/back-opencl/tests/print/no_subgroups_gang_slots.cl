#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#else
#define double ulong
#endif
#ifndef ACCRUE_ADDRESS
#define ACCRUE_ADDRESS(number) (number)
#endif
#pragma OPENCL FP_CONTRACT OFF
#if defined(__NV_CL_C_VERSION)
#define accrue_fence() __asm__ volatile("membar.gl;" ::: "memory")
#elif defined(__opencl_c_atomic_scope_device) && defined(__opencl_c_atomic_order_acq_rel)
#define accrue_fence() atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)
#else
#define accrue_fence() mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)
#endif
#ifdef POCL_DEVICE_ADDRESS_BITS
#define accrue_apart() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define accrue_apart()
#endif

//@kernel accrue_k0_0
__kernel void accrue_k0_0(ulong word_0, ulong word_1, ulong accrue_scratch_address, __global char *accrue_memory)
{
    __local char accrue_local_accrue_k0_0_reduce[512] __attribute__((aligned(16)));
    __local char accrue_local_accrue_k0_0_slot0[1] __attribute__((aligned(16)));
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
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (t1) {
            *(__global double *)&((__global char *)accrue_scratch)[(long)((ulong)t2 * 16UL + 4096UL)] = v_4;
            *(__global long *)&((__global char *)accrue_scratch)[(long)((ulong)t2 * 16UL + 4104UL)] = v_3;
            accrue_fence();
            int t3 = 1;
            int t4 = atomic_add((volatile __global int *)(__global int *)accrue_scratch, t3);
            bool t5 = t4 == (int)((uint)(int)get_num_groups(0) - 1U);
            if (t5) {
                accrue_fence();
            }
            *(__local bool *)accrue_local_accrue_k0_0_slot0 = t5;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (*(__local bool *)accrue_local_accrue_k0_0_slot0) {
            long t6 = (long)(uint)(int)get_num_groups(0);
            double v_5 = -(double)INFINITY;
            long v_6 = 0L;
            long t7 = (long)(uint)(int)get_local_size(0);
            long t8 = (long)((ulong)t7 * 4UL);
            for (long i = (long)(uint)(int)get_local_id(0); i < t6; i += t8) {
                bool t9 = i < t6;
                long t10 = (long)((ulong)i + (ulong)t7);
                bool t11 = t10 < t6;
                long t12 = t11 ? t10 : i;
                long t13 = (long)((ulong)t10 + (ulong)t7);
                bool t14 = t13 < t6;
                long t15 = t14 ? t13 : i;
                long t16 = (long)((ulong)t13 + (ulong)t7);
                bool t17 = t16 < t6;
                long t18 = t17 ? t16 : i;
                double t19 = *(__global double *)&((__global char *)accrue_scratch)[(long)((ulong)i * 16UL + 4096UL)];
                long t20 = *(__global long *)&((__global char *)accrue_scratch)[(long)((ulong)i * 16UL + 4104UL)];
                double t21 = t9 ? t19 : -(double)INFINITY;
                double t22 = *(__global double *)&((__global char *)accrue_scratch)[(long)((ulong)t12 * 16UL + 4096UL)];
                long t23 = *(__global long *)&((__global char *)accrue_scratch)[(long)((ulong)t12 * 16UL + 4104UL)];
                double t24 = *(__global double *)&((__global char *)accrue_scratch)[(long)((ulong)t15 * 16UL + 4096UL)];
                long t25 = *(__global long *)&((__global char *)accrue_scratch)[(long)((ulong)t15 * 16UL + 4104UL)];
                double t26 = *(__global double *)&((__global char *)accrue_scratch)[(long)((ulong)t18 * 16UL + 4096UL)];
                long t27 = *(__global long *)&((__global char *)accrue_scratch)[(long)((ulong)t18 * 16UL + 4104UL)];
                long t28 = v_6 ^ (t9 ? t20 : 0L);
                v_5 = ((v_5 > t21) | (t21 != t21) | ((v_5 == t21) & (signbit(v_5) == 0))) ? v_5 : t21;
                v_6 = t28;
                double t29 = t11 ? t22 : -(double)INFINITY;
                long t30 = v_6 ^ (t11 ? t23 : 0L);
                v_5 = ((v_5 > t29) | (t29 != t29) | ((v_5 == t29) & (signbit(v_5) == 0))) ? v_5 : t29;
                v_6 = t30;
                double t31 = t14 ? t24 : -(double)INFINITY;
                long t32 = v_6 ^ (t14 ? t25 : 0L);
                v_5 = ((v_5 > t31) | (t31 != t31) | ((v_5 == t31) & (signbit(v_5) == 0))) ? v_5 : t31;
                v_6 = t32;
                double t33 = t17 ? t26 : -(double)INFINITY;
                long t34 = v_6 ^ (t17 ? t27 : 0L);
                v_5 = ((v_5 > t33) | (t33 != t33) | ((v_5 == t33) & (signbit(v_5) == 0))) ? v_5 : t33;
                v_6 = t34;
            }
            double t35 = v_5;
            long t36 = v_6;
            __local double *t37 = (__local double *)(__local char *)accrue_local_accrue_k0_0_reduce;
            __local long *t38 = (__local long *)&((__local char *)accrue_local_accrue_k0_0_reduce)[256];
            accrue_apart();
            if (1) {
                t37[(int)get_local_id(0)] = t35;
                t38[(int)get_local_id(0)] = t36;
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            long t39 = t38[0];
            double v_7 = t37[0];
            long v_8 = t39;
            for (int i_2 = 1; i_2 < (int)get_local_size(0); ++i_2) {
                double t40 = t37[i_2];
                long t41 = v_8 ^ t38[i_2];
                v_7 = ((v_7 > t40) | (t40 != t40) | ((v_7 == t40) & (signbit(v_7) == 0))) ? v_7 : t40;
                v_8 = t41;
            }
            double t42 = v_7;
            long t43 = v_8;
            accrue_apart();
            if (t1) {
                double t44 = *v;
                long t45 = *v_2;
                *v = ((t44 > t42) | (t42 != t42) | ((t44 == t42) & (signbit(t44) == 0))) ? t44 : t42;
                *v_2 = t45 ^ t43;
                *(__global int *)accrue_scratch = 0;
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    } else {
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (t1) {
            double t46 = *v;
            long t47 = v_3;
            long t48 = *v_2;
            *v = ((t46 > v_4) | (v_4 != v_4) | ((t46 == v_4) & (signbit(t46) == 0))) ? t46 : v_4;
            *v_2 = t48 ^ t47;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    return;
}
