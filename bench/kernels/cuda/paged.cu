// Attention of the newest token of 64 sequences to the 256 to 1279 before it, float: a block takes the four heads that
// share keys and values, so that these are read once: 16 lanes a token with four numbers each, scores in shared memory.
#include "kernels.cuh"

constexpr int SEQUENCES = 64, SHARED = 8, GROUP = 4, HEADS = SHARED * GROUP, DIM = 64, PAGE = 16, LONGEST = 1280;
constexpr int ENTRIES = LONGEST / PAGE, THREADS = 256, PARTS = THREADS / 16;

__device__ float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

__global__ void __launch_bounds__(THREADS)
attend(const float4 *__restrict__ query, const float4 *__restrict__ keys, const float4 *__restrict__ values,
       const int *__restrict__ table, const int *__restrict__ length, float4 *__restrict__ out)
{
    __shared__ float score[GROUP][LONGEST], total[GROUP];
    __shared__ float4 parts[PARTS / 2][GROUP][16];
    __shared__ int pages[ENTRIES];
    int s = blockIdx.y, kv = blockIdx.x, tokens = length[s], part = threadIdx.x / 16, lane = threadIdx.x % 16;
    const float4 *q = query + (s * HEADS + kv * GROUP) * 16 + lane;
    float4 mine[GROUP];
    for (int p = threadIdx.x; p * PAGE < tokens; p += THREADS)
        pages[p] = table[s * ENTRIES + p];
#pragma unroll
    for (int g = 0; g < GROUP; g++)
        mine[g] = q[g * 16];
    __syncthreads();
    // both halves of a warp take the same number of steps
    for (int first = 0; first < tokens; first += PARTS) {
        int t = first + part;
        bool inside = t < tokens;
        float4 key = inside ? __ldg(&keys[((pages[t / PAGE] * SHARED + kv) * PAGE + t % PAGE) * 16 + lane])
                            : make_float4(0, 0, 0, 0);
#pragma unroll
        for (int g = 0; g < GROUP; g++) {
            float x = dot(mine[g], key);
#pragma unroll
            for (int d = 8; d > 0; d /= 2)
                x += __shfl_xor_sync(0xffffffff, x, d);
            if (inside && lane == g)
                score[g][t] = x * 0.125f;
        }
    }
    __syncthreads();
    int warp = threadIdx.x / 32, place = threadIdx.x % 32;
    if (warp < GROUP) {
        float most = -1e30f, sum = 0;
        for (int t = place; t < tokens; t += 32)
            most = fmaxf(most, score[warp][t]);
        for (int d = 16; d > 0; d /= 2)
            most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, d));
        for (int t = place; t < tokens; t += 32) {
            float e = expf(score[warp][t] - most);
            score[warp][t] = e;
            sum += e;
        }
        for (int d = 16; d > 0; d /= 2)
            sum += __shfl_xor_sync(0xffffffff, sum, d);
        if (place == 0)
            total[warp] = sum;
    }
    __syncthreads();
    float4 sum[GROUP] = {};
    for (int t = part; t < tokens; t += PARTS) {
        float4 value = __ldg(&values[((pages[t / PAGE] * SHARED + kv) * PAGE + t % PAGE) * 16 + lane]);
#pragma unroll
        for (int g = 0; g < GROUP; g++) {
            float w = score[g][t];
            sum[g].x += w * value.x;
            sum[g].y += w * value.y;
            sum[g].z += w * value.z;
            sum[g].w += w * value.w;
        }
    }
    for (int half = PARTS / 2; half > 0; half /= 2) {
        if (part >= half && part < 2 * half)
            for (int g = 0; g < GROUP; g++)
                parts[part - half][g][lane] = sum[g];
        __syncthreads();
        if (part < half)
            for (int g = 0; g < GROUP; g++) {
                float4 other = parts[part][g][lane];
                sum[g].x += other.x;
                sum[g].y += other.y;
                sum[g].z += other.z;
                sum[g].w += other.w;
            }
        __syncthreads();
    }
    if (part == 0)
        for (int g = 0; g < GROUP; g++) {
            float scale = 1 / total[g];
            out[(s * HEADS + kv * GROUP + g) * 16 + lane] =
                make_float4(sum[g].x * scale, sum[g].y * scale, sum[g].z * scale, sum[g].w * scale);
        }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SEQUENCES >> args.shift, pages = 0, *table = (int *)calloc(n * ENTRIES, sizeof(int)), *length = NEW(int, n);
    for (int s = 0; s < n; s++) {
        length[s] = 256 + mix(s) % 1024;
        for (int p = 0; p * PAGE < length[s]; p++)
            table[s * ENTRIES + p] = pages++;
    }
    for (int s = 0; s < n; s++)
        for (int p = 0; p * PAGE < length[s]; p++) {
            int other = mix(s * ENTRIES + p) % n,
                with = mix(7 * (s * ENTRIES + p)) % ((length[other] + PAGE - 1) / PAGE);
            int swap = table[s * ENTRIES + p];
            table[s * ENTRIES + p] = table[other * ENTRIES + with];
            table[other * ENTRIES + with] = swap;
        }
    int all = pages * SHARED * PAGE * DIM, rows = n * HEADS * DIM;
    float *query = NEW(float, rows), *keys = NEW(float, all), *values = NEW(float, all), *out = NEW(float, rows);
    double sum = 0;
    for (int k = 0; k < rows; k++)
        query[k] = number(k + 5) - 0.5;
    for (int k = 0; k < all; k++) {
        keys[k] = number(2 * k) - 0.5;
        values[k] = number(2 * k + 1) - 0.25;
    }
    auto four = [](float *p) { return reinterpret_cast<float4 *>(p); };
    float4 *dquery = four(on_device(query, rows)), *dkeys = four(on_device(keys, all));
    float4 *dvalues = four(on_device(values, all)), *dout = four(device<float>(rows));
    int *dtable = on_device(table, n * ENTRIES), *dlength = on_device(length, n);
    double best = fastest(args.repeats, [&] {
        attend<<<dim3(SHARED, n), THREADS>>>(dquery, dkeys, dvalues, dtable, dlength, dout);
    });
    to_host(out, reinterpret_cast<float *>(dout), rows);
    for (int k = 0; k < rows; k++)
        sum += fabsf(out[k]);
    report("paged", best, sum);
    return 0;
}
