// The likelihood of a tree of 32 sequences by Felsenstein's pruning, float: a thread a pattern, both children's matrices in shared memory, a
// kernel for each kind of children, sums at the root by warps.
#include "kernels.cuh"
#include <algorithm>

constexpr int PATTERNS = 1 << 16, TIPS = 32, NODES = 2 * TIPS - 1, INNER = TIPS - 1, CLASSES = 4, BASES = 4, UNKNOWN = 4, THREADS = 128;

struct join { int left, right; };

__device__ float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

// The matrix of a tip is in columns, with a fifth one of ones for unknown bases.
template <bool TIP>
__device__ float4 given(const float4 *matrix, int base, const float4 *__restrict__ partials, size_t place)
{
    if (TIP)
        return matrix[base];
    float4 v = partials[place];
    return make_float4(dot(matrix[0], v), dot(matrix[1], v), dot(matrix[2], v), dot(matrix[3], v));
}

template <bool TIP> __device__ void load(float4 *shared, const float *__restrict__ matrices)
{
    float *to = reinterpret_cast<float *>(shared);
    for (int k = threadIdx.x; k < CLASSES * 20; k += THREADS) {
        int c = k / 20, row = k % 20 / 4, x = k % 4;
        to[k] = row == UNKNOWN ? 1 : TIP ? matrices[c * 16 + 4 * x + row] : matrices[c * 16 + 4 * row + x];
    }
}

template <bool LEFT, bool RIGHT>
__global__ void prune(int n, int node, int left, int right, const unsigned char *__restrict__ tips, const float *__restrict__ matrices,
                      float4 *partials, float *__restrict__ scale)
{
    __shared__ float4 ml[CLASSES][5], mr[CLASSES][5];
    load<LEFT>(ml[0], matrices + left * 64);
    load<RIGHT>(mr[0], matrices + right * 64);
    __syncthreads();
    int p = blockIdx.x * THREADS + threadIdx.x;
    if (p >= n)
        return;
    int bl = LEFT ? tips[left * n + p] : 0, br = RIGHT ? tips[right * n + p] : 0;
    float4 all[CLASSES];
    float largest = 0;
#pragma unroll
    for (int c = 0; c < CLASSES; c++) {
        float4 l = given<LEFT>(ml[c], bl, partials, (size_t)((left - TIPS) * CLASSES + c) * n + p);
        float4 r = given<RIGHT>(mr[c], br, partials, (size_t)((right - TIPS) * CLASSES + c) * n + p);
        all[c] = make_float4(l.x * r.x, l.y * r.y, l.z * r.z, l.w * r.w);
        largest = fmaxf(largest, fmaxf(fmaxf(all[c].x, all[c].y), fmaxf(all[c].z, all[c].w)));
    }
    float inverse = 1 / largest;
#pragma unroll
    for (int c = 0; c < CLASSES; c++)
        partials[(size_t)(node * CLASSES + c) * n + p] =
            make_float4(all[c].x * inverse, all[c].y * inverse, all[c].z * inverse, all[c].w * inverse);
    scale[p] += logf(largest);
}

__global__ void sites(int n, const float4 *__restrict__ root, const float *__restrict__ scale, const float *__restrict__ weight, float4 frequency,
                      double *__restrict__ total)
{
    double mine = 0;
    for (int p = blockIdx.x * THREADS + threadIdx.x; p < n; p += gridDim.x * THREADS) {
        float site = 0;
#pragma unroll
        for (int c = 0; c < CLASSES; c++)
            site += dot(frequency, root[(size_t)c * n + p]);
        mine += weight[p] * (logf(site / CLASSES) + scale[p]);
    }
    for (int d = 16; d > 0; d /= 2)
        mine += __shfl_xor_sync(0xffffffff, mine, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(total, mine);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PATTERNS >> args.shift, open[TIPS], many = TIPS;
    unsigned char *tips = NEW(unsigned char, TIPS * n);
    float *matrices = NEW(float, NODES * 64), *weight = NEW(float, n);
    join tree[INNER];
    for (int k = 0; k < TIPS; k++)
        open[k] = k;
    for (int node = 0; node < INNER; node++) {
        int a = mix(2 * node) % many, l = open[a];
        open[a] = open[--many];
        int b = mix(2 * node + 1) % many, r = open[b];
        open[b] = TIPS + node;
        tree[node] = join{l, r};
    }
    for (int k = 0; k < NODES; k++)
        for (int c = 0; c < CLASSES; c++) {
            double time = (0.02 + 0.2 * number(k)) * (0.2 + 0.5 * c), slow = exp(-2 * time), fast = exp(-3 * time);
            for (int s = 0; s < BASES; s++)
                for (int x = 0; x < BASES; x++)
                    matrices[(k * CLASSES + c) * 16 + 4 * s + x] =
                        s == x ? 0.25 + 0.25 * slow + 0.5 * fast : s % 2 == x % 2 ? 0.25 + 0.25 * slow - 0.5 * fast : 0.25 - 0.25 * slow;
        }
    for (int p = 0; p < n; p++) {
        weight[p] = 1 + mix(p) % 4;
        for (int k = 0; k < TIPS; k++) {
            unsigned h = mix(p * TIPS + k) >> 8;
            tips[k * n + p] = h % 64 == 0 ? UNKNOWN : h % 5 == 0 ? h / 64 % 4 : mix(p) / 16 % 4;
        }
    }
    unsigned char *dtips = on_device(tips, TIPS * n);
    float *dmatrices = on_device(matrices, NODES * 64), *dweight = on_device(weight, n), *scale = device<float>(n);
    float4 *partials = device<float4>((size_t)INNER * CLASSES * n);
    double *dtotal = device<double>(1), *total = pinned<double>();
    int blocks = ceiling(n, THREADS);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(scale, 0, n * sizeof(float)));
        CHECK(cudaMemsetAsync(dtotal, 0, sizeof(double)));
        for (int node = 0; node < INNER; node++) {
            int l = tree[node].left, r = tree[node].right;
            if (l < TIPS && r < TIPS)
                prune<true, true><<<blocks, THREADS>>>(n, node, l, r, dtips, dmatrices, partials, scale);
            else if (l < TIPS)
                prune<true, false><<<blocks, THREADS>>>(n, node, l, r, dtips, dmatrices, partials, scale);
            else if (r < TIPS)
                prune<false, true><<<blocks, THREADS>>>(n, node, l, r, dtips, dmatrices, partials, scale);
            else
                prune<false, false><<<blocks, THREADS>>>(n, node, l, r, dtips, dmatrices, partials, scale);
        }
        sites<<<std::min(blocks, 2 * multiprocessors()), THREADS>>>(n, partials + (size_t)(INNER - 1) * CLASSES * n, scale, dweight,
                                                               make_float4(0.25f, 0.25f, 0.25f, 0.25f), dtotal);
        CHECK(cudaMemcpyAsync(total, dtotal, sizeof(double), cudaMemcpyDeviceToHost));
    });
    report("phylogeny", best, *total);
    return 0;
}
