// Eight exchanges of two edges in a salesman's tour of 4096 cities, each the best of all (2-opt): a block has 32 of the first edges and takes
// 256 of the others into shared memory; the best pair stays on the device, where it is turned round.
#include "kernels.cuh"

constexpr int CITIES = 4096, MOVES = 8, THREADS = 256;

__device__ int distance(int2 a, int2 b)
{
    double dx = a.x - b.x, dy = a.y - b.y;
    return (int)(sqrt(dx * dx + dy * dy) + 0.5);
}

// 32 edges i with 256 edges j, if any of these come after them; each warp takes 32 of the latter.
__global__ void __launch_bounds__(THREADS) best_pair(int n, const int2 *__restrict__ tour, long long *best)
{
    __shared__ int2 other[THREADS + 1];
    __shared__ int length[THREADS];
    __shared__ long long least[THREADS / 32];
    int i = blockIdx.x * 32 + threadIdx.x % 32, from = blockIdx.y * THREADS, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (from + THREADS <= (int)blockIdx.x * 32 + 2)
        return;
    for (int k = threadIdx.x; k <= THREADS; k += THREADS)
        other[k] = tour[min(from + k, n)];
    __syncthreads();
    length[threadIdx.x] = distance(other[threadIdx.x], other[threadIdx.x + 1]);
    __syncthreads();
    long long mine = 0;
    if (i < n - 2) {
        int2 a = tour[i], b = tour[i + 1];
        int here = distance(a, b);
#pragma unroll 4
        for (int k = warp * 32; k < warp * 32 + 32; k++) {
            int j = from + k;
            if (j >= i + 2 && j < n) {
                int change = distance(a, other[k]) + distance(b, other[k + 1]) - here - length[k];
                mine = min(mine, (long long)change * n * n + (i * n + j));
            }
        }
    }
    for (int d = 16; d > 0; d /= 2)
        mine = min(mine, __shfl_down_sync(0xffffffffu, mine, d));
    if (lane == 0)
        least[warp] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < THREADS / 32; w++)
            mine = min(mine, least[w]);
        if (mine < 0)
            atomicMin(best, mine);
    }
}

__global__ void turn(int n, int2 *tour, const long long *best)
{
    if (*best >= 0)
        return;
    long long square = (long long)n * n, change = -((square - 1 - *best) / square), pair = *best - change * square;
    int first = (int)(pair / n) + 1, last = (int)(pair % n);
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < (last - first + 1) / 2; k += gridDim.x * blockDim.x) {
        int2 t = tour[first + k];
        tour[first + k] = tour[last - k];
        tour[last - k] = t;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = CITIES >> (args.shift + 1) / 2, moves = 0;
    long long saved = 0, found[MOVES];
    int2 *tour = NEW(int2, n + 1);
    double sum = 0;
    for (int i = 0; i <= n; i++) {
        tour[i].x = mix(2 * (i % n)) % 10000;
        tour[i].y = mix(2 * (i % n) + 1) % 10000;
    }
    int2 *start = on_device(tour, n + 1), *out = device<int2>(n + 1);
    long long *best_pairs = device<long long>(MOVES);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemcpyAsync(out, start, (n + 1) * sizeof(int2), cudaMemcpyDeviceToDevice));
        CHECK(cudaMemsetAsync(best_pairs, 0, MOVES * sizeof(long long)));
        for (int move = 0; move < MOVES; move++) {
            best_pair<<<dim3(ceiling(n, 32), ceiling(n, THREADS)), THREADS>>>(n, out, best_pairs + move);
            turn<<<ceiling(n / 2, THREADS), THREADS>>>(n, out, best_pairs + move);
        }
    });
    to_host(tour, out, n + 1);
    to_host(found, best_pairs, MOVES);
    for (int move = 0; move < MOVES; move++)
        if (found[move] < 0) {
            moves++;
            saved += ((long long)n * n - 1 - found[move]) / ((long long)n * n);
        }
    for (int i = 0; i < n; i++)
        sum += (i % 13 + 1) * (double)tour[i].x + (i % 7 + 1) * (double)tour[i].y;
    report("tour", best, sum + 1000.0 * saved + moves);
    return 0;
}
