// Scalar product, double, 2^24 and 2^27: cub::DeviceReduce over the products, the sum copied to the host.
#include "common.cuh"
#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>
#include <thrust/iterator/counting_iterator.h>

struct product {
    const double *x, *y;
    __device__ double operator()(int i) const { return x[i] * y[i]; }
};

static void dot_row(const char *name, int n, int repeats, const double *x, const double *y)
{
    double *sum = device<double>(1), *result = pinned<double>();
    thrust::counting_iterator<int> index(0);
    size_t bytes = 0;
    CHECK(cub::DeviceReduce::TransformReduce(nullptr, bytes, index, sum, n, cuda::std::plus<double>(), product{x, y},
                                             0.0));
    char *scratch = device<char>(bytes);
    double t = fastest(repeats, [&] {
        CHECK(cub::DeviceReduce::TransformReduce(scratch, bytes, index, sum, n, cuda::std::plus<double>(),
                                                 product{x, y}, 0.0));
        CHECK(cudaMemcpyAsync(result, sum, sizeof *sum, cudaMemcpyDeviceToHost));
    });
    print_row(name, n, t, t, 16.0 * n, 'B', static_cast<long long>(*result));
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (27 - args.shift);
    double *x = device<double>(n), *y = device<double>(n);
    fill(n, x, [] __device__(int i) { return i % 5 - 1; });
    fill(n, y, [] __device__(int i) { return i % 7 - 2; });
    dot_row("dot_24", n >> 3, args.repeats, x, y);
    dot_row("dot_27", n, args.repeats, x, y);
    return 0;
}
