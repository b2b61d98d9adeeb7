// 2^20 records sorted by a key of 32 bits, four bits at a time: tiles of 1024 are counted in shared memory, one block makes running sums of
// all counts, and threads find their places among equal digits of a warp by votes.
#include "kernels.cuh"

constexpr int RECORDS = 1 << 20, TILE = 1024, THREADS = 256, WARPS = THREADS / 32, BITS = 4, DIGITS = 1 << BITS;

__global__ void count_digits(int tiles, int shift, const unsigned *__restrict__ key, int *__restrict__ count)
{
    __shared__ int many[WARPS][DIGITS];
    int warp = threadIdx.x / 32;
    if (threadIdx.x < WARPS * DIGITS)
        many[threadIdx.x / DIGITS][threadIdx.x % DIGITS] = 0;
    __syncthreads();
    for (int k = threadIdx.x; k < TILE; k += THREADS)
        atomicAdd(&many[warp][key[blockIdx.x * TILE + k] >> shift & (DIGITS - 1)], 1);
    __syncthreads();
    if (threadIdx.x < DIGITS) {
        int sum = 0;
        for (int w = 0; w < WARPS; w++)
            sum += many[w][threadIdx.x];
        count[threadIdx.x * tiles + blockIdx.x] = sum;
    }
}

// Exclusive, in place, by one block of 1024 threads that has 1024 numbers at a time.
__global__ void running_sums(int counts, int *count)
{
    __shared__ int sums[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, carry = 0;
    for (int first = 0; first < counts; first += 4096) {
        int at = first + 4 * threadIdx.x;
        int4 v = at < counts ? *(int4 *)(count + at) : make_int4(0, 0, 0, 0);
        int own = v.x + v.y + v.z + v.w, s = own;
        for (int step = 1; step < 32; step *= 2) {
            int other = __shfl_up_sync(0xffffffff, s, step);
            s += lane >= step ? other : 0;
        }
        if (lane == 31)
            sums[warp] = s;
        __syncthreads();
        if (warp == 0) {
            int w = sums[lane];
            for (int step = 1; step < 32; step *= 2) {
                int other = __shfl_up_sync(0xffffffff, w, step);
                w += lane >= step ? other : 0;
            }
            sums[lane] = w;
        }
        __syncthreads();
        int before = carry + (warp > 0 ? sums[warp - 1] : 0) + s - own;
        carry += sums[31];
        if (at < counts)
            *(int4 *)(count + at) = make_int4(before, before + v.x, before + v.x + v.y, before + v.x + v.y + v.z);
        __syncthreads();
    }
}

__global__ void scatter(int tiles, int shift, const unsigned *__restrict__ key, const int *__restrict__ value, unsigned *__restrict__ key_out,
                        int *__restrict__ value_out, const int *__restrict__ count)
{
    __shared__ int begin[DIGITS], many[WARPS][DIGITS];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x < DIGITS)
        begin[threadIdx.x] = count[threadIdx.x * tiles + blockIdx.x];
    for (int round = 0; round < TILE / THREADS; round++) {
        int k = blockIdx.x * TILE + round * THREADS + threadIdx.x;
        unsigned x = key[k];
        int v = value[k], digit = x >> shift & (DIGITS - 1);
        // the lanes with the same digit
        unsigned same = 0xffffffff;
        for (int b = 0; b < BITS; b++) {
            unsigned set = __ballot_sync(0xffffffff, digit >> b & 1);
            same &= digit >> b & 1 ? set : ~set;
        }
        if (threadIdx.x < WARPS * DIGITS)
            many[threadIdx.x / DIGITS][threadIdx.x % DIGITS] = 0;
        __syncthreads();
        int before = __popc(same & ((1u << lane) - 1));
        if (before == 0)
            many[warp][digit] = __popc(same);
        __syncthreads();
        if (threadIdx.x < DIGITS) {
            int sum = begin[threadIdx.x];
            for (int w = 0; w < WARPS; w++) {
                int here = many[w][threadIdx.x];
                many[w][threadIdx.x] = sum;
                sum += here;
            }
            begin[threadIdx.x] = sum;
        }
        __syncthreads();
        int to = many[warp][digit] + before;
        key_out[to] = x;
        value_out[to] = v;
        __syncthreads();
    }
}

__global__ void number_all(int n, int *value)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n)
        value[k] = k;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = RECORDS >> args.shift, tiles = n / TILE, counts = tiles * DIGITS, *value = NEW(int, n);
    unsigned *from = NEW(unsigned, n), *key = NEW(unsigned, n);
    double sum = 0;
    for (int k = 0; k < n; k++)
        from[k] = mix(k);
    unsigned *dfrom = on_device(from, n), *dkey[2] = {device<unsigned>(n), device<unsigned>(n)};
    int *dvalue[2] = {device<int>(n), device<int>(n)}, *dcount = device<int>(counts);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemcpyAsync(dkey[0], dfrom, n * sizeof(unsigned), cudaMemcpyDeviceToDevice));
        number_all<<<ceiling(n, 256), 256>>>(n, dvalue[0]);
        int now = 0;
        for (int shift = 0; shift < 32; shift += BITS, now = 1 - now) {
            count_digits<<<tiles, THREADS>>>(tiles, shift, dkey[now], dcount);
            running_sums<<<1, 1024>>>(counts, dcount);
            scatter<<<tiles, THREADS>>>(tiles, shift, dkey[now], dvalue[now], dkey[1 - now], dvalue[1 - now], dcount);
        }
    });
    to_host(key, dkey[0], n);
    to_host(value, dvalue[0], n);
    for (int k = 0; k < n; k++)
        sum += ((double)key[k] + value[k]) * (1 + k % 1000) * 1e-6;
    report("radix", best, sum);
    return 0;
}
