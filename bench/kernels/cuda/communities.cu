// Communities of a graph of 2^17 vertices with 8 to 48 neighbours by label propagation: a warp a vertex, which brings the labels of its
// neighbours to shared memory and has each counted by a lane.
#include "kernels.cuh"

constexpr int VERTICES = 1 << 17, ROUNDS = 8, MOST = 48, WARPS = 8;

typedef unsigned long long wide;

__global__ void begin(int n, int *__restrict__ label)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n)
        label[v] = v;
}

__global__ void __launch_bounds__(32 * WARPS)
propagate(int n, int odd, const int *__restrict__ start, const int *__restrict__ edge, int *label, int *__restrict__ moved)
{
    __shared__ int labels[WARPS][MOST], changes;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, v = 2 * (blockIdx.x * WARPS + warp) + odd;
    if (threadIdx.x == 0)
        changes = 0;
    __syncthreads();
    if (v < n) {
        int first = start[v], many = start[v + 1] - first, own[2] = {-1, -1};
        for (int half = 0; half < 2; half++) {
            int k = 32 * half + lane;
            if (k < many) {
                int w = edge[first + k];
                own[half] = w % 2 != odd ? label[w] : -1;
                labels[warp][k] = own[half];
            }
        }
        __syncwarp();
        int count[2] = {0, 0};
        for (int k = 0; k < many; k++) {
            int other = labels[warp][k];
            count[0] += other == own[0];
            count[1] += other == own[1];
        }
        wide best = 0;
        for (int half = 0; half < 2; half++)
            if (own[half] >= 0)
                best = max(best, (wide)count[half] << 32 | (0xffffffffu - own[half]));
        for (int d = 16; d > 0; d /= 2)
            best = max(best, __shfl_xor_sync(0xffffffff, best, d));
        if (lane == 0 && best) {
            int to = 0xffffffffu - (unsigned)best;
            if (to != label[v]) {
                label[v] = to;
                atomicAdd(&changes, 1);
            }
        }
    }
    __syncthreads();
    if (threadIdx.x == 0 && changes)
        atomicAdd(moved, changes);
}

__global__ void __launch_bounds__(32 * WARPS)
within(int n, const int *__restrict__ start, const int *__restrict__ edge, const int *__restrict__ label,
       wide *__restrict__ inside)
{
    __shared__ int sums[WARPS];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, sum = 0;
    for (int v = blockIdx.x * WARPS + warp; v < n; v += gridDim.x * WARPS) {
        int mine = label[v], end = start[v + 1];
        for (int k = start[v] + lane; k < end; k += 32)
            sum += label[edge[k]] == mine;
    }
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (lane == 0)
        sums[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < WARPS; k++)
            sum += sums[k];
        atomicAdd(inside, (wide)sum);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = VERTICES >> args.shift, *start = NEW(int, n + 1), moved[ROUNDS];
    wide inside = 0;
    double sum = 0;
    start[0] = 0;
    for (int v = 0; v < n; v++)
        start[v + 1] = start[v] + 8 + mix(v) % (MOST - 7);
    int edges = start[n], *edge = NEW(int, edges), *label = NEW(int, n);
    for (int v = 0; v < n; v++)
        for (int k = start[v]; k < start[v + 1]; k++) {
            int near = mix(k) % 8 != 0;
            edge[k] = near ? v / 64 * 64 + (int)(mix(k + 9) % 64) : (int)(mix(k + 9) % n);
        }
    int *dstart = on_device(start, n + 1), *dedge = on_device(edge, edges), *dlabel = device<int>(n);
    int *dmoved = device<int>(ROUNDS);
    wide *dinside = device<wide>(1);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dmoved, 0, sizeof moved));
        CHECK(cudaMemsetAsync(dinside, 0, sizeof inside));
        begin<<<ceiling(n, 256), 256>>>(n, dlabel);
        for (int r = 0; r < ROUNDS; r++)
            propagate<<<ceiling(n / 2, WARPS), 32 * WARPS>>>(n, r % 2, dstart, dedge, dlabel, dmoved + r);
        within<<<8 * multiprocessors(), 32 * WARPS>>>(n, dstart, dedge, dlabel, dinside);
        CHECK(cudaMemcpy(moved, dmoved, sizeof moved, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(&inside, dinside, sizeof inside, cudaMemcpyDeviceToHost));
    });
    to_host(label, dlabel, n);
    for (int v = 0; v < n; v++)
        sum += label[v] * 1e-3 * (1 + v % 3);
    for (int r = 0; r < ROUNDS; r++)
        sum += moved[r] * (r + 1.0);
    report("communities", best, sum + inside);
    return 0;
}
