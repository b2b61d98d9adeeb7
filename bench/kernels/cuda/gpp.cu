// Self-energies in the plasmon-pole approximation: sums over bands, vectors and vectors of complex terms with divisions and cut-offs, for
// three energies at once, double; a thread a pair of vectors, blocks add their sums atomically.
#include "kernels.cuh"

constexpr int ENERGIES = 3;

__device__ double2 product(double2 a, double2 b) { return make_double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__device__ double2 quotient(double2 a, double2 b)
{
    double below = 1 / (b.x * b.x + b.y * b.y);
    return make_double2((a.x * b.x + a.y * b.y) * below, (a.y * b.x - a.x * b.y) * below);
}

__global__ void energies(int bands, int n, const double2 *__restrict__ left, const double2 *__restrict__ right,
                         const double2 *__restrict__ wtilde, const double2 *__restrict__ eps, const double *__restrict__ wx,
                         double *__restrict__ out)
{
    __shared__ double total[6];
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    if (t < 6)
        total[t] = 0;
    __syncthreads();
    int h = blockIdx.x * blockDim.x + threadIdx.x, g = blockIdx.y * blockDim.y + threadIdx.y;
    double sums[6] = {};
    if (h < n && g < n) {
        double2 w = wtilde[g * n + h], w2 = product(w, w), e = eps[g * n + h];
        for (int band = blockIdx.z; band < bands; band += gridDim.z) {
            double2 weight = product(product(left[band * n + h], right[band * n + g]), e);
            for (int k = 0; k < ENERGIES; k++) {
                double2 d = make_double2(wx[band * ENERGIES + k] - w.x, -w.y), term = make_double2(0, 0);
                if (d.x * d.x + d.y * d.y > 1e-3) {
                    double2 delta = quotient(w, d);
                    if (delta.x * delta.x + delta.y * delta.y < 100)
                        term = product(weight, delta);
                } else
                    term = quotient(weight, make_double2(w2.x + 4, w2.y));
                sums[k] += term.x;
                sums[k + 3] += term.y;
            }
        }
    }
    for (int k = 0; k < 6; k++) {
        for (int d = 16; d > 0; d /= 2)
            sums[k] += __shfl_down_sync(0xffffffff, sums[k], d);
        if (threadIdx.x == 0)
            atomicAdd(&total[k], sums[k]);
    }
    __syncthreads();
    if (t < 6)
        atomicAdd(&out[t], total[t]);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int bands = 128 >> args.shift, n = 256;
    double2 *left = NEW(double2, bands * n), *right = NEW(double2, bands * n), *wtilde = NEW(double2, n * n), *eps = NEW(double2, n * n);
    double *wx = NEW(double, bands * ENERGIES), out[6], sum = 0;
    double *parts[4] = {(double *)left, (double *)right, (double *)wtilde, (double *)eps};
    for (int a = 0; a < 4; a++)
        for (int k = 0; k < 2 * (a < 2 ? bands * n : n * n); k++)
            parts[a][k] = number(k * 7 + a) + (a == 2);
    FILL(wx, bands * ENERGIES, 4);
    double2 *dleft = on_device(left, bands * n), *dright = on_device(right, bands * n), *dw = on_device(wtilde, n * n),
            *deps = on_device(eps, n * n);
    double *dwx = on_device(wx, bands * ENERGIES), *dout = device<double>(6);
    dim3 block(32, 8), grid(ceiling(n, 32), ceiling(n, 8), 8);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dout, 0, sizeof out));
        energies<<<grid, block>>>(bands, n, dleft, dright, dw, deps, dwx, dout);
        CHECK(cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost));
    });
    for (int k = 0; k < 6; k++)
        sum += fabs(out[k]);
    report("gpp", best, sum);
    return 0;
}
