// 2^17 samples of 32 numbers go down 96 boosted trees of up to 255 nodes, float: a thread a sample, whose numbers lie in shared memory as do the
// nodes of eight trees at a time, eight bytes each.
#include "kernels.cuh"

constexpr int SAMPLES = 1 << 17, FEATURES = 32, TREES = 96, NODES = 255, DEPTH = 9, THREADS = 128, ROUND = 8;

struct __align__(8) node {
    float value;
    short feature, left;
};

__global__ void __launch_bounds__(THREADS) predict(int n, const float *__restrict__ x, const node *__restrict__ nodes, float *__restrict__ score,
                                                   int *__restrict__ positive)
{
    __shared__ float mine[THREADS][FEATURES + 1];
    __shared__ node tree[ROUND * NODES];
    int first = blockIdx.x * THREADS, i = first + threadIdx.x;
    for (int k = threadIdx.x; k < THREADS * FEATURES; k += THREADS)
        if (first + k / FEATURES < n)
            mine[k / FEATURES][k % FEATURES] = x[first * FEATURES + k];
    float sum = 0;
    for (int t = 0; t < TREES; t += ROUND) {
        __syncthreads();
        for (int k = threadIdx.x; k < ROUND * NODES; k += THREADS)
            tree[k] = nodes[t * NODES + k];
        __syncthreads();
        if (i < n)
            for (int r = 0; r < ROUND; r++) {
                const node *root = tree + r * NODES;
                node p = root[0];
                while (p.feature >= 0)
                    p = root[p.left + (mine[threadIdx.x][p.feature] >= p.value)];
                sum += p.value;
            }
    }
    if (i < n)
        score[i] = sum;
    int votes = __syncthreads_count(i < n && sum > 0);
    if (threadIdx.x == 0)
        atomicAdd(positive, votes);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SAMPLES >> args.shift, positive = 0;
    float *x = NEW(float, n * FEATURES), *score = NEW(float, n);
    node *nodes = NEW(node, TREES * NODES);
    double sum = 0;
    FILL(x, n * FEATURES, 1);
    for (int t = 0; t < TREES; t++) {
        int used = 1, depth[NODES] = {0};
        for (int k = 0; k < NODES; k++) {
            unsigned dice = mix(t * NODES + k + 77);
            int at = t * NODES + k, split = k < used && used + 2 <= NODES && depth[k] < DEPTH && (depth[k] < 3 || dice % 8 > 0);
            nodes[at].feature = split ? (short)(dice / 8 % FEATURES) : -1;
            nodes[at].left = split ? used : 0;
            // Values of leaves are whole multiples of 1/1024, so that sums are exact.
            nodes[at].value = split ? (float)(0.25 + 0.5 * number(at)) : ((int)(dice / 64 % 2048) - 1024) / 1024.0f;
            if (split) {
                depth[used] = depth[used + 1] = depth[k] + 1;
                used += 2;
            }
        }
    }
    float *dx = on_device(x, n * FEATURES), *dscore = device<float>(n);
    node *dnodes = on_device(nodes, TREES * NODES);
    int *dpositive = device<int>(1);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dpositive, 0, sizeof(int)));
        predict<<<ceiling(n, THREADS), THREADS>>>(n, dx, dnodes, dscore, dpositive);
        CHECK(cudaMemcpy(&positive, dpositive, sizeof(int), cudaMemcpyDeviceToHost));
    });
    to_host(score, dscore, n);
    for (int i = 0; i < n; i++)
        sum += fabs(score[i]);
    report("forest", best, sum + positive);
    return 0;
}
