// Ten reductions over ten arrays of 2^25 in one kernel: vector loads of four elements, a struct of partial results for
// each thread, cub::BlockReduce for each member, and the last block combines what the blocks have written.
#include "common.cuh"
#include <cub/block/block_reduce.cuh>

#define THREADS 256

struct results {
    int sum_int, largest_int;
    long long sum_long;
    float sum_float, least_float;
    double sum_double, largest_double;
    unsigned parity;
    short bits;
    signed char all;
};

struct arrays {
    const int *a;
    const long long *b;
    const float *c;
    const double *d;
    const int *e;
    const float *f;
    const double *g;
    const unsigned *h;
    const short *k;
    const signed char *m;
};

struct plus {
    template <class T> __device__ T operator()(T a, T b) const { return a + b; }
};
struct larger {
    template <class T> __device__ T operator()(T a, T b) const { return a > b ? a : b; }
};
struct smaller {
    template <class T> __device__ T operator()(T a, T b) const { return a < b ? a : b; }
};
struct exclusive_or {
    template <class T> __device__ T operator()(T a, T b) const { return a ^ b; }
};
struct bitwise_or {
    template <class T> __device__ T operator()(T a, T b) const { return a | b; }
};
struct both {
    template <class T> __device__ T operator()(T a, T b) const { return a && b; }
};

__device__ results neutral() { return {0, -2000000000, 0, 0, 1e30f, 0, -1e300, 0, 0, 1}; }

__device__ void combine(results &r, const results &s)
{
    r.sum_int += s.sum_int;
    r.largest_int = larger()(r.largest_int, s.largest_int);
    r.sum_long += s.sum_long;
    r.sum_float += s.sum_float;
    r.least_float = smaller()(r.least_float, s.least_float);
    r.sum_double += s.sum_double;
    r.largest_double = larger()(r.largest_double, s.largest_double);
    r.parity ^= s.parity;
    r.bits |= s.bits;
    r.all = r.all && s.all;
}

template <class T, class Op> __device__ T over_block(T value, Op op)
{
    using Reduce = cub::BlockReduce<T, THREADS>;
    __shared__ typename Reduce::TempStorage storage;
    return Reduce(storage).Reduce(value, op);
}

// Thread 0 has the results of the block.
__device__ results over_block(const results &r)
{
    results s;
    s.sum_int = over_block(r.sum_int, plus());
    s.largest_int = over_block(r.largest_int, larger());
    s.sum_long = over_block(r.sum_long, plus());
    s.sum_float = over_block(r.sum_float, plus());
    s.least_float = over_block(r.least_float, smaller());
    s.sum_double = over_block(r.sum_double, plus());
    s.largest_double = over_block(r.largest_double, larger());
    s.parity = over_block(r.parity, exclusive_or());
    s.bits = over_block(r.bits, bitwise_or());
    s.all = over_block(r.all, both());
    return s;
}

template <class T, int size> struct alignas(size * sizeof(T) < 16 ? size * sizeof(T) : 16) pack {
    T item[size];
};

template <int size, class T> __device__ pack<T, size> load(const T *p, int i)
{
    return *reinterpret_cast<const pack<T, size> *>(p + i);
}

// `each` consecutive elements for each thread and turn; n is a multiple of it.
template <int each>
__global__ void __launch_bounds__(THREADS)
    ten(int n, const arrays in, results *partial, unsigned *arrived, results *out)
{
    results mine = neutral();
    int first = (blockIdx.x * THREADS + threadIdx.x) * each;
    for (int i = first; i < n; i += gridDim.x * THREADS * each) {
        auto a = load<each>(in.a, i), e = load<each>(in.e, i);
        auto b = load<each>(in.b, i);
        auto c = load<each>(in.c, i), f = load<each>(in.f, i);
        auto d = load<each>(in.d, i), g = load<each>(in.g, i);
        auto h = load<each>(in.h, i);
        auto k = load<each>(in.k, i);
        auto m = load<each>(in.m, i);
#pragma unroll
        for (int j = 0; j < each; j++)
            combine(mine, {a.item[j], e.item[j], b.item[j], c.item[j], f.item[j], d.item[j], g.item[j], h.item[j],
                           k.item[j], m.item[j]});
    }
    mine = over_block(mine);
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = mine;
        __threadfence();
        last = atomicAdd(arrived, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!last)
        return;
    mine = neutral();
    for (int block = threadIdx.x; block < gridDim.x; block += THREADS)
        combine(mine, partial[block]);
    mine = over_block(mine);
    if (threadIdx.x == 0) {
        *out = mine;
        *arrived = 0;
    }
}

template <int each> double measure(int repeats, int n, const arrays &in, int blocks, results *result)
{
    results *partial = device<results>(blocks), *out = device<results>(1);
    unsigned *arrived = device<unsigned>(1);
    CHECK(cudaMemset(arrived, 0, sizeof *arrived));
    double t = fastest(repeats, [&] {
        ten<each><<<blocks, THREADS>>>(n, in, partial, arrived, out);
        CHECK(cudaMemcpyAsync(result, out, sizeof *out, cudaMemcpyDeviceToHost));
    });
    CHECK(cudaFree(partial));
    CHECK(cudaFree(out));
    CHECK(cudaFree(arrived));
    return t;
}

template <class T, class F> const T *filled(int n, F f)
{
    T *p = device<T>(n);
    fill(n, p, f);
    return p;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (25 - args.shift);
    auto reduced = [n] __device__(int i) { return REDUCED(i, n); };
    arrays in = {filled<int>(n, [] __device__(int i) { return i % 7 - 3; }),
                 filled<long long>(n, [] __device__(int i) { return i % 11 - 2; }),
                 filled<float>(n, reduced),
                 filled<double>(n, [] __device__(int i) { return i % 5 - 1; }),
                 filled<int>(n, reduced),
                 filled<float>(n, reduced),
                 filled<double>(n, [n] __device__(int i) { return REDUCED(i, n) * 3; }),
                 filled<unsigned>(n, [] __device__(int i) { return mix(i); }),
                 filled<short>(n, [] __device__(int i) { return i % 13 == 5 ? 1 << i % 7 : 0; }),
                 filled<signed char>(n, [] __device__(int i) { return 1 + i % 3; })};
    results *r = pinned<results>();
    double usual = measure<4>(args.repeats, n, in, full_grid(ten<4>, THREADS), r);
    double best = fmin(usual, measure<2>(args.repeats, n, in, full_grid(ten<2>, THREADS), r));
    best = fmin(best, measure<1>(args.repeats, n, in, full_grid(ten<1>, THREADS), r));
    best = fmin(best, measure<4>(args.repeats, n, in, 4 * full_grid(ten<4>, THREADS), r));
    print_row("ten_reductions", n, usual, best, 47.0 * n, 'B',
              (long long)(r->sum_int + 3 * r->largest_int + 5 * r->sum_long + 7.0 * r->sum_float +
                          11.0 * r->least_float + 13 * r->sum_double + 17 * r->largest_double + 19.0 * r->parity +
                          23 * r->bits + 29 * r->all));
    return 0;
}
