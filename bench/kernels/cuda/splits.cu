// The next splits of a boosted tree: a block has a feature and some of the samples, with the histograms of all leaves in shared memory;
// a block a leaf and a feature for the best bin, by running sums within warps.
#include "kernels.cuh"

constexpr int SAMPLES = 1 << 18, FEATURES = 64, BINS = 256, LEAVES = 8, LEAST = 32, THREADS = 256, CHUNK = 8192;
constexpr double LAMBDA = 16;

__global__ void __launch_bounds__(THREADS)
count(int n, const unsigned char *__restrict__ bin, const unsigned char *__restrict__ leaf,
      const short2 *__restrict__ slope, int *__restrict__ g, int *__restrict__ h)
{
    __shared__ int sg[LEAVES * BINS], sh[LEAVES * BINS];
    int f = blockIdx.y, from = blockIdx.x * CHUNK, to = min(n, from + CHUNK);
    for (int k = threadIdx.x; k < LEAVES * BINS; k += THREADS)
        sg[k] = sh[k] = 0;
    __syncthreads();
    for (int s = from + threadIdx.x; s < to; s += THREADS) {
        int k = leaf[s] * BINS + bin[f * n + s];
        short2 v = slope[s];
        atomicAdd(&sg[k], (int)v.x);
        atomicAdd(&sh[k], (int)v.y);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < LEAVES * BINS; k += THREADS)
        if (sh[k]) {
            int to = (k / BINS * FEATURES + f) * BINS + k % BINS;
            atomicAdd(&g[to], sg[k]);
            atomicAdd(&h[to], sh[k]);
        }
}

// Of equal gains the one at the least place.
__device__ void better(double &gain, int &at, double other, int there)
{
    if (other > gain || (other == gain && there < at)) {
        gain = other;
        at = there;
    }
}

__global__ void __launch_bounds__(BINS)
scan(const int *__restrict__ g, const int *__restrict__ h, double *__restrict__ gain, int *__restrict__ place)
{
    __shared__ int wg[BINS / 32], wh[BINS / 32], wat[BINS / 32];
    __shared__ double wgain[BINS / 32];
    int k = blockIdx.x, b = threadIdx.x, lane = b % 32, warp = b / 32, gl = g[k * BINS + b], hl = h[k * BINS + b];
    for (int d = 1; d < 32; d *= 2) {
        int og = __shfl_up_sync(0xffffffff, gl, d), oh = __shfl_up_sync(0xffffffff, hl, d);
        if (lane >= d) {
            gl += og;
            hl += oh;
        }
    }
    if (lane == 31) {
        wg[warp] = gl;
        wh[warp] = hl;
    }
    __syncthreads();
    int gs = 0, hs = 0;
    for (int w = 0; w < BINS / 32; w++) {
        if (w == warp) {
            gl += gs;
            hl += hs;
        }
        gs += wg[w];
        hs += wh[w];
    }
    double gained = -1, gr = gs - gl, hr = hs - hl;
    if (hl >= LEAST && hs - hl >= LEAST)
        gained = (double)gl * gl / (hl + LAMBDA) + gr * gr / (hr + LAMBDA) - (double)gs * gs / (hs + LAMBDA);
    int at = b;
    for (int d = 16; d > 0; d /= 2)
        better(gained, at, __shfl_xor_sync(0xffffffff, gained, d), __shfl_xor_sync(0xffffffff, at, d));
    if (lane == 0) {
        wgain[warp] = gained;
        wat[warp] = at;
    }
    __syncthreads();
    if (b == 0) {
        for (int w = 1; w < BINS / 32; w++)
            better(gained, at, wgain[w], wat[w]);
        gain[k] = gained > 0 ? gained : 0;
        place[k] = gained > 0 ? at : -1;
    }
}

// A warp a leaf, two features a lane.
__global__ void choose(const double *__restrict__ gain, const int *__restrict__ place, double *__restrict__ best,
                       int *__restrict__ where)
{
    int l = blockIdx.x, f = threadIdx.x;
    double most = gain[l * FEATURES + f];
    better(most, f, gain[l * FEATURES + f + 32], f + 32);
    for (int d = 16; d > 0; d /= 2)
        better(most, f, __shfl_xor_sync(0xffffffff, most, d), __shfl_xor_sync(0xffffffff, f, d));
    if (threadIdx.x == 0) {
        best[l] = most;
        where[l] = most > 0 ? f * BINS + place[l * FEATURES + f] : -1;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SAMPLES >> args.shift, all = LEAVES * FEATURES * BINS, where[LEAVES];
    unsigned char *bin = NEW(unsigned char, n * FEATURES), *leaf = NEW(unsigned char, n);
    double gain[LEAVES * FEATURES], best[LEAVES], sum = 0;
    short2 *slope = NEW(short2, n);
    for (int k = 0; k < n * FEATURES; k++) {
        unsigned any = mix(k);
        bin[k] = k / n % 3 ? any % 256 : (any % 256) * (any / 256 % 256) / 256;
    }
    for (int s = 0; s < n; s++) {
        leaf[s] = mix(s + 1) % 8 * (mix(s + 2) % 8 + 1) / 8;
        int f = leaf[s] * 7 + 3;
        slope[s].x = mix(s + 3) % 256 - 128 + (bin[f * n + s] > 100 + leaf[s] * 10 ? 40 : -20);
        slope[s].y = 1 + mix(s + 4) % 32;
    }
    unsigned char *dbin = on_device(bin, (size_t)n * FEATURES), *dleaf = on_device(leaf, n);
    short2 *dslope = on_device(slope, n);
    int *dg = device<int>(all), *dh = device<int>(all), *dplace = device<int>(LEAVES * FEATURES), *dwhere = device<int>(LEAVES);
    double *dgain = device<double>(LEAVES * FEATURES), *dbest = device<double>(LEAVES);
    double seconds = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dg, 0, all * sizeof(int)));
        CHECK(cudaMemsetAsync(dh, 0, all * sizeof(int)));
        count<<<dim3(ceiling(n, CHUNK), FEATURES), THREADS>>>(n, dbin, dleaf, dslope, dg, dh);
        scan<<<LEAVES * FEATURES, BINS>>>(dg, dh, dgain, dplace);
        choose<<<LEAVES, 32>>>(dgain, dplace, dbest, dwhere);
    });
    to_host(gain, dgain, LEAVES * FEATURES);
    to_host(best, dbest, LEAVES);
    to_host(where, dwhere, LEAVES);
    for (int k = 0; k < LEAVES * FEATURES; k++)
        sum += gain[k] * (1 + k % 5);
    for (int l = 0; l < LEAVES; l++)
        sum += best[l] + 10.0 * where[l] * (l + 1);
    report("splits", seconds, sum);
    return 0;
}
