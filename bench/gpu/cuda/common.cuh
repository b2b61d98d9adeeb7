// What the CUDA peers share: error checks, device memory, launch shapes, checksums.
#pragma once

#include "../bench.h"
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                  \
    do {                                                                                             \
        cudaError_t status_ = (call);                                                                \
        if (status_ != cudaSuccess) {                                                                \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));         \
            exit(1);                                                                                 \
        }                                                                                            \
    } while (0)

template <class T> T *device(size_t n)
{
    T *p;
    CHECK(cudaMalloc(&p, n * sizeof(T)));
    return p;
}

// A scalar in pinned memory, where results of reductions are copied to.
template <class T> T *pinned(size_t n = 1)
{
    T *p;
    CHECK(cudaMallocHost(&p, n * sizeof(T)));
    return p;
}

inline int multiprocessors()
{
    static int count = [] {
        int n;
        CHECK(cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, 0));
        return n;
    }();
    return count;
}

// As many blocks as the device holds at once.
template <class Kernel> int full_grid(Kernel kernel, int threads)
{
    int blocks;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0));
    return blocks * multiprocessors();
}

inline int ceiling(long n, long d) { return static_cast<int>((n + d - 1) / d); }

// The shortest lap of a region, which is synchronous: launch, then wait.
template <class Region> double fastest(int repeats, Region region)
{
    struct watch w = watch(repeats);
    while (lap(&w)) {
        region();
        CHECK(cudaDeviceSynchronize());
    }
    CHECK(cudaGetLastError());
    return w.best;
}

// A grid-stride kernel with the grid that fills the device (`usual`), and the best of this and of the grids with
// 1, 2, 4 and 8 elements for each thread.
struct times {
    double usual, best;
};

template <class Kernel, class... Args> times grid_stride(int repeats, long n, Kernel kernel, Args... args)
{
    const int threads = 256;
    int grid = full_grid(kernel, threads);
    times t;
    t.usual = t.best = fastest(repeats, [&] { kernel<<<grid, threads>>>(args...); });
    for (long each = 1; each <= 8; each *= 2) {
        int blocks = ceiling(n, threads * each);
        t.best = fmin(t.best, fastest(repeats, [&] { kernel<<<blocks, threads>>>(args...); }));
    }
    return t;
}

template <class T> __global__ void checksum_kernel(long n, const T *v, double scale, unsigned long long *sum)
{
    unsigned long long mine = 0;
    for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x)
        mine += ADDEND(v[i], scale, i);
    atomicAdd(sum, mine);
}

template <class T> long long checksum(long n, const T *v, double scale)
{
    unsigned long long *sum = device<unsigned long long>(1), result;
    CHECK(cudaMemset(sum, 0, sizeof *sum));
    checksum_kernel<<<1024, 256>>>(n, v, scale, sum);
    CHECK(cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(sum));
    return static_cast<long long>(result);
}

// Fills v[i] = f(i); f is a __device__ lambda.
template <class T, class F> __global__ void fill_kernel(long n, T *v, F f)
{
    for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x)
        v[i] = f(static_cast<int>(i));
}

template <class T, class F> void fill(long n, T *v, F f)
{
    fill_kernel<<<1024, 256>>>(n, v, f);
    CHECK(cudaDeviceSynchronize());
}
