// Forces on the nodes of an unstructured mesh from its 2^20 edges, double: a thread an edge, which adds to both of its ends atomically.
#include "kernels.cuh"

__global__ void assemble(int edges, const int *__restrict__ a, const int *__restrict__ b, const double *__restrict__ x,
                         const double *__restrict__ stiffness, double *__restrict__ force)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= edges)
        return;
    int i = a[e], j = b[e];
    double d[3], square = 0;
    for (int c = 0; c < 3; c++) {
        d[c] = x[3 * j + c] - x[3 * i + c];
        square += d[c] * d[c];
    }
    double length = sqrt(square + 1e-6), f = stiffness[e] * (length - 0.5) / length;
    for (int c = 0; c < 3; c++) {
        atomicAdd(&force[3 * i + c], f * d[c]);
        atomicAdd(&force[3 * j + c], -f * d[c]);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int edges = (1 << 20) >> args.shift, nodes = edges / 4, *a = NEW(int, edges), *b = NEW(int, edges);
    double *x = NEW(double, 3 * nodes), *stiffness = NEW(double, edges), *force = NEW(double, 3 * nodes), sum = 0;
    for (int e = 0; e < edges; e++)
        a[e] = e / 4, b[e] = (e / 4 + 1 + (int)(mix(e) % 1000)) % nodes;
    FILL(x, 3 * nodes, 1);
    FILL(stiffness, edges, 1);
    int *da = on_device(a, edges), *db = on_device(b, edges);
    double *dx = on_device(x, 3 * nodes), *dstiffness = on_device(stiffness, edges), *dforce = device<double>(3 * nodes);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dforce, 0, 3 * nodes * sizeof(double)));
        assemble<<<ceiling(edges, 256), 256>>>(edges, da, db, dx, dstiffness, dforce);
    });
    to_host(force, dforce, 3 * nodes);
    for (int k = 0; k < 3 * nodes; k++)
        sum += fabs(force[k]);
    report("assemble", best, sum);
    return 0;
}
