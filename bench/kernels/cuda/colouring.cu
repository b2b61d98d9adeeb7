// Colours for a graph of 2^17 vertices with about 16 neighbours each: in each round the vertices whose random number is the largest or the
// least among those left around them get a colour; a thread a vertex, the number of vertices left comes back after each round.
#include "kernels.cuh"

constexpr int VERTICES = 1 << 17, EACH = 8;

__global__ void pick(int n, int round, const int *__restrict__ first, const int *__restrict__ to, const unsigned *__restrict__ weight,
                     const int *__restrict__ colour, int *__restrict__ next)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || colour[v] >= 0)
        return;
    bool largest = true, least = true;
    unsigned mine = weight[v];
    int end = first[v + 1];
    for (int e = first[v]; e < end && (largest || least); e++) {
        int u = to[e];
        if (colour[u] >= 0 || u == v)
            continue;
        unsigned w = weight[u];
        if (w > mine || (w == mine && u > v))
            largest = false;
        else
            least = false;
    }
    next[v] = largest ? 2 * round : least ? 2 * round + 1 : -1;
}

__global__ void take(int n, int *__restrict__ colour, const int *__restrict__ next, int *__restrict__ left)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    bool open = false;
    if (v < n && colour[v] < 0) {
        int c = next[v];
        colour[v] = c;
        open = c < 0;
    }
    int count = __syncthreads_count(open);
    if (threadIdx.x == 0 && count)
        atomicAdd(left, count);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = VERTICES >> args.shift, edges = 2 * EACH * n, rounds = 0;
    int *first = (int *)calloc(n + 2, sizeof(int)), *to = NEW(int, edges), *colour = NEW(int, n), *left = pinned<int>();
    unsigned *weight = NEW(unsigned, n);
    double sum = 0;
    for (int k = 0; k < EACH * n; k++) {
        first[k / EACH + 2]++;
        first[mix(k) % n + 2]++;
    }
    for (int v = 2; v < n + 2; v++)
        first[v] += first[v - 1];
    for (int k = 0; k < EACH * n; k++) {
        to[first[k / EACH + 1]++] = mix(k) % n;
        to[first[mix(k) % n + 1]++] = k / EACH;
    }
    for (int v = 0; v < n; v++)
        weight[v] = mix(v + 5) % 1000000;
    int *dfirst = on_device(first, n + 1), *dto = on_device(to, edges), *dcolour = device<int>(n), *dnext = device<int>(n), *dleft = device<int>(1);
    unsigned *dweight = on_device(weight, n);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dcolour, 0xff, n * sizeof(int)));
        rounds = 0;
        do {
            CHECK(cudaMemsetAsync(dleft, 0, sizeof(int)));
            pick<<<ceiling(n, 128), 128>>>(n, rounds, dfirst, dto, dweight, dcolour, dnext);
            take<<<ceiling(n, 256), 256>>>(n, dcolour, dnext, dleft);
            CHECK(cudaMemcpyAsync(left, dleft, sizeof(int), cudaMemcpyDeviceToHost));
            CHECK(cudaStreamSynchronize(0));
            rounds++;
        } while (*left > 0);
    });
    to_host(colour, dcolour, n);
    for (int v = 0; v < n; v++)
        sum += colour[v] * (1 + v % 7);
    report("colouring", best, sum + rounds);
    return 0;
}
