#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#else
#define double ulong
#endif
#ifndef ACCRUE_ADDRESS
#define ACCRUE_ADDRESS(number) (number)
#endif
#pragma OPENCL FP_CONTRACT OFF
#if defined(__NV_CL_C_VERSION) && defined(ACCRUE_NVIDIA) && ACCRUE_NVIDIA >= 20
static float accrue_sum_global_f32(volatile __global float *place, float x)
{
    float old;
    __asm__ volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(old) : "l"((ulong)place), "f"(x) : "memory");
    return old;
}
static void accrue_sum_global_f32_only(volatile __global float *place, float x)
{
    __asm__ volatile("red.global.add.f32 [%0], %1;" : : "l"((ulong)place), "f"(x) : "memory");
}
#elif defined(ACCRUE_FLOAT_ATOMICS) && defined(__opencl_c_ext_fp32_global_atomic_add)
static float accrue_sum_global_f32(volatile __global float *place, float x)
{
    return atomic_fetch_add_explicit((volatile __global atomic_float *)place, x, memory_order_relaxed, memory_scope_device);
}
#define accrue_sum_global_f32_only(place, x) ((void)accrue_sum_global_f32(place, x))
#else
static float accrue_sum_global_f32(volatile __global float *place, float x)
{
    int is = *(volatile __global int *)place;
    int was;
    do {
        was = is;
        is = atomic_cmpxchg((volatile __global int *)place, was, as_int(as_float(was) + x));
    } while (is != was);
    return as_float(is);
}
#define accrue_sum_global_f32_only(place, x) ((void)accrue_sum_global_f32(place, x))
#endif
#ifdef cl_khr_fp64
#if defined(__NV_CL_C_VERSION) && defined(ACCRUE_NVIDIA) && ACCRUE_NVIDIA >= 60
static double accrue_sum_global_f64(volatile __global double *place, double x)
{
    double old;
    __asm__ volatile("atom.global.add.f64 %0, [%1], %2;" : "=d"(old) : "l"((ulong)place), "d"(x) : "memory");
    return old;
}
static void accrue_sum_global_f64_only(volatile __global double *place, double x)
{
    __asm__ volatile("red.global.add.f64 [%0], %1;" : : "l"((ulong)place), "d"(x) : "memory");
}
#elif defined(ACCRUE_FLOAT_ATOMICS) && defined(__opencl_c_ext_fp64_global_atomic_add)
static double accrue_sum_global_f64(volatile __global double *place, double x)
{
    return atomic_fetch_add_explicit((volatile __global atomic_double *)place, x, memory_order_relaxed, memory_scope_device);
}
#define accrue_sum_global_f64_only(place, x) ((void)accrue_sum_global_f64(place, x))
#else
static double accrue_sum_global_f64(volatile __global double *place, double x)
{
    long is = *(volatile __global long *)place;
    long was;
    do {
        was = is;
        is = atom_cmpxchg((volatile __global long *)place, was, as_long(as_double(was) + x));
    } while (is != was);
    return as_double(is);
}
#define accrue_sum_global_f64_only(place, x) ((void)accrue_sum_global_f64(place, x))
#endif
#endif

//@kernel accrue_k0_0
__kernel void accrue_k0_0(ulong word_0, ulong word_1, ulong word_2, ulong word_3, ulong word_4, ulong accrue_scratch_address, __global char *accrue_memory)
{
    __global float *v = (__global float *)ACCRUE_ADDRESS(word_0);
    __global double *v_2 = (__global double *)ACCRUE_ADDRESS(word_1);
    __global float *v_3 = (__global float *)ACCRUE_ADDRESS(word_2);
    float v_4 = as_float((uint)word_3);
    double v_5 = as_double(word_4);
    if ((int)get_local_id(0) == 0) {
        float t1 = v_4;
        accrue_sum_global_f32_only(v, t1);
        double t2 = -(v_5);
        accrue_sum_global_f64_only(v_2, t2);
        float t3 = v_4;
        float t4 = accrue_sum_global_f32(v, t3);
        *v_3 = t4;
        double t5 = -(v_5);
        double t6 = accrue_sum_global_f64(v_2, t5);
        double t7 = t6 + t5;
        *v_2 = t7;
        int t8 = *(volatile __global int *)v;
        float t9;
        int t10;
        do {
            t10 = t8;
            t9 = v_4 - as_float(t10);
            t8 = atomic_cmpxchg((volatile __global int *)v, t10, as_int(t9));
        } while (t8 != t10);
        int t11 = *(volatile __global int *)v;
        float t12;
        int t13;
        do {
            t13 = t11;
            t12 = as_float(t13) + as_float(t13);
            t11 = atomic_cmpxchg((volatile __global int *)v, t13, as_int(t12));
        } while (t11 != t13);
        long t14 = *(volatile __global long *)v_2;
        double t15;
        long t16;
        do {
            t16 = t14;
            t15 = as_double(t16) * v_5;
            t14 = atom_cmpxchg((volatile __global long *)v_2, t16, as_long(t15));
        } while (t14 != t16);
    }
    return;
}
