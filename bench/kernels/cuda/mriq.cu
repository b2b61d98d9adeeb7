// Reconstruction of magnetic resonance images, float: 2^15 voxels, sums of cosines and sines over 2048 samples, which are
// in constant memory.
#include "kernels.cuh"

__constant__ float4 sample[2048];

__global__ void transform(int n, int samples, const float *__restrict__ x, const float *__restrict__ y,
                          const float *__restrict__ z, float *__restrict__ qr, float *__restrict__ qi)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float px = x[i], py = y[i], pz = z[i], r = 0, im = 0;
    for (int k = 0; k < samples; k++) {
        float s, c;
        sincosf(6.2831853f * (sample[k].x * px + sample[k].y * py + sample[k].z * pz), &s, &c);
        r += sample[k].w * c;
        im += sample[k].w * s;
    }
    qr[i] = r;
    qi[i] = im;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 15) >> args.shift, m = 2048 >> args.shift;
    float *x = NEW(float, n), *y = NEW(float, n), *z = NEW(float, n), *qr = NEW(float, n), *qi = NEW(float, n);
    float4 *host = NEW(float4, m);
    double sum = 0;
    for (int i = 0; i < n; i++)
        x[i] = (float)number(3 * i), y[i] = (float)number(3 * i + 1), z[i] = (float)number(3 * i + 2);
    for (int k = 0; k < m; k++)
        host[k] = make_float4((float)number(4 * k), (float)number(4 * k + 1), (float)number(4 * k + 2), 1);
    CHECK(cudaMemcpyToSymbol(sample, host, m * sizeof(float4)));
    float *dx = on_device(x, n), *dy = on_device(y, n), *dz = on_device(z, n), *dr = device<float>(n);
    float *di = device<float>(n);
    double best = fastest(args.repeats, [&] { transform<<<ceiling(n, 128), 128>>>(n, m, dx, dy, dz, dr, di); });
    to_host(qr, dr, n);
    to_host(qi, di, n);
    for (int i = 0; i < n; i++)
        sum += fabs(qr[i]) + fabs(qi[i]);
    report("mriq", best, sum);
    return 0;
}
