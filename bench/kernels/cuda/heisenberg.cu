// A Lanczos step for a ring of 22 quantum spins, double: a thread takes amplitudes a grid apart, bonds unrolled with
// their couplings in shared memory; products are added up in warps, blocks and then atomically.
#include "kernels.cuh"

constexpr int SPINS = 22, THREADS = 256;

__global__ void __launch_bounds__(THREADS)
apply(int spins, const double *__restrict__ coupling, double beta, const double *__restrict__ v,
      const double *__restrict__ last, double *__restrict__ w, double *__restrict__ alpha)
{
    __shared__ double bond[SPINS], parts[THREADS / 32];
    for (int b = threadIdx.x; b < spins; b += THREADS)
        bond[b] = coupling[b];
    __syncthreads();
    int states = 1 << spins;
    double total = 0;
    for (int s = blockIdx.x * THREADS + threadIdx.x; s < states; s += gridDim.x * THREADS) {
        // bit b: spins b and b + 1 differ
        int turned = s >> 1 | (s & 1) << (spins - 1), differ = s ^ turned;
        double here = v[s], sum = 0, diagonal = 0;
#pragma unroll 4
        for (int b = 0; b < spins - 1; b++) {
            double j = bond[b];
            if (differ >> b & 1) {
                sum += j * __ldg(&v[s ^ 3 << b]);
                diagonal -= j;
            } else
                diagonal += j;
        }
        if (differ >> (spins - 1) & 1) {
            sum += bond[spins - 1] * __ldg(&v[s ^ (1 | 1 << (spins - 1))]);
            diagonal -= bond[spins - 1];
        } else
            diagonal += bond[spins - 1];
        double result = 0.5 * sum + 0.25 * diagonal * here - beta * last[s];
        w[s] = result;
        total += here * result;
    }
    for (int d = 16; d > 0; d /= 2)
        total += __shfl_down_sync(0xffffffff, total, d);
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = total;
    __syncthreads();
    if (threadIdx.x < 32) {
        total = threadIdx.x < THREADS / 32 ? parts[threadIdx.x] : 0;
        for (int d = 16; d > 0; d /= 2)
            total += __shfl_down_sync(0xffffffff, total, d);
        if (threadIdx.x == 0)
            atomicAdd(alpha, total);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int spins = SPINS - args.shift, states = 1 << spins, blocks = full_grid(apply, THREADS);
    double *coupling = NEW(double, spins), *v = NEW(double, states), *last = NEW(double, states),
           *w = NEW(double, states);
    double *alpha = pinned<double>(), sum = 0;
    for (int b = 0; b < spins; b++)
        coupling[b] = 0.5 + number(b);
    for (int s = 0; s < states; s++) {
        v[s] = number(2 * s);
        last[s] = number(2 * s + 1) - 0.5;
    }
    double *dcoupling = on_device(coupling, spins), *dv = on_device(v, states), *dlast = on_device(last, states);
    double *dw = device<double>(states), *dalpha = device<double>(1);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dalpha, 0, sizeof(double)));
        apply<<<blocks, THREADS>>>(spins, dcoupling, 0.7, dv, dlast, dw, dalpha);
        CHECK(cudaMemcpyAsync(alpha, dalpha, sizeof(double), cudaMemcpyDeviceToHost));
    });
    to_host(w, dw, states);
    for (int s = 0; s < states; s++)
        sum += fabs(w[s]);
    report("heisenberg", best, sum + fabs(*alpha));
    return 0;
}
