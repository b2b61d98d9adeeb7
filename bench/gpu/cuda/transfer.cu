// Transfers of 1 GiB in both directions: pinned memory (h2d, d2h), and pageable memory for comparison.
#include "common.cuh"

static void rows(const char *to_device, const char *to_host, int n, int repeats, double *host)
{
    size_t bytes = (size_t)n * sizeof(double);
    double *a = device<double>(n);
    long long sum = 0;
    for (int i = 0; i < n; i++)
        host[i] = i % 1000;
    double t = fastest(repeats, [&] { CHECK(cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice)); });
    print_row(to_device, n, t, t, bytes, 'B', checksum(n, a, 1));
    fill(n, a, [] __device__(int i) { return i % 1000 + 1; });
    t = fastest(repeats, [&] { CHECK(cudaMemcpy(host, a, bytes, cudaMemcpyDeviceToHost)); });
    for (int i = 0; i < n; i++)
        sum += ADDEND(host[i], 1, i);
    print_row(to_host, n, t, t, bytes, 'B', sum);
    CHECK(cudaFree(a));
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (27 - args.shift), repeats = args.repeats < 20 ? args.repeats : 20;
    rows("h2d", "d2h", n, repeats, pinned<double>(n));
    rows("h2d_pageable", "d2h_pageable", n, repeats / 4 + 1, static_cast<double *>(malloc((size_t)n * sizeof(double))));
    return 0;
}
