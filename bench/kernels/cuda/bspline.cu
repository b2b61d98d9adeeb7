// A field of 64^3 coefficients of cubic splines at 2^18 points: the value and its three derivatives; a thread a point.
#include "kernels.cuh"

__device__ void weights(float t, float w[4], float d[4])
{
    float u = 1 - t;
    w[0] = u * u * u / 6;
    w[1] = (3 * t * t * t - 6 * t * t + 4) / 6;
    w[2] = (3 * u * u * u - 6 * u * u + 4) / 6;
    w[3] = t * t * t / 6;
    d[0] = -0.5f * u * u;
    d[1] = 1.5f * t * t - 2 * t;
    d[2] = -1.5f * u * u + 2 * u;
    d[3] = 0.5f * t * t;
}

__global__ void values(int n, int side, const float *__restrict__ field, const float *__restrict__ at, float4 *__restrict__ out)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n)
        return;
    float x = at[p], y = at[n + p], z = at[2 * n + p], wx[4], wy[4], wz[4], dx[4], dy[4], dz[4];
    int ix = (int)x, iy = (int)y, iz = (int)z;
    weights(x - ix, wx, dx);
    weights(y - iy, wy, dy);
    weights(z - iz, wz, dz);
    float v = 0, gx = 0, gy = 0, gz = 0;
#pragma unroll
    for (int k = 0; k < 4; k++)
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const float *row = field + ((iz + k) * side + iy + j) * side + ix;
            float value = 0, slope = 0;
#pragma unroll
            for (int i = 0; i < 4; i++) {
                value += row[i] * wx[i];
                slope += row[i] * dx[i];
            }
            v += value * wy[j] * wz[k];
            gx += slope * wy[j] * wz[k];
            gy += value * dy[j] * wz[k];
            gz += value * wy[j] * dz[k];
        }
    out[p] = make_float4(v, gx, gy, gz);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 18) >> args.shift, side = 64;
    float *field = NEW(float, side * side * side), *at = NEW(float, 3 * n), *out = NEW(float, 4 * n);
    double sum = 0;
    FILL(field, side * side * side, 1);
    FILL(at, 3 * n, side - 4);
    float *dfield = on_device(field, side * side * side), *dat = on_device(at, 3 * n), *dout = device<float>(4 * n);
    double best = fastest(args.repeats, [&] { values<<<ceiling(n, 128), 128>>>(n, side, dfield, dat, (float4 *)dout); });
    to_host(out, dout, 4 * n);
    for (int k = 0; k < 4 * n; k++)
        sum += fabsf(out[k]);
    report("bspline", best, sum);
    return 0;
}
