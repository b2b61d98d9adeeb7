// The 8 nearest of 4096 points for each of 32768 queries in 4 dimensions, float: a thread a query, points by way of shared memory, the
// list in registers.
#include "kernels.cuh"

constexpr int NEAREST = 8;

__global__ void nearest(int n, int m, const float4 *__restrict__ query, const float4 *__restrict__ point,
                        float *__restrict__ distance, int *__restrict__ index)
{
    __shared__ float4 tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 own = i < n ? query[i] : make_float4(0, 0, 0, 0);
    float best[NEAREST];
    int where[NEAREST];
#pragma unroll
    for (int k = 0; k < NEAREST; k++)
        best[k] = 1e30f, where[k] = -1;
    for (int start = 0; start < m; start += 128) {
        __syncthreads();
        for (int k = threadIdx.x; k < 128 && start + k < m; k += blockDim.x)
            tile[k] = point[start + k];
        __syncthreads();
        for (int j = 0; j < min(128, m - start); j++) {
            float4 p = tile[j];
            float a = own.x - p.x, b = own.y - p.y, c = own.z - p.z, e = own.w - p.w;
            float d = a * a + b * b + c * c + e * e;
            if (d < best[NEAREST - 1]) {
                int at = start + j;
#pragma unroll
                for (int k = 0; k < NEAREST; k++)
                    if (d < best[k]) {
                        float x = best[k];
                        int y = where[k];
                        best[k] = d, where[k] = at;
                        d = x, at = y;
                    }
            }
        }
    }
    if (i < n)
#pragma unroll
        for (int k = 0; k < NEAREST; k++) {
            distance[k * n + i] = best[k];
            index[k * n + i] = where[k];
        }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 15) >> args.shift, m = (1 << 12) >> args.shift / 2, *index = NEW(int, NEAREST * n);
    float *query = NEW(float, 4 * n), *point = NEW(float, 4 * m), *distance = NEW(float, NEAREST * n);
    double sum = 0;
    for (int k = 0; k < 4 * n; k++)
        query[k] = mix(k) / 4294967296.0;
    for (int k = 0; k < 4 * m; k++)
        point[k] = mix(k + 1000003) / 4294967296.0;
    float4 *dquery = (float4 *)on_device(query, 4 * n), *dpoint = (float4 *)on_device(point, 4 * m);
    float *ddistance = device<float>(NEAREST * n);
    int *dindex = device<int>(NEAREST * n);
    double best = fastest(args.repeats,
                          [&] { nearest<<<ceiling(n, 128), 128>>>(n, m, dquery, dpoint, ddistance, dindex); });
    to_host(distance, ddistance, NEAREST * n);
    to_host(index, dindex, NEAREST * n);
    for (int k = 0; k < NEAREST * n; k++)
        sum += distance[k] + index[k] % 97;
    report("knn", best, sum);
    return 0;
}
