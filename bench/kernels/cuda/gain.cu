// What a new centre would save 65536 points of 64 floats: a thread for each point, sums for each old centre in shared memory first.
#include "kernels.cuh"

constexpr int POINTS = 65536, WIDTH = 64, CENTRES = 20;

__global__ void gain(int n, const float *__restrict__ points, const float *__restrict__ weight, const float *__restrict__ cost,
                     const int *__restrict__ centre, int candidate, float *__restrict__ lower, int *__restrict__ moves, double *__restrict__ saved)
{
    __shared__ float mine[CENTRES], other[WIDTH];
    if (threadIdx.x < CENTRES)
        mine[threadIdx.x] = 0;
    if (threadIdx.x < WIDTH)
        other[threadIdx.x] = points[candidate * WIDTH + threadIdx.x];
    __syncthreads();
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    double change = 0;
    if (k < n) {
        float distance = 0;
        for (int d = 0; d < WIDTH; d++) {
            float difference = points[k * WIDTH + d] - other[d];
            distance += difference * difference;
        }
        float here = distance * weight[k];
        moves[k] = here < cost[k];
        if (here < cost[k])
            change = here - cost[k];
        else
            atomicAdd(&mine[centre[k]], cost[k] - here);
    }
    for (int d = 16; d > 0; d /= 2)
        change += __shfl_down_sync(0xffffffff, change, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(saved, change);
    __syncthreads();
    if (threadIdx.x < CENTRES)
        atomicAdd(&lower[threadIdx.x], mine[threadIdx.x]);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = POINTS >> args.shift;
    float *points = NEW(float, n *WIDTH), *lower = NEW(float, CENTRES), *weight = NEW(float, n), *cost = NEW(float, n);
    int *centre = NEW(int, n), *moves = NEW(int, n);
    double sum = 0, saved = 0;
    FILL(points, n * WIDTH, 1);
    for (int k = 0; k < n; k++)
        weight[k] = 1 + number(k), cost[k] = 16 * number(3 * k), centre[k] = mix(k) % CENTRES;
    float *dpoints = on_device(points, n * WIDTH), *dweight = on_device(weight, n), *dcost = on_device(cost, n), *dlower = device<float>(CENTRES);
    int *dcentre = on_device(centre, n), *dmoves = device<int>(n);
    double *dsaved = device<double>(1);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dlower, 0, CENTRES * sizeof(float)));
        CHECK(cudaMemsetAsync(dsaved, 0, sizeof(double)));
        gain<<<ceiling(n, 256), 256>>>(n, dpoints, dweight, dcost, dcentre, n / 3, dlower, dmoves, dsaved);
        CHECK(cudaMemcpy(&saved, dsaved, sizeof(double), cudaMemcpyDeviceToHost));
    });
    to_host(lower, dlower, CENTRES);
    to_host(moves, dmoves, n);
    SUM(sum, lower, CENTRES);
    SUM(sum, moves, n);
    report("gain", best, sum + saved);
    return 0;
}
