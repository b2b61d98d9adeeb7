// A hierarchy of boxes over 2^20 points in the order of Morton's code (Karras): a thread an inner node, then a thread a
// leaf.
#include "kernels.cuh"

constexpr int THREADS = 256;

__device__ int common(const unsigned *__restrict__ codes, int n, unsigned code, int i, int j)
{
    if (j < 0 || j >= n)
        return -1;
    unsigned other = codes[j];
    return code == other ? 32 + __clz(i ^ j) : __clz(code ^ other);
}

__global__ void inner(int n, const unsigned *__restrict__ codes, int2 *__restrict__ nodes, int *__restrict__ parent)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n - 1)
        return;
    unsigned code = codes[i];
    int after = common(codes, n, code, i, i + 1), before = common(codes, n, code, i, i - 1);
    int d = after > before ? 1 : -1, least = min(after, before), most = 2, length = 0;
    while (common(codes, n, code, i, i + most * d) > least)
        most *= 2;
    for (int step = most / 2; step >= 1; step /= 2)
        if (common(codes, n, code, i, i + (length + step) * d) > least)
            length += step;
    int j = i + length * d, shared = common(codes, n, code, i, j), split = 0, step = length;
    do {
        step = (step + 1) / 2;
        if (common(codes, n, code, i, i + (split + step) * d) > shared)
            split += step;
    } while (step > 1);
    int at = i + split * d + min(d, 0);
    int left = min(i, j) == at ? n - 1 + at : at, right = max(i, j) == at + 1 ? n + at : at + 1;
    nodes[i] = make_int2(left, right);
    parent[left] = i;
    parent[right] = i;
    if (i == 0)
        parent[0] = -1;
}

__global__ void depths(int n, const int *__restrict__ parent, int *__restrict__ depth)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int levels = 0;
    for (int node = parent[n - 1 + i]; node >= 0; node = parent[node])
        levels++;
    depth[i] = levels;
}

static int less(const void *a, const void *b)
{
    return (*(unsigned *)a > *(unsigned *)b) - (*(unsigned *)a < *(unsigned *)b);
}

static unsigned spread(unsigned x)
{
    x = (x * 0x00010001u) & 0xff0000ffu;
    x = (x * 0x00000101u) & 0x0f00f00fu;
    x = (x * 0x00000011u) & 0xc30c30c3u;
    return (x * 0x00000005u) & 0x49249249u;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 20) >> args.shift, *parent = NEW(int, 2 * n), *depth = NEW(int, n);
    int2 *nodes = NEW(int2, n);
    unsigned *codes = NEW(unsigned, n);
    double sum = 0;
    for (int k = 0; k < n; k++) {
        unsigned shift = k % 2 ? 4 : 0, x = mix(3 * k) % 1024 >> shift, y = mix(3 * k + 1) % 1024 >> shift,
                 z = mix(3 * k + 2) % 1024 >> shift;
        codes[k] = spread(x) * 4 + spread(y) * 2 + spread(z);
    }
    qsort(codes, n, sizeof(unsigned), less);
    unsigned *dcodes = on_device(codes, n);
    int2 *dnodes = device<int2>(n);
    int *dparent = device<int>(2 * n), *ddepth = device<int>(n);
    double best = fastest(args.repeats, [&] {
        inner<<<ceiling(n - 1, THREADS), THREADS>>>(n, dcodes, dnodes, dparent);
        depths<<<ceiling(n, THREADS), THREADS>>>(n, dparent, ddepth);
    });
    to_host(nodes, dnodes, n - 1);
    to_host(parent, dparent, 2 * n - 1);
    to_host(depth, ddepth, n);
    for (int k = 0; k < n - 1; k++)
        sum += nodes[k].x * (k % 3 + 1.0) + nodes[k].y;
    for (int k = 0; k < n; k++)
        sum += depth[k] * 1000.0 + parent[n - 1 + k];
    report("hierarchy", best, sum);
    return 0;
}
