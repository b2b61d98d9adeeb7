// How far all pairs of 2048 conformations of a molecule of 64 atoms are from each other when one is turned to fit the other, double: blocks
// of 16 x 16 pairs, with 16 atoms of the frames of both at a time in shared memory; those above the diagonal are left out.
#include "kernels.cuh"

constexpr int FRAMES = 2048, ATOMS = 64, ROUNDS = 50, TILE = 16, BATCH = 16;
constexpr double CUTOFF = 1.75;

__global__ void __launch_bounds__(TILE * TILE)
superpose(int n, const double *__restrict__ x, const double *__restrict__ square, float *__restrict__ rmsd,
          int *__restrict__ near, double *__restrict__ total)
{
    __shared__ double sp[BATCH][3][TILE], sq[BATCH][3][TILE], sums[TILE * TILE / 32];
    if (blockIdx.x > blockIdx.y)
        return;
    int tx = threadIdx.x, ty = threadIdx.y, tid = ty * TILE + tx, j = blockIdx.x * TILE + tx, i = blockIdx.y * TILE + ty;
    double s[3][3] = {};
    for (int batch = 0; batch < ATOMS; batch += BATCH) {
        __syncthreads();
        for (int k = tid; k < BATCH * 3 * TILE; k += TILE * TILE) {
            int f = k % TILE, c = k / TILE % 3, a = k / TILE / 3, row = (3 * (batch + a) + c) * n;
            sp[a][c][f] = blockIdx.y * TILE + f < n ? x[row + blockIdx.y * TILE + f] : 0;
            sq[a][c][f] = blockIdx.x * TILE + f < n ? x[row + blockIdx.x * TILE + f] : 0;
        }
        __syncthreads();
#pragma unroll 4
        for (int a = 0; a < BATCH; a++)
#pragma unroll
            for (int c = 0; c < 3; c++)
#pragma unroll
                for (int d = 0; d < 3; d++)
                    s[c][d] += sp[a][c][ty] * sq[a][d][tx];
    }
    double d = 0;
    int close = 0;
    if (i < n && j < i) {
        double trace = 0, norm = 0;
#pragma unroll
        for (int a = 0; a < 3; a++)
#pragma unroll
            for (int b = 0; b < 3; b++) {
                double m = s[0][a] * s[0][b] + s[1][a] * s[1][b] + s[2][a] * s[2][b];
                norm += m * m;
                if (a == b)
                    trace += m;
            }
        double c2 = -2 * trace, c0 = 2 * norm - trace * trace;
        double c1 = -8 * (s[0][0] * (s[1][1] * s[2][2] - s[1][2] * s[2][1]) - s[0][1] * (s[1][0] * s[2][2] - s[1][2] * s[2][0]) +
                          s[0][2] * (s[1][0] * s[2][1] - s[1][1] * s[2][0]));
        double half = 0.5 * (square[i] + square[j]), root = half;
        for (int round = 0; round < ROUNDS; round++) {
            double r2 = root * root;
            double change = (r2 * (r2 + c2) + c1 * root + c0) / (root * (4 * r2 + 2 * c2) + c1);
            root -= change;
            if (fabs(change) < 1e-12 * root)
                break;
        }
        d = sqrt(fmax(0.0, 2 * (half - root) / ATOMS));
        rmsd[i * n + j] = d;
        close = d < CUTOFF;
    }
    for (int w = TILE / 2; w > 0; w /= 2)
        close += __shfl_xor_sync(0xffffffff, close, w);
    if (tx == 0 && close > 0)
        atomicAdd(&near[i], close);
    for (int w = 16; w > 0; w /= 2)
        d += __shfl_xor_sync(0xffffffff, d, w);
    if (tid % 32 == 0)
        sums[tid / 32] = d;
    __syncthreads();
    if (tid == 0) {
        for (int w = 1; w < TILE * TILE / 32; w++)
            d += sums[w];
        atomicAdd(total, d);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = FRAMES >> args.shift, *near = NEW(int, n);
    double(*frames)[ATOMS][3] = (double(*)[ATOMS][3])NEW(double, n * ATOMS * 3), *square = NEW(double, n), total = 0, sum = 0;
    float *rmsd = NEW(float, n * n);
    for (int f = 0; f < n; f++) {
        int kind = mix(f) % 4;
        double turn = 6.28 * number(f + 5), tilt = 3.14 * number(f + 6), mean[3] = {0}, c = cos(turn), s = sin(turn);
        double ct = cos(tilt), st = sin(tilt);
        square[f] = 0;
        for (int a = 0; a < ATOMS; a++) {
            double wide = 2 + 0.03 * kind * a, x = wide * cos(0.6 * a), y = wide * sin(0.6 * a), z = 0.25 * a + sin(kind * 0.1 * a);
            x += 2 * number(3 * (f * ATOMS + a));
            y += 2 * number(3 * (f * ATOMS + a) + 1);
            z += 2 * number(3 * (f * ATOMS + a) + 2);
            double u = c * x - s * y, v = s * x + c * y;
            frames[f][a][0] = u;
            frames[f][a][1] = ct * v - st * z;
            frames[f][a][2] = st * v + ct * z;
            for (int i = 0; i < 3; i++)
                mean[i] += frames[f][a][i] / ATOMS;
        }
        for (int a = 0; a < ATOMS; a++)
            for (int i = 0; i < 3; i++) {
                frames[f][a][i] -= mean[i];
                square[f] += frames[f][a][i] * frames[f][a][i];
            }
    }
    double *x = NEW(double, 3 * ATOMS * n);
    for (int k = 0; k < 3 * ATOMS * n; k++)
        x[k] = frames[k % n][k / n / 3][k / n % 3];
    double *dx = on_device(x, 3 * ATOMS * n), *dsquare = on_device(square, n), *dtotal = device<double>(1);
    float *drmsd = device<float>((size_t)n * n);
    int *dnear = device<int>(n), tiles = ceiling(n, TILE);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dnear, 0, n * sizeof(int)));
        CHECK(cudaMemsetAsync(dtotal, 0, sizeof total));
        superpose<<<dim3(tiles, tiles), dim3(TILE, TILE)>>>(n, dx, dsquare, drmsd, dnear, dtotal);
        CHECK(cudaMemcpy(&total, dtotal, sizeof total, cudaMemcpyDeviceToHost));
    });
    to_host(rmsd, drmsd, (size_t)n * n);
    to_host(near, dnear, n);
    for (int i = 0; i < n; i++) {
        sum += near[i] * (1.0 + i % 3);
        for (int j = 0; j < i; j++)
            sum += rmsd[i * n + j] * (j % 4);
    }
    report("superpose", best, sum + total);
    return 0;
}
