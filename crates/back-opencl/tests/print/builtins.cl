#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#else
#define double ulong
#endif
#ifndef ACCRUE_ADDRESS
#define ACCRUE_ADDRESS(number) (number)
#endif
#pragma OPENCL FP_CONTRACT OFF

// accrue_k0_0: :22:9: OpenCL devices have no function `__builtin_isless`
