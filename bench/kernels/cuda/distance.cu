// The squared distance to the nearest marked one of 192^3 voxels from each, ints, by Meijster's method: a thread a line, whose parabolas are on
// a stack of its own; lines along x go through shared memory, 32 at a time.
#include "kernels.cuh"

constexpr int SIZE = 192, LINES = 32;

__global__ void runs(int n, const unsigned char *__restrict__ mark, int *__restrict__ out)
{
    int plane = n * n, line = blockIdx.x * blockDim.x + threadIdx.x, run = 2 * n;
    if (line >= plane)
        return;
#pragma unroll 4
    for (int z = 0; z < n; z++) {
        run = mark[z * plane + line] ? 0 : run + 1;
        out[z * plane + line] = run;
    }
#pragma unroll 4
    for (int z = n - 1; z >= 0; z--) {
        run = min(out[z * plane + line], run + 1);
        out[z * plane + line] = run < 2 * n ? run * run : 3 * plane;
    }
}

// The top of the stack is in registers: place and start in one word of the stack, height in the other.
__device__ void envelope(int n, const int *from, int *to, int stride)
{
    int2 stack[SIZE];
    int top = 0, place = 0, start = 0, height = from[0];
    for (int u = 1; u < n; u++) {
        int f = from[u * stride];
        while (top >= 0 && (start - place) * (start - place) + height > (start - u) * (start - u) + f)
            if (--top >= 0) {
                int2 below = stack[top];
                place = below.x >> 16;
                start = below.x & 0xffff;
                height = below.y;
            }
        int next = 0;
        if (top >= 0) {
            next = 1 + (u * u - place * place + f - height) / (2 * (u - place));
            if (next >= n)
                continue;
            stack[top] = make_int2(place << 16 | start, height);
        }
        top++;
        place = u;
        start = next;
        height = f;
    }
    for (int u = n - 1; u >= 0; u--) {
        to[u * stride] = (u - place) * (u - place) + height;
        if (u == start && --top >= 0) {
            int2 below = stack[top];
            place = below.x >> 16;
            start = below.x & 0xffff;
            height = below.y;
        }
    }
}

__global__ void along_y(int n, const int *__restrict__ in, int *__restrict__ out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, line = blockIdx.y * n * n + x;
    if (x < n)
        envelope(n, in + line, out + line, n);
}

__global__ void __launch_bounds__(LINES) along_x(int n, const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int tile[LINES][SIZE + 1];
    int first = blockIdx.x * LINES, lines = min(LINES, n * n - first);
    for (int l = 0; l < lines; l++)
        for (int x = threadIdx.x; x < n; x += LINES)
            tile[l][x] = in[(first + l) * n + x];
    __syncthreads();
    if (threadIdx.x < lines)
        envelope(n, tile[threadIdx.x], tile[threadIdx.x], 1);
    __syncthreads();
    for (int l = 0; l < lines; l++)
        for (int x = threadIdx.x; x < n; x += LINES)
            out[(first + l) * n + x] = tile[l][x];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIZE >> args.shift / 3, all = n * n * n;
    unsigned char *mark = NEW(unsigned char, all);
    int *host = NEW(int, all);
    double sum = 0;
    for (int p = 0; p < all; p++)
        mark[p] = mix(p) % 4096 == 0 && (p % n + p / n % n + p / n / n) > n / 2;
    unsigned char *dmark = on_device(mark, all);
    int *a = device<int>(all), *b = device<int>(all);
    double best = fastest(args.repeats, [&] {
        runs<<<ceiling(n * n, 64), 64>>>(n, dmark, a);
        along_y<<<dim3(ceiling(n, 64), n), 64>>>(n, a, b);
        along_x<<<ceiling(n * n, LINES), LINES>>>(n, b, a);
    });
    to_host(host, a, all);
    for (int p = 0; p < all; p++)
        sum += sqrt((double)host[p]);
    report("distance", best, sum);
    return 0;
}
