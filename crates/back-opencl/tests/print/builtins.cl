#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#else
#define double ulong
#endif
#ifndef ACCRUE_ADDRESS
#define ACCRUE_ADDRESS(number) (number)
#endif
#pragma OPENCL FP_CONTRACT OFF
static int accrue_ctz32(uint x)
{
    return 31 - (int)clz(x & (0 - x));
}
static ulong accrue_bswap64(ulong x)
{
    return as_ulong(as_uchar8(x).s76543210);
}

//@kernel accrue_k0_0
__kernel void accrue_k0_0(ulong word_0, ulong word_1, ulong word_2, ulong word_3, ulong word_4, ulong word_5, ulong word_6, ulong accrue_scratch_address, __global char *accrue_memory)
{
    __global int *v = (__global int *)ACCRUE_ADDRESS(word_0);
    __global long *v_2 = (__global long *)ACCRUE_ADDRESS(word_1);
    double v_3 = as_double(word_2);
    float v_4 = as_float((uint)word_3);
    int v_5 = (int)word_4;
    long v_6 = (long)word_5;
    short v_7 = (short)word_6;
    if ((int)get_local_id(0) == 0) {
        *v = isnan(v_3);
        *v = (isinf(v_4) ? (signbit(v_4) ? -1 : 1) : 0);
        *v = isnormal(v_3);
        *v = signbit(v_4);
        *v = isless(v_3, v_3);
        *v = (int)popcount((ulong)v_6);
        *v = (int)accrue_ctz32(v_5);
        *v = (v_5 != 0 ? (int)accrue_ctz32(v_5) + 1 : 0);
        *v = (int)(ushort)(short)rotate((ushort)v_7, (ushort)8);
        *v_2 = (long)accrue_bswap64(v_6);
    }
    return;
}
