// Entropy coding of 2^18 blocks of 8 x 8 quantised coefficients as JPEG has it: a thread a block of coefficients, 64 of which come to shared memory
// in whole lines; running sums in blocks of 1024 threads; only words that two blocks may share are written atomically.
#include "kernels.cuh"

constexpr int BLOCKS = 1 << 18, SYMBOLS = 272, FIRST_DC = 256, LONG_RUN = 0xf0, THREADS = 64, SCAN = 1024;

static const unsigned char zigzag[64] = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
                                         41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
                                         30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};
__constant__ unsigned char order[64];

__device__ int category(int v) { return 32 - __clz(abs(v)); }

// Coefficients and codes (above five bits of length) in shared memory; one word more for each 64 coefficients keeps the banks apart.
struct stage {
    int coefficient[THREADS * 33];
    unsigned code[SYMBOLS];

    __device__ void load(int n, const int *__restrict__ from, const unsigned *__restrict__ codes)
    {
        int first = blockIdx.x * THREADS, many = min(THREADS, n - first) * 32;
        for (int k = threadIdx.x; k < many; k += THREADS)
            coefficient[k / 32 * 33 + k % 32] = from[first * 32 + k];
        for (int s = threadIdx.x; s < SYMBOLS; s += THREADS)
            code[s] = codes[s];
        __syncthreads();
    }

    template <class Each> __device__ void symbols(int last, Each each) const
    {
        const short *c = (const short *)(coefficient + threadIdx.x * 33);
        int v = c[0] - last, size = category(v), run = 0;
        each(code[FIRST_DC + size], v, size);
        for (int k = 1; k < 64; k++) {
            v = c[order[k]];
            if (v == 0) {
                run++;
                continue;
            }
            for (; run > 15; run -= 16)
                each(code[LONG_RUN], 0, 0);
            size = category(v);
            each(code[16 * run + size], v, size);
            run = 0;
        }
        if (run > 0)
            each(code[0], 0, 0);
    }
};

__global__ void __launch_bounds__(THREADS) count(int n, const int *__restrict__ coefficient, const unsigned *__restrict__ codes,
                                                 int *__restrict__ bits)
{
    __shared__ stage here;
    here.load(n, coefficient, codes);
    int b = blockIdx.x * THREADS + threadIdx.x, total = 0;
    if (b >= n)
        return;
    int last = b > 0 ? (short)coefficient[32 * (b - 1)] : 0;
    here.symbols(last, [&](unsigned code, int, int size) { total += (code & 31) + size; });
    bits[b] = total;
}

// Running sums within a block, without the own number, and the sum of all.
__global__ void __launch_bounds__(SCAN) scan(int n, const int *__restrict__ in, int *__restrict__ out, int *__restrict__ totals)
{
    __shared__ int part[SCAN / 32];
    int i = blockIdx.x * SCAN + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32, mine = i < n ? in[i] : 0, sum = mine;
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(0xffffffffu, sum, d);
        if (lane >= d)
            sum += other;
    }
    if (lane == 31)
        part[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        int p = part[lane];
        for (int d = 1; d < 32; d *= 2) {
            int other = __shfl_up_sync(0xffffffffu, p, d);
            if (lane >= d)
                p += other;
        }
        part[lane] = p;
    }
    __syncthreads();
    if (warp > 0)
        sum += part[warp - 1];
    if (i < n)
        out[i] = sum - mine;
    if (threadIdx.x == SCAN - 1)
        totals[blockIdx.x] = sum;
}

__global__ void __launch_bounds__(THREADS) emit(int n, const int *__restrict__ coefficient, const unsigned *__restrict__ codes,
                                                const int *__restrict__ start, const int *__restrict__ offset, unsigned *stream)
{
    __shared__ stage here;
    here.load(n, coefficient, codes);
    int b = blockIdx.x * THREADS + threadIdx.x;
    if (b >= n)
        return;
    int from = start[b] + offset[b / SCAN], waiting = from % 32, last = b > 0 ? (short)coefficient[32 * (b - 1)] : 0;
    unsigned *to = stream + from / 32;
    unsigned long long pending = 0;
    bool first = true;
    auto put = [&](unsigned value, int bits) {
        pending = pending << bits | value;
        waiting += bits;
        if (waiting >= 32) {
            waiting -= 32;
            unsigned full = (unsigned)(pending >> waiting);
            if (first)
                atomicOr(to, full);
            else
                *to = full;
            first = false;
            to++;
        }
    };
    here.symbols(last, [&](unsigned code, int v, int size) {
        put(code >> 5, code & 31);
        put(v < 0 ? v - 1 + (1 << size) : v, size);
    });
    if (waiting > 0)
        atomicOr(to, (unsigned)(pending << (32 - waiting)));
}

