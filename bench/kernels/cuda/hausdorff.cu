// Hausdorff distance of two clouds of points in space, float: the largest of the shortest distances, 32768 points each; a
// thread for each point, one atomic maximum for each warp.
#include "kernels.cuh"

struct point {
    float x, y, z;
};

__global__ void distance(int n, const point *__restrict__ a, const point *__restrict__ b, int *largest)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float shortest = i < n ? 1e30f : 0;
    if (i < n) {
        point here = a[i];
        for (int j = 0; j < n; j++) {
            float dx = here.x - b[j].x, dy = here.y - b[j].y, dz = here.z - b[j].z;
            shortest = fminf(shortest, dx * dx + dy * dy + dz * dz);
        }
    }
    for (int lanes = 16; lanes > 0; lanes /= 2)
        shortest = fmaxf(shortest, __shfl_down_sync(~0u, shortest, lanes));
    if (threadIdx.x % 32 == 0)
        atomicMax(largest, __float_as_int(shortest));
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 15) >> args.shift;
    point *a = NEW(point, n), *b = NEW(point, n);
    float result = 0;
    for (int i = 0; i < n; i++) {
        a[i] = {(float)number(6 * i), (float)number(6 * i + 1), (float)number(6 * i + 2)};
        b[i] = {(float)number(6 * i + 3), (float)number(6 * i + 4), (float)number(6 * i + 5) * 0.9f};
    }
    point *da = on_device(a, n), *db = on_device(b, n);
    int *dlargest = device<int>(1);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dlargest, 0, sizeof(int)));
        distance<<<ceiling(n, 128), 128>>>(n, da, db, dlargest);
        CHECK(cudaMemcpy(&result, dlargest, sizeof result, cudaMemcpyDeviceToHost));
    });
    report("hausdorff", best, sqrtf(result));
    return 0;
}
