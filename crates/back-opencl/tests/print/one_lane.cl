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
#ifndef ACCRUE_VECTORS_64
#define ACCRUE_VECTORS_64 0
#endif

//@kernel accrue_k0_0
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void accrue_k0_0(ulong word_0, ulong word_1, ulong word_2, ulong word_3, ulong accrue_scratch_address, __global char *accrue_memory)
{
    __local char accrue_local_accrue_k0_0_slot0[1] __attribute__((aligned(16)));
    __global char *accrue_scratch = (__global char *)ACCRUE_ADDRESS(accrue_scratch_address);
    __global double *v = (__global double *)ACCRUE_ADDRESS(word_0);
    __global double *v_2 = (__global double *)ACCRUE_ADDRESS(word_1);
    __global int *v_3 = (__global int *)ACCRUE_ADDRESS(word_2);
    int v_4 = (int)word_3;
    int v_5 = (-2147483647 - 1);
    int worst = (-2147483647 - 1);
    long t1 = (long)v_4;
    long t2 = 0L < t1 ? t1 : 0L;
    long t3 = (long)(uint)(int)get_num_groups(0);
    long t4 = (long)((ulong)t2 + (ulong)t3 - 1UL) / t3;
    long t5 = (long)((ulong)(long)(uint)(int)get_group_id(0) * (ulong)t4);
    long t6 = t5 < t2 ? t5 : t2;
    long t7 = (long)((ulong)t6 + (ulong)t4);
    int t8 = (int)(long)((ulong)t6 + ((ulong)(t7 < t2 ? t7 : t2) - (ulong)t6));
    for (int i = (int)t6; i < t8; ++i) {
        double sum = (double)0;
        double sum_2 = sum;
        long t9 = 0L < t2 ? 0L : t2;
        long t10 = (long)((ulong)t9 + ((ulong)t2 + 1UL - 1UL));
        int t11 = (int)(long)((ulong)t9 + ((ulong)(t10 < t2 ? t10 : t2) - (ulong)t9));
        int first = (int)t9;
        double8 all = (double8)(0);
        int end = ACCRUE_VECTORS_64 && first < t11 ? (int)((uint)first + ((uint)t11 - (uint)first) / 8 * 8) : first;
        for (; first < end; first += 8) {
            __global double *t12 = &v[i * v_4 + first];
            double8 t13 = vload8(0, (__global double *)t12);
            double8 t14 = all;
            double8 t15 = t14 + t13;
            all = t15;
        }
        double4 t16 = all.lo + all.hi;
        double2 t17 = t16.lo + t16.hi;
        double t18 = t17.lo + t17.hi;
        sum_2 = sum_2 + t18;
        for (int i_2 = first; i_2 < t11; ++i_2) {
            sum_2 = sum_2 + v[i * v_4 + i_2];
        }
        sum = sum_2;
        v_2[i] = sum;
        int t19 = (int)sum;
        worst = sum > (double)worst ? t19 : worst;
    }
    v_5 = v_5 > worst ? v_5 : worst;
    if ((uint)(int)get_num_groups(0) > 1U) {
        long t20 = (long)(uint)(int)get_group_id(0);
        if (1) {
            *(__global int *)&((__global char *)accrue_scratch)[(long)((ulong)t20 * 16UL + 4096UL)] = v_5;
            accrue_fence();
            int t21 = 1;
            int t22 = atomic_add((volatile __global int *)(__global int *)accrue_scratch, t21);
            bool t23 = t22 == (int)((uint)(int)get_num_groups(0) - 1U);
            if (t23) {
                accrue_fence();
            }
            *(__local bool *)accrue_local_accrue_k0_0_slot0 = t23;
        }
        if (*(__local bool *)accrue_local_accrue_k0_0_slot0) {
            long t24 = (long)(uint)(int)get_num_groups(0);
            int v_6 = (-2147483647 - 1);
            for (long i_3 = 0L; i_3 < t24; i_3 += 4L) {
                long t25 = (long)((ulong)i_3 + 1UL);
                bool t26 = t25 < t24;
                long t27 = (long)((ulong)t25 + 1UL);
                bool t28 = t27 < t24;
                long t29 = (long)((ulong)t27 + 1UL);
                bool t30 = t29 < t24;
                int t31 = *(__global int *)&((__global char *)accrue_scratch)[(long)((ulong)i_3 * 16UL + 4096UL)];
                int t32 = i_3 < t24 ? t31 : (-2147483647 - 1);
                int t33 = *(__global int *)&((__global char *)accrue_scratch)[(long)((ulong)(t26 ? t25 : i_3) * 16UL + 4096UL)];
                int t34 = *(__global int *)&((__global char *)accrue_scratch)[(long)((ulong)(t28 ? t27 : i_3) * 16UL + 4096UL)];
                int t35 = *(__global int *)&((__global char *)accrue_scratch)[(long)((ulong)(t30 ? t29 : i_3) * 16UL + 4096UL)];
                v_6 = v_6 > t32 ? v_6 : t32;
                int t36 = t26 ? t33 : (-2147483647 - 1);
                v_6 = v_6 > t36 ? v_6 : t36;
                int t37 = t28 ? t34 : (-2147483647 - 1);
                v_6 = v_6 > t37 ? v_6 : t37;
                int t38 = t30 ? t35 : (-2147483647 - 1);
                v_6 = v_6 > t38 ? v_6 : t38;
            }
            int t39 = v_6;
            if (1) {
                int t40 = *v_3;
                *v_3 = t40 > t39 ? t40 : t39;
                *(__global int *)accrue_scratch = 0;
            }
        }
    } else {
        if (1) {
            int t41 = *v_3;
            *v_3 = t41 > v_5 ? t41 : v_5;
        }
    }
    return;
}
