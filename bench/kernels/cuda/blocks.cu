// Lines of 5 x 5 blocks, 4096 of 64 cells each, double: every block is eliminated by its pivots with its right side, and what the cell
// before gives is subtracted first; a thread a line.
#include "kernels.cuh"

constexpr int M = 5;

__global__ void solve(int lines, int cells, const double *__restrict__ a, const double *__restrict__ b,
                      const double *__restrict__ right, double *__restrict__ out)
{
    int line = blockIdx.x * blockDim.x + threadIdx.x, all = lines * cells;
    if (line >= lines)
        return;
    double before[M] = {};
    for (int c = 0; c < cells; c++) {
        double m[M][M], r[M];
#pragma unroll
        for (int i = 0; i < M; i++) {
            r[i] = right[i * all + c * lines + line];
#pragma unroll
            for (int j = 0; j < M; j++) {
                m[i][j] = a[(i * M + j) * all + c * lines + line];
                r[i] -= b[(i * M + j) * all + c * lines + line] * before[j];
            }
        }
#pragma unroll
        for (int p = 0; p < M; p++) {
            double pivot = 1 / m[p][p];
#pragma unroll
            for (int j = p + 1; j < M; j++)
                m[p][j] *= pivot;
            r[p] *= pivot;
#pragma unroll
            for (int i = 0; i < M; i++)
                if (i != p) {
                    double factor = m[i][p];
#pragma unroll
                    for (int j = p + 1; j < M; j++)
                        m[i][j] -= factor * m[p][j];
                    r[i] -= factor * r[p];
                }
        }
#pragma unroll
        for (int i = 0; i < M; i++)
            out[i * all + c * lines + line] = before[i] = r[i];
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int lines = 4096 >> args.shift, cells = 64, all = lines * cells;
    double *a = NEW(double, 25 * all), *b = NEW(double, 25 * all), *right = NEW(double, 5 * all), *out = NEW(double, 5 * all), sum = 0;
    for (int k = 0; k < 25 * all; k++) {
        a[k] = number(k) + (k / all % 6 == 0) * 8;
        b[k] = number(3 * k);
    }
    FILL(right, 5 * all, 1);
    double *da = on_device(a, 25 * all), *db = on_device(b, 25 * all), *dr = on_device(right, 5 * all), *dout = device<double>(5 * all);
    double best = fastest(args.repeats, [&] { solve<<<ceiling(lines, 32), 32>>>(lines, cells, da, db, dr, dout); });
    to_host(out, dout, 5 * all);
    for (int k = 0; k < 5 * all; k++)
        sum += fabs(out[k]);
    report("blocks", best, sum);
    return 0;
}
