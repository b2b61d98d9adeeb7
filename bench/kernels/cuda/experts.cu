// A mixture of 64 experts for 32768 tokens of 1024 floats: a warp finds a token's best two experts by shuffles,
// blocks count and number their tokens in shared memory, a block brings a row to both of its places in fours of
// floats.
#include "kernels.cuh"

constexpr int TOKENS = 32768, WIDTH = 1024, EXPERTS = 64, THREADS = 256;

struct pick {
    float score;
    int expert;
};

__device__ bool better(pick a, pick b) { return a.score > b.score || (a.score == b.score && a.expert < b.expert); }

__global__ void __launch_bounds__(THREADS)
choose(int n, const float2 *__restrict__ scores, int2 *__restrict__ expert, float2 *__restrict__ weight,
       int *__restrict__ count)
{
    __shared__ int counts[EXPERTS];
    int lane = threadIdx.x % 32, t = (blockIdx.x * THREADS + threadIdx.x) / 32;
    if (threadIdx.x < EXPERTS)
        counts[threadIdx.x] = 0;
    __syncthreads();
    if (t < n) {
        float2 own = scores[t * (EXPERTS / 2) + lane];
        pick one = {own.x, 2 * lane}, two = {own.y, 2 * lane + 1};
        if (better(two, one)) {
            pick keep = one;
            one = two;
            two = keep;
        }
        for (int d = 16; d > 0; d /= 2) {
            pick other = {__shfl_xor_sync(0xffffffff, one.score, d), __shfl_xor_sync(0xffffffff, one.expert, d)};
            pick next = {__shfl_xor_sync(0xffffffff, two.score, d), __shfl_xor_sync(0xffffffff, two.expert, d)};
            if (better(other, one)) {
                two = better(one, next) ? one : next;
                one = other;
            } else if (better(other, two))
                two = other;
        }
        if (lane == 0) {
            float w = 1 / (1 + expf(two.score - one.score));
            expert[t] = make_int2(one.expert, two.expert);
            weight[t] = make_float2(w, 1 - w);
            atomicAdd(&counts[one.expert], 1);
            atomicAdd(&counts[two.expert], 1);
        }
    }
    __syncthreads();
    if (threadIdx.x < EXPERTS && counts[threadIdx.x])
        atomicAdd(&count[threadIdx.x], counts[threadIdx.x]);
}

__global__ void __launch_bounds__(THREADS)
number_tokens(int n, const int *__restrict__ expert, const int *__restrict__ count, int *__restrict__ taken,
              int *__restrict__ place)
{
    __shared__ int counts[EXPERTS], first[EXPERTS];
    int k = blockIdx.x * THREADS + threadIdx.x, e = 0, mine = 0, lane = threadIdx.x;
    if (threadIdx.x < EXPERTS)
        counts[threadIdx.x] = 0;
    __syncthreads();
    if (k < 2 * n) {
        e = expert[k];
        mine = atomicAdd(&counts[e], 1);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        int low = count[2 * lane], high = count[2 * lane + 1], sum = low + high;
        for (int d = 1; d < 32; d *= 2) {
            int before = __shfl_up_sync(0xffffffff, sum, d);
            if (lane >= d)
                sum += before;
        }
        first[2 * lane] = sum - high - low + atomicAdd(&taken[2 * lane], counts[2 * lane]);
        first[2 * lane + 1] = sum - high + atomicAdd(&taken[2 * lane + 1], counts[2 * lane + 1]);
    }
    __syncthreads();
    if (k < 2 * n)
        place[k] = first[e] + mine;
}

__device__ float silu(float v) { return v / (1 + expf(-v)); }

__global__ void __launch_bounds__(THREADS)
dispatch(const float4 *__restrict__ x, const float *__restrict__ gain, const float *__restrict__ offset,
         const int2 *__restrict__ expert, const int2 *__restrict__ place, float4 *__restrict__ sorted)
{
    int t = blockIdx.x;
    int2 e = expert[t], to = place[t];
    float4 v = x[t * THREADS + threadIdx.x];
    float g = gain[e.x], o = offset[e.x], h = gain[e.y], p = offset[e.y];
    sorted[to.x * THREADS + threadIdx.x] =
        make_float4(silu(g * v.x + o), silu(g * v.y + o), silu(g * v.z + o), silu(g * v.w + o));
    sorted[to.y * THREADS + threadIdx.x] =
        make_float4(silu(h * v.x + p), silu(h * v.y + p), silu(h * v.z + p), silu(h * v.w + p));
}

__global__ void __launch_bounds__(THREADS)
combine(const float4 *__restrict__ sorted, const int2 *__restrict__ place, const float2 *__restrict__ weight,
        float4 *__restrict__ y)
{
    int t = blockIdx.x;
    int2 from = place[t];
    float2 w = weight[t];
    float4 a = sorted[from.x * THREADS + threadIdx.x], b = sorted[from.y * THREADS + threadIdx.x];
    y[t * THREADS + threadIdx.x] =
        make_float4(w.x * a.x + w.y * b.x, w.x * a.y + w.y * b.y, w.x * a.z + w.y * b.z, w.x * a.w + w.y * b.w);
}

static_assert(WIDTH == 4 * THREADS, "a thread has four floats of a row");

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = TOKENS >> args.shift, *expert = NEW(int, 2 * n);
    float *scores = NEW(float, n * EXPERTS), *x = NEW(float, n * WIDTH), *y = NEW(float, n * WIDTH);
    float gain[EXPERTS], offset[EXPERTS];
    double sum = 0;
    for (int k = 0; k < n * EXPERTS; k++)
        scores[k] = 4 * number(k) + number(k % EXPERTS);
    for (int k = 0; k < n * WIDTH; k++)
        x[k] = number(k) - 0.5;
    for (int e = 0; e < EXPERTS; e++) {
        gain[e] = 1 + number(e);
        offset[e] = number(e + EXPERTS) - 0.5;
    }
    float *dscores = on_device(scores, n * EXPERTS), *dx = on_device(x, n * WIDTH);
    float *dgain = on_device(gain, EXPERTS), *doffset = on_device(offset, EXPERTS);
    float4 *dy = device<float4>(n * THREADS), *dsorted = device<float4>(2 * n * THREADS);
    float2 *dweight = device<float2>(n);
    int2 *dexpert = device<int2>(n), *dplace = device<int2>(n);
    int *dcount = device<int>(2 * EXPERTS);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dcount, 0, 2 * EXPERTS * sizeof(int)));
        choose<<<ceiling(32L * n, THREADS), THREADS>>>(n, (float2 *)dscores, dexpert, dweight, dcount);
        number_tokens<<<ceiling(2L * n, THREADS), THREADS>>>(n, (int *)dexpert, dcount, dcount + EXPERTS,
                                                             (int *)dplace);
        dispatch<<<n, THREADS>>>((float4 *)dx, dgain, doffset, dexpert, dplace, dsorted);
        combine<<<n, THREADS>>>(dsorted, dplace, dweight, dy);
    });
    to_host(y, (float *)dy, n * WIDTH);
    to_host(expert, (int *)dexpert, 2 * n);
    for (int k = 0; k < n * WIDTH; k++)
        sum += fabsf(y[k]) * (1 + k % 3);
    for (int k = 0; k < 2 * n; k++)
        sum += expert[k];
    report("experts", best, sum);
    return 0;
}
