// Forces of all pairs of bodies, float, 16384 bodies: tiles of bodies in shared memory.
#include "kernels.cuh"

__global__ void forces(int n, const float4 *__restrict__ p, float *__restrict__ ax, float *__restrict__ ay,
                       float *__restrict__ az)
{
    __shared__ float4 tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = p[i];
    float fx = 0, fy = 0, fz = 0;
    for (int first = 0; first < n; first += blockDim.x) {
        tile[threadIdx.x] = p[first + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int j = 0; j < blockDim.x; j++) {
            float4 b = tile[j];
            float dx = b.x - me.x, dy = b.y - me.y, dz = b.z - me.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-4f);
            float f = b.w * inverse * inverse * inverse;
            fx += f * dx;
            fy += f * dy;
            fz += f * dz;
        }
        __syncthreads();
    }
    ax[i] = fx;
    ay[i] = fy;
    az[i] = fz;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 16384 >> args.shift;
    float *p = NEW(float, 4 * n), *a = NEW(float, n);
    double sum = 0;
    FILL(p, 4 * n, 1);
    float4 *dp = reinterpret_cast<float4 *>(on_device(p, 4 * n));
    float *out[3] = {device<float>(n), device<float>(n), device<float>(n)};
    double best = fastest(args.repeats, [&] { forces<<<n / 256, 256>>>(n, dp, out[0], out[1], out[2]); });
    for (float *o : out) {
        to_host(a, o, n);
        for (int i = 0; i < n; i++)
            sum += fabs(a[i]);
    }
    report("nbody", best, sum);
    return 0;
}
