// Connected components of a picture of 2048 x 2048 points by rounds of hanging and looking up roots: a thread a point and blocks of 32 x 8, one word
// in pinned memory says whether there was a change.
#include "kernels.cuh"

constexpr int SIZE = 2048, THREADS = 256;

__global__ void begin(int n, const unsigned char *__restrict__ set, int *__restrict__ label, int *__restrict__ parent, int *__restrict__ size)
{
    int p = blockIdx.x * THREADS + threadIdx.x;
    if (p >= n)
        return;
    label[p] = set[p] ? p : -1;
    parent[p] = p;
    size[p] = 0;
}

__global__ void __launch_bounds__(THREADS) hang(int w, const int *__restrict__ label, int *parent, int *again)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, change = 0;
    if (x < w && y < w) {
        int p = y * w + x, a = label[p];
        if (a >= 0) {
            int right = x + 1 < w ? label[p + 1] : -1, below = y + 1 < w ? label[p + w] : -1;
            if (right >= 0 && right != a) {
                parent[max(a, right)] = min(a, right);
                change = 1;
            }
            if (below >= 0 && below != a) {
                parent[max(a, below)] = min(a, below);
                change = 1;
            }
        }
    }
    if (__syncthreads_or(change) && threadIdx.x == 0 && threadIdx.y == 0)
        *again = 1;
}

__global__ void __launch_bounds__(THREADS) look_up(int n, int *__restrict__ label, const int *__restrict__ parent)
{
    int p = blockIdx.x * THREADS + threadIdx.x;
    if (p >= n)
        return;
    int first = label[p];
    if (first < 0)
        return;
    int root = first, next;
    while ((next = parent[root]) != root)
        root = next;
    if (root != first)
        label[p] = root;
}

__global__ void __launch_bounds__(THREADS) measure(int n, const int *__restrict__ label, int *size)
{
    int p = blockIdx.x * THREADS + threadIdx.x;
    if (p < n && label[p] >= 0)
        atomicAdd(&size[label[p]], 1);
}

struct found { unsigned long long count, largest, squares; };

__global__ void __launch_bounds__(THREADS) summarise(int n, const int *__restrict__ size, found *all)
{
    __shared__ found part[THREADS / 32];
    found f = {0, 0, 0};
    for (int p = blockIdx.x * THREADS + threadIdx.x; p < n; p += gridDim.x * THREADS) {
        unsigned long long s = size[p];
        f.count += s > 0;
        f.squares += s * s;
        f.largest = max(f.largest, s);
    }
    for (int d = 16; d > 0; d /= 2) {
        f.count += __shfl_down_sync(0xffffffffu, f.count, d);
        f.squares += __shfl_down_sync(0xffffffffu, f.squares, d);
        f.largest = max(f.largest, __shfl_down_sync(0xffffffffu, f.largest, d));
    }
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = f;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < THREADS / 32; w++) {
            f.count += part[w].count;
            f.squares += part[w].squares;
            f.largest = max(f.largest, part[w].largest);
        }
        atomicAdd(&all->count, f.count);
        atomicAdd(&all->squares, f.squares);
        atomicMax(&all->largest, f.largest);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int w = SIZE >> (args.shift + 1) / 2, n = w * w;
    unsigned char *set = NEW(unsigned char, n);
    int *label = NEW(int, n);
    double sum = 0;
    for (int p = 0; p < n; p++)
        set[p] = mix(p + 17) % 1000 < 520;
    unsigned char *dset = on_device(set, n);
    int *dlabel = device<int>(n), *parent = device<int>(n), *size = device<int>(n), *dagain = device<int>(1), *again = pinned<int>();
    found *dfound = device<found>(1), *f = pinned<found>();
    int blocks = ceiling(n, THREADS);
    dim3 grid(ceiling(w, 32), ceiling(w, 8)), block(32, 8);
    double best = fastest(args.repeats, [&] {
        begin<<<blocks, THREADS>>>(n, dset, dlabel, parent, size);
        for (;;) {
            CHECK(cudaMemsetAsync(dagain, 0, sizeof(int)));
            hang<<<grid, block>>>(w, dlabel, parent, dagain);
            CHECK(cudaMemcpyAsync(again, dagain, sizeof(int), cudaMemcpyDeviceToHost));
            CHECK(cudaDeviceSynchronize());
            if (!*again)
                break;
            look_up<<<blocks, THREADS>>>(n, dlabel, parent);
        }
        CHECK(cudaMemsetAsync(dfound, 0, sizeof(found)));
        measure<<<blocks, THREADS>>>(n, dlabel, size);
        summarise<<<blocks < 1024 ? blocks : 1024, THREADS>>>(n, size, dfound);
        CHECK(cudaMemcpyAsync(f, dfound, sizeof(found), cudaMemcpyDeviceToHost));
    });
    to_host(label, dlabel, n);
    for (int p = 0; p < n; p++)
        sum += 1e-3 * (label[p] + 1);
    report("components", best, sum + 1000.0 * f->count + f->largest + (double)f->squares);
    return 0;
}
