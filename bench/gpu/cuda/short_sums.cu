// Sums of 2^10, 2^12, … 2^20 doubles and ints: cub::DeviceReduce, the result copied to the host.
#include "common.cuh"
#include <cub/device/device_reduce.cuh>
#include <string>

// As in acc/short_sums.c.
#define LAPS 40

template <class T> void rows(const std::string &name, int repeats)
{
    T *out = device<T>(1), *result = pinned<T>();
    for (int power = 10; power <= 20; power += 2) {
        int n = 1 << power;
        T *a = device<T>(n);
        fill(n, a, [n] __device__(int i) { return REDUCED(i, n); });
        size_t bytes = 0;
        CHECK(cub::DeviceReduce::Sum(nullptr, bytes, a, out, n));
        char *scratch = device<char>(bytes);
        double t = fastest(LAPS * repeats, [&] {
            CHECK(cub::DeviceReduce::Sum(scratch, bytes, a, out, n));
            CHECK(cudaMemcpyAsync(result, out, sizeof *out, cudaMemcpyDeviceToHost));
        });
        std::string label = "sum_" + name + "_" + std::to_string(power);
        print_row(label.c_str(), n, t, t, (double)n * sizeof(T), 'B', static_cast<long long>(*result));
        CHECK(cudaFree(a));
        CHECK(cudaFree(scratch));
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    rows<double>("f64", args.repeats);
    rows<int>("i32", args.repeats);
    return 0;
}
