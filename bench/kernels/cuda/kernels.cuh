// Memory and the clock of the CUDA peers.
#pragma once

#include "../../gpu/cuda/common.cuh"
#include "../kernels.h"

template <class T> T *on_device(const T *host, size_t n)
{
    T *p = device<T>(n);
    CHECK(cudaMemcpy(p, host, n * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}

template <class T> void to_host(T *host, const T *p, size_t n)
{
    CHECK(cudaMemcpy(host, p, n * sizeof(T), cudaMemcpyDeviceToHost));
}