static void make_codes(int n, const long *often, int *length, unsigned *code)
{
    long total = 0;
    unsigned next = 0;
    for (int s = 0; s < n; s++)
        total += often[s];
    for (int s = 0; s < n; s++)
        for (length[s] = 1; often[s] << length[s] < total;)
            length[s]++;
    for (int l = 1; l < 32; l++, next <<= 1)
        for (int s = 0; s < n; s++)
            if (length[s] == l)
                code[s] = next++;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = BLOCKS >> args.shift, length[SYMBOLS];
    unsigned code[SYMBOLS];
    long often[SYMBOLS], expected = 0;
    short *coefficient = NEW(short, 64 * n);
    double sum = 0;
    for (int s = 0; s < SYMBOLS; s++)
        often[s] = 1;
    for (int b = 0; b < n; b++)
        for (int k = 0, run = 0; k < 64; k++) {
            unsigned h = mix(64 * b + k), g = mix(h + 1);
            int v = h % 64 < 56u / (1 + k / 3) ? 1 + (int)(g % (1 + 48 / (k + 1))) * (int)(g / 64 % 3) / 2 : 0;
            coefficient[64 * b + zigzag[k]] = k == 0 ? (int)(400 * sin(b * 0.01) + h % 50) : h & 1024 ? v : -v;
            int size = 0, left = k > 0 ? v : abs(coefficient[64 * b] - (b > 0 ? coefficient[64 * b - 64] : 0));
            for (; left > 0; left >>= 1)
                size++;
            if (k == 0)
                often[FIRST_DC + size]++;
            else if (v == 0)
                run++;
            else {
                often[LONG_RUN] += run / 16;
                often[run % 16 * 16 + size]++;
                run = 0;
            }
            if (k == 63 && run > 0)
                often[0]++;
            if (k == 0 || v != 0)
                expected += size;
        }
    make_codes(FIRST_DC, often, length, code);
    make_codes(SYMBOLS - FIRST_DC, often + FIRST_DC, length + FIRST_DC, code + FIRST_DC);
    for (int s = 0; s < SYMBOLS; s++) {
        expected += (often[s] - 1) * length[s];
        code[s] = code[s] << 5 | length[s];
    }
    int words = (int)(expected / 32) + 1, parts = ceiling(n, SCAN), blocks = ceiling(n, THREADS);
    unsigned *stream = NEW(unsigned, words), *dcode = on_device(code, SYMBOLS), *dstream = device<unsigned>(words);
    const int *dcoefficient = (const int *)on_device(coefficient, 64 * (size_t)n);
    int *bits = device<int>(n), *start = device<int>(n), *part = device<int>(parts), *offset = device<int>(parts), *dtotal = device<int>(1);
    int *total = pinned<int>();
    CHECK(cudaMemcpyToSymbol(order, zigzag, sizeof zigzag));
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dstream, 0, words * sizeof(unsigned)));
        count<<<blocks, THREADS>>>(n, dcoefficient, dcode, bits);
        scan<<<parts, SCAN>>>(n, bits, start, part);
        scan<<<1, SCAN>>>(parts, part, offset, dtotal);
        emit<<<blocks, THREADS>>>(n, dcoefficient, dcode, start, offset, dstream);
        CHECK(cudaMemcpyAsync(total, dtotal, sizeof(int), cudaMemcpyDeviceToHost));
    });
    to_host(stream, dstream, words);
    for (int w = 0; w < words; w++)
        sum += (double)stream[w] * (1 + w % 5) / 65536;
    report("huffman", best, sum + *total);
    return 0;
}
