// What a launch costs: an empty kernel, one array, eight arrays, and 10000 launches on a stream with one wait.
#include "common.cuh"

#define BATCH 200
#define ASYNC 10000

__global__ void empty() {}

__global__ void one(double *a) { a[0] += 1; }

__global__ void eight(double *a, double *b, double *c, double *d, double *e, double *f, double *g, double *h)
{
    a[0] += 1;
    b[0] += a[0];
    c[0] += 1;
    d[0] += 1;
    e[0] += 1;
    f[0] += 1;
    g[0] += 1;
    h[0] += b[0];
}

static double value(const double *p)
{
    double v;
    CHECK(cudaMemcpy(&v, p, sizeof v, cudaMemcpyDeviceToHost));
    return v;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 64, laps = args.repeats * BATCH;
    double *p[8];
    for (double *&q : p) {
        q = device<double>(n);
        CHECK(cudaMemset(q, 0, n * sizeof(double)));
    }
    double t = fastest(laps, [] { empty<<<1, 32>>>(); });
    print_row("launch_empty", 1, t, t, 1, 'L', 0);

    t = fastest(laps, [&] { one<<<1, 1>>>(p[0]); });
    print_row("launch_one", 1, t, t, 1, 'L', (long long)value(p[0]));

    t = fastest(laps, [&] { eight<<<1, 1>>>(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]); });
    print_row("launch_eight", 8, t, t, 1, 'L', (long long)(value(p[0]) + value(p[7])));

    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    t = fastest(args.repeats, [&] {
        for (int k = 0; k < ASYNC; k++)
            one<<<1, 1, 0, stream>>>(p[0]);
        CHECK(cudaStreamSynchronize(stream));
    });
    print_row("launch_async", ASYNC, t / ASYNC, t / ASYNC, 1, 'L', (long long)value(p[0]));
    return 0;
}
