// Sums of rows of 4, 32, 100, 1000 and 100000 doubles: so many lanes for each row as suit its length, a block for each
// long row; `best` also tries other numbers of lanes and threads, and cub::DeviceSegmentedReduce.
#include "common.cuh"
#include "reduce.cuh"
#include <cub/device/device_segmented_reduce.cuh>
#include <cuda/std/functional>
#include <string>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

template <int lanes>
__global__ void lanes_for_row(int rows, int length, const double *__restrict__ a, double *__restrict__ sum)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / lanes, lane = threadIdx.x % lanes;
    double s = 0;
    if (row < rows)
        for (int c = lane; c < length; c += lanes)
            s += a[row * length + c];
    s = warp_reduce<lanes>(s, cuda::std::plus<double>());
    if (row < rows && lane == 0)
        sum[row] = s;
}

__global__ void block_for_row(int length, const double *__restrict__ a, double *__restrict__ sum)
{
    double s = 0;
    for (int c = threadIdx.x; c < length; c += blockDim.x)
        s += a[blockIdx.x * length + c];
    s = block_reduce(s, 0.0, cuda::std::plus<double>());
    if (threadIdx.x == 0)
        sum[blockIdx.x] = s;
}

__global__ void copy(int n, const double *__restrict__ a, double *__restrict__ b)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        b[i] = a[i];
}

struct problem {
    int repeats, rows, length;
    const double *a;
    double *sum;
};

template <int lanes> double by_lanes(const problem &p)
{
    return fastest(p.repeats, [&] {
        lanes_for_row<lanes><<<ceiling((long)p.rows * lanes, 256), 256>>>(p.rows, p.length, p.a, p.sum);
    });
}

static double by_blocks(const problem &p, int threads)
{
    return fastest(p.repeats, [&] { block_for_row<<<p.rows, threads>>>(p.length, p.a, p.sum); });
}

struct row_begin {
    int length;
    __host__ __device__ int operator()(int row) const { return row * length; }
};

static double by_cub(const problem &p)
{
    auto begin = thrust::make_transform_iterator(thrust::counting_iterator<int>(0), row_begin{p.length});
    size_t bytes = 0;
    CHECK(cub::DeviceSegmentedReduce::Sum(nullptr, bytes, p.a, p.sum, p.rows, begin, begin + 1));
    char *scratch = device<char>(bytes + 1);
    double t = fastest(p.repeats, [&] {
        CHECK(cub::DeviceSegmentedReduce::Sum(scratch, bytes, p.a, p.sum, p.rows, begin, begin + 1));
    });
    CHECK(cudaFree(scratch));
    return t;
}

static double usual_shape(const problem &p)
{
    if (p.length <= 4)
        return by_lanes<4>(p);
    return p.length < 10000 ? by_lanes<32>(p) : by_blocks(p, 512);
}

static double best_shape(const problem &p)
{
    double best = fmin(fmin(by_lanes<4>(p), by_lanes<8>(p)), fmin(by_lanes<16>(p), by_lanes<32>(p)));
    if (p.length >= 1000)
        for (int threads : {128, 256, 1024})
            best = fmin(best, by_blocks(p, threads));
    // A block for each row: very slow on short ones.
    return p.length >= 100 ? fmin(best, by_cub(p)) : best;
}

static void measure(const std::string &name, const problem &p)
{
    double usual = usual_shape(p), best = fmin(usual, best_shape(p));
    print_row(name.c_str(), (long)p.rows * p.length, usual, best, 8.0 * p.rows * p.length + 8.0 * p.rows, 'B',
              checksum(p.rows, p.sum, 1));
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (27 - args.shift);
    double *a = device<double>(n), *b = device<double>(n);
    fill(n, a, [] __device__(int k) { return k % 11 - 3; });
    times t = grid_stride(args.repeats, n, copy, n, a, b);
    t.best = fmin(t.best, fastest(args.repeats, [&] {
                      CHECK(cudaMemcpyAsync(b, a, n * sizeof *a, cudaMemcpyDeviceToDevice));
                  }));
    print_row("copy_27", n, t.usual, t.best, 16.0 * n, 'B', checksum(n, b, 1));
    for (int length : {4, 32, 100, 1000, 100000})
        if (length <= n)
            measure("rows_" + std::to_string(length), {args.repeats, n / length, length, a, b});
    measure("rows_4_lanes", {args.repeats, n / 4, 4, a, b});
    return 0;
}
