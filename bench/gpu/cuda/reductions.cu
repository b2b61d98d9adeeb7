// Sum, smallest and largest element of int, float and double, 2^27: cub::DeviceReduce, the result copied to the host.
#include "common.cuh"
#include <cub/device/device_reduce.cuh>
#include <string>

template <class T, class Reduce> void reduction_row(const std::string &name, int n, int repeats, Reduce reduce)
{
    T *out = device<T>(1), *result = pinned<T>();
    size_t bytes = 0;
    CHECK(reduce(nullptr, bytes, out));
    char *scratch = device<char>(bytes);
    double t = fastest(repeats, [&] {
        CHECK(reduce(scratch, bytes, out));
        CHECK(cudaMemcpyAsync(result, out, sizeof *out, cudaMemcpyDeviceToHost));
    });
    print_row(name.c_str(), n, t, t, (double)n * sizeof(T), 'B', static_cast<long long>(*result));
}

template <class T> void rows(const std::string &name, int n, int repeats)
{
    using cub::DeviceReduce;
    T *a = device<T>(n);
    fill(n, a, [n] __device__(int i) { return REDUCED(i, n); });
    reduction_row<T>("sum_" + name, n, repeats,
                     [=](void *s, size_t &b, T *out) { return DeviceReduce::Sum(s, b, a, out, n); });
    reduction_row<T>("min_" + name, n, repeats,
                     [=](void *s, size_t &b, T *out) { return DeviceReduce::Min(s, b, a, out, n); });
    reduction_row<T>("max_" + name, n, repeats,
                     [=](void *s, size_t &b, T *out) { return DeviceReduce::Max(s, b, a, out, n); });
    CHECK(cudaFree(a));
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (27 - args.shift);
    rows<int>("i32", n, args.repeats);
    rows<float>("f32", n, args.repeats);
    rows<double>("f64", n, args.repeats);
    return 0;
}
