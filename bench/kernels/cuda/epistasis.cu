// Pairs of 1024 genes' variants that together tell 2048 cases from 2048 controls: a thread a pair in blocks of 32 x 8, those below the diagonal
// end at once; 18 counts in registers, the least score by a minimum of the block and an atomic one of its bits.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"
#include <cstring>

constexpr int WORDS = 64, SAMPLES = 32 * WORDS;

__device__ void combinations(int (&count)[9], const unsigned *__restrict__ bits, int m, int i, int j)
{
    for (int w = 0; w < WORDS; w++) {
        unsigned a[3] = {bits[w * m + i], bits[(WORDS + w) * m + i]}, b[3] = {bits[w * m + j], bits[(WORDS + w) * m + j]};
        a[2] = ~(a[0] | a[1]);
        b[2] = ~(b[0] | b[1]);
#pragma unroll
        for (int k = 0; k < 9; k++)
            count[k] += __popc(a[k / 3] & b[k % 3]);
    }
}

__global__ void pairs(int m, const unsigned *__restrict__ cases, const unsigned *__restrict__ controls, const double *__restrict__ lg,
                      double *__restrict__ score, unsigned long long *__restrict__ best)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((blockIdx.x + 1) * blockDim.x - 1 <= blockIdx.y * blockDim.y)
        return;
    double sum = 1e300;
    if (j > i && j < m) {
        int a[9] = {}, b[9] = {};
        combinations(a, cases, m, i, j);
        combinations(b, controls, m, i, j);
        sum = 0;
#pragma unroll
        for (int k = 0; k < 9; k++)
            sum += lg[a[k] + b[k] + 1] - lg[a[k]] - lg[b[k]];
        score[i * m + j] = sum;
    }
    sum = block_reduce(sum, 1e300, [](double x, double y) { return fmin(x, y); });
    // positive numbers have the order of their bits
    if (threadIdx.x == 0 && threadIdx.y == 0)
        atomicMin(best, (unsigned long long)__double_as_longlong(sum));
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int m = 1024 >> (args.shift + 1) / 2, all = 2 * WORDS * m;
    unsigned *cases = NEW(unsigned, all), *controls = NEW(unsigned, all);
    double *lg = NEW(double, 2 * SAMPLES + 2), *score = NEW(double, m * m), least, sum = 0;
    for (int k = 0; k < 2 * SAMPLES + 2; k++)
        lg[k] = lgamma(k + 1.0);
    for (int k = 0; k < m * m; k++)
        score[k] = 0;
    for (int k = 0; k < WORDS * m; k++) {
        unsigned one = mix(k + 1) & mix(k + 2), other = mix(k + 3) & mix(k + 4);
        cases[k] = mix(k) & ~one;
        cases[WORDS * m + k] = one;
        controls[k] = mix(k + 5) & ~other;
        controls[WORDS * m + k] = other;
    }
    unsigned *dcases = on_device(cases, all), *dcontrols = on_device(controls, all);
    double *dlg = on_device(lg, 2 * SAMPLES + 2), *dscore = on_device(score, m * m);
    unsigned long long *dbest = device<unsigned long long>(1), *bits = pinned<unsigned long long>();
    dim3 block(32, 8), grid(ceiling(m, 32), ceiling(m, 8));
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dbest, 0x7f, sizeof *dbest));
        pairs<<<grid, block>>>(m, dcases, dcontrols, dlg, dscore, dbest);
        CHECK(cudaMemcpyAsync(bits, dbest, sizeof *bits, cudaMemcpyDeviceToHost));
    });
    to_host(score, dscore, m * m);
    memcpy(&least, bits, sizeof least);
    SUM(sum, score, m * m);
    report("epistasis", best, sum + least);
    return 0;
}
