// Sum of complex numbers of two doubles, 2^27: cub::DeviceReduce, the result copied to the host.
#include "common.cuh"
#include <cub/device/device_reduce.cuh>

struct plus_complex {
    __device__ double2 operator()(double2 a, double2 b) const { return make_double2(a.x + b.x, a.y + b.y); }
};

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (27 - args.shift);
    double2 *a = device<double2>(n), *sum = device<double2>(1), *result = pinned<double2>();
    fill(n, a, [n] __device__(int i) { return make_double2(REDUCED(i, n), i % 5 - 1); });
    size_t bytes = 0;
    CHECK(cub::DeviceReduce::Reduce(nullptr, bytes, a, sum, n, plus_complex(), double2{0, 0}));
    char *scratch = device<char>(bytes);
    double t = fastest(args.repeats, [&] {
        CHECK(cub::DeviceReduce::Reduce(scratch, bytes, a, sum, n, plus_complex(), double2{0, 0}));
        CHECK(cudaMemcpyAsync(result, sum, sizeof *sum, cudaMemcpyDeviceToHost));
    });
    print_row("sum_complex", n, t, t, 16.0 * n, 'B', (long long)(result->x + 2 * result->y));
    return 0;
}
