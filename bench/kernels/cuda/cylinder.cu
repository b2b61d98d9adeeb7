// One implicit step of the heat equation in a cylinder, 1024 radii x 2048 heights, double: red-black relaxation, a thread for each point of a
// colour; the largest change of a sweep goes by shuffles and an atomic maximum to the host, which stops the sweeps.
#include "kernels.cuh"

constexpr int RADII = 1024, HEIGHTS = 2048, MOST = 200, THREADS = 256;
constexpr double NUMBER = 20, RELAX = 1.7, TOLERANCE = 1e-4;

__global__ void __launch_bounds__(THREADS) relax(int nr, int nz, int colour, const double *__restrict__ old, const double *__restrict__ in,
                                                 const double *__restrict__ out, double *__restrict__ t, unsigned long long *change)
{
    __shared__ double most[THREADS / 32];
    int i = blockIdx.y + 1, w = nz + 2, j = 1 + (i + colour) % 2 + 2 * (blockIdx.x * THREADS + threadIdx.x);
    double d = 0;
    if (j <= nz) {
        double *p = t + i * w + j, a = in[i], b = out[i], here = *p;
        double around = a * p[-w] + b * p[w] + NUMBER * (p[-1] + p[1]);
        d = RELAX * ((old[i * w + j] + around) / (1 + a + b + 2 * NUMBER) - here);
        *p = here + d;
        d = fabs(d);
    }
    for (int s = 16; s > 0; s /= 2)
        d = fmax(d, __shfl_down_sync(0xffffffffu, d, s));
    if (threadIdx.x % 32 == 0)
        most[threadIdx.x / 32] = d;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int s = 1; s < THREADS / 32; s++)
            d = fmax(d, most[s]);
        // Numbers that are not negative are in the order of their bits.
        atomicMax(change, (unsigned long long)__double_as_longlong(d));
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int nr = RADII >> (args.shift + 1) / 2, nz = HEIGHTS >> args.shift / 2, w = nz + 2, size = (nr + 2) * w, sweeps = 0;
    double *old = NEW(double, size), *in = NEW(double, nr + 2), *out = NEW(double, nr + 2), *t = NEW(double, size), sum = 0;
    for (int i = 0; i < nr + 2; i++) {
        in[i] = i > 0 ? NUMBER * (i - 1) / (i - 0.5) : 0;
        out[i] = i > 0 ? NUMBER * i / (i - 0.5) : 0;
        for (int j = 0; j < w; j++)
            old[i * w + j] = j == 0 ? 90 : j == nz + 1 ? 10 : i == nr + 1 ? 30 : 20 + 60.0 * j / w + 40 * (number(i * w + j) - 0.5);
    }
    double *dold = on_device(old, size), *din = on_device(in, nr + 2), *dout = on_device(out, nr + 2), *dt = device<double>(size), *change;
    unsigned long long *dchange = device<unsigned long long>(1);
    CHECK(cudaMallocHost((void **)&change, sizeof(double)));
    dim3 grid(ceiling((nz + 1) / 2, THREADS), nr);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemcpyAsync(dt, dold, size * sizeof(double), cudaMemcpyDeviceToDevice));
        sweeps = 0;
        do {
            CHECK(cudaMemsetAsync(dchange, 0, sizeof(unsigned long long)));
            for (int colour = 0; colour < 2; colour++)
                relax<<<grid, THREADS>>>(nr, nz, colour, dold, din, dout, dt, dchange);
            CHECK(cudaMemcpy(change, dchange, sizeof(double), cudaMemcpyDeviceToHost));
            sweeps++;
        } while (*change > TOLERANCE && sweeps < MOST);
    });
    to_host(t, dt, size);
    for (int i = 1; i <= nr; i++)
        for (int j = 1; j <= nz; j++)
            sum += (i - 0.5) / nr * t[i * w + j];
    report("cylinder", best, sum + 1000 * sweeps);
    return 0;
}
