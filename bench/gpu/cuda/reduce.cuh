// Reductions of a value over a warp and over a block with whole warps.
#pragma once

// Over `lanes` neighbouring lanes; the first of them has the result.
template <int lanes = 32, class T, class Op> __device__ T warp_reduce(T value, Op op)
{
    for (int step = lanes / 2; step > 0; step /= 2)
        value = op(value, __shfl_down_sync(0xffffffff, value, step));
    return value;
}

// Over the block; thread 0 has the result.
template <class T, class Op> __device__ T block_reduce(T value, T neutral, Op op)
{
    __shared__ T part[32];
    int thread = threadIdx.y * blockDim.x + threadIdx.x;
    int warps = blockDim.x * blockDim.y / 32;
    value = warp_reduce(value, op);
    if (thread % 32 == 0)
        part[thread / 32] = value;
    __syncthreads();
    if (thread < 32)
        value = warp_reduce(thread < warps ? part[thread] : neutral, op);
    return value;
}
