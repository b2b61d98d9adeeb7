#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#else
#define double ulong
#endif
#ifndef ACCRUE_ADDRESS
#define ACCRUE_ADDRESS(number) (number)
#endif
#pragma OPENCL FP_CONTRACT OFF

static int f_classify(int);
static int f_counted(int, int);
static int f_do_while(int);
static int f_odd_sum(int);
static int f_slow_steps(int);

static int f_classify(int p)
{
    int r = 0;
    switch (p) {
    case 1L: case 4L ... 6L: {
        r = r + 1;
        __attribute__((fallthrough));
    }
    default: {
        r = r + 10;
        if (p > 100) {
            break;
        }
        __attribute__((fallthrough));
    }
    case -3L: {
        r = r + 100;
        break;
    }
    }
    return r;
}

static int f_counted(int p, int p_2)
{
    int s = 0;
    int k = 3;
    for (int i = p; i > 0; i -= 2) {
        s = s + i;
    }
    for (int i_2 = 0; i_2 < p; i_2 += p_2) {
        s = (int)((uint)s + (uint)i_2);
    }
    for (uint i_3 = (uint)0; i_3 < (uint)-294967296; i_3 += 1000000000) {
        s = s ^ (int)i_3;
    }
    do {
        k = k + -2;
    } while (k > 0);
    return s + k;
}

static int f_do_while(int n)
{
    int n_2 = n;
    int s = 0;
    for (;;) {
        {
            s = s + n_2;
            if (s % 5 == 0) {
                goto next;
            }
            if (s > 1000) {
                return 1000;
            }
            s = s + 1;
        }
        next:;
        n_2 = n_2 - 1;
        if (!(n_2 > 0)) break;
    }
    return s;
}

static int f_odd_sum(int p)
{
    int s = 0;
    int i = 0;
    for (; i < p; i = i + 1) {
        if (i % 2 == 0) {
            continue;
        }
        if (i > 20) {
            break;
        }
        s = s + i;
    }
    return s;
}

static int f_slow_steps(int p)
{
    int count = 0;
    int i = 1;
    for (;;) {
        int t1 = i;
        if (!(t1 * t1 < p)) break;
        {
            if (i % 3 == 0) {
                goto next;
            }
            count = count + 1;
        }
        next:;
        int t2;
        if (i % 3 == 0) {
            t2 = 1;
        } else {
            t2 = 2;
        }
        i = i + t2;
    }
    return count;
}

//@kernel accrue_k0_0
__kernel void accrue_k0_0(ulong word_0, ulong word_1, ulong accrue_scratch_address, __global char *accrue_memory)
{
    __global int *v = (__global int *)ACCRUE_ADDRESS(word_0);
    int v_2 = (int)word_1;
    if ((int)get_local_id(0) == 0) {
        int t1 = f_classify(v_2);
        int t2 = f_odd_sum(v_2);
        int t3 = f_slow_steps(v_2);
        int t4 = f_do_while(v_2);
        int t5 = f_counted(v_2, 3);
        v[0] = t1;
        v[1] = t2;
        v[2] = t3;
        v[3] = t4;
        v[4] = t5;
    }
    return;
}

//@kernel accrue_k0_0_disjoint
__kernel void accrue_k0_0_disjoint(ulong word_0, ulong word_1, ulong accrue_scratch_address, __global char *accrue_memory)
{
    __global int *v = (__global int *)ACCRUE_ADDRESS(word_0);
    int v_2 = (int)word_1;
    if ((int)get_local_id(0) == 0) {
        int t1 = f_classify(v_2);
        int t2 = f_odd_sum(v_2);
        int t3 = f_slow_steps(v_2);
        int t4 = f_do_while(v_2);
        int t5 = f_counted(v_2, 3);
        *(__global int4 *)((&v[3]) - 3) = (int4)((int)(t1), (int)(t2), (int)(t3), (int)(t4));
        v[4] = t5;
    }
    return;
}
