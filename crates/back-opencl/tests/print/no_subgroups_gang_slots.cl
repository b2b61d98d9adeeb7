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
                long t10 = t9 ? i : i;
                long t11 = (long)((ulong)i + (ulong)t7);
                bool t12 = t11 < t6;
                long t13 = t12 ? t11 : i;
                long t14 = (long)((ulong)t11 + (ulong)t7);
                bool t15 = t14 < t6;
                long t16 = t15 ? t14 : i;
                long t17 = (long)((ulong)t14 + (ulong)t7);
                bool t18 = t17 < t6;
                long t19 = t18 ? t17 : i;
                double t20 = *(__global double *)&((__global char *)accrue_scratch)[(long)((ulong)t10 * 16UL + 4096UL)];
                long t21 = *(__global long *)&((__global char *)accrue_scratch)[(long)((ulong)t10 * 16UL + 4104UL)];
                double t22 = t9 ? t20 : -(double)INFINITY;
                double t23 = *(__global double *)&((__global char *)accrue_scratch)[(long)((ulong)t13 * 16UL + 4096UL)];
                long t24 = *(__global long *)&((__global char *)accrue_scratch)[(long)((ulong)t13 * 16UL + 4104UL)];
                double t25 = *(__global double *)&((__global char *)accrue_scratch)[(long)((ulong)t16 * 16UL + 4096UL)];
                long t26 = *(__global long *)&((__global char *)accrue_scratch)[(long)((ulong)t16 * 16UL + 4104UL)];
                double t27 = *(__global double *)&((__global char *)accrue_scratch)[(long)((ulong)t19 * 16UL + 4096UL)];
                long t28 = *(__global long *)&((__global char *)accrue_scratch)[(long)((ulong)t19 * 16UL + 4104UL)];
                long t29 = v_6 ^ (t9 ? t21 : 0L);
                v_5 = ((v_5 > t22) | (t22 != t22) | ((v_5 == t22) & (signbit(v_5) == 0))) ? v_5 : t22;
                v_6 = t29;
                double t30 = t12 ? t23 : -(double)INFINITY;
                long t31 = v_6 ^ (t12 ? t24 : 0L);
                v_5 = ((v_5 > t30) | (t30 != t30) | ((v_5 == t30) & (signbit(v_5) == 0))) ? v_5 : t30;
                v_6 = t31;
                double t32 = t15 ? t25 : -(double)INFINITY;
                long t33 = v_6 ^ (t15 ? t26 : 0L);
                v_5 = ((v_5 > t32) | (t32 != t32) | ((v_5 == t32) & (signbit(v_5) == 0))) ? v_5 : t32;
                v_6 = t33;
                double t34 = t18 ? t27 : -(double)INFINITY;
                long t35 = v_6 ^ (t18 ? t28 : 0L);
                v_5 = ((v_5 > t34) | (t34 != t34) | ((v_5 == t34) & (signbit(v_5) == 0))) ? v_5 : t34;
                v_6 = t35;
            }
            double t36 = v_5;
            long t37 = v_6;
            __local double *t38 = (__local double *)(__local char *)accrue_local_accrue_k0_0_reduce;
            __local long *t39 = (__local long *)&((__local char *)accrue_local_accrue_k0_0_reduce)[256];
            accrue_apart();
            if (1) {
                t38[(int)get_local_id(0)] = t36;
                t39[(int)get_local_id(0)] = t37;
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            long t40 = t39[0];
            double v_7 = t38[0];
            long v_8 = t40;
            for (int i_2 = 1; i_2 < (int)get_local_size(0); ++i_2) {
                double t41 = t38[i_2];
                long t42 = v_8 ^ t39[i_2];
                v_7 = ((v_7 > t41) | (t41 != t41) | ((v_7 == t41) & (signbit(v_7) == 0))) ? v_7 : t41;
                v_8 = t42;
            }
            double t43 = v_7;
            long t44 = v_8;
            accrue_apart();
            if (t1) {
                double t45 = *v;
                *v = ((t45 > t43) | (t43 != t43) | ((t45 == t43) & (signbit(t45) == 0))) ? t45 : t43;
                *v_2 = *v_2 ^ t44;
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
            *v = ((t46 > v_4) | (v_4 != v_4) | ((t46 == v_4) & (signbit(t46) == 0))) ? t46 : v_4;
            *v_2 = *v_2 ^ t47;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    return;
}
