// 2^15 problems of least squares with 64 equations and 12 unknowns each, double, by Householder's reflections: a warp a problem, two rows a lane in registers.
#include "kernels.cuh"

enum { PROBLEMS = 1 << 15, ROWS = 64, COLUMNS = 12, WARPS = 4 };

__device__ __forceinline__ double all_lanes(double v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffff, v, d);
    return v;
}

__global__ void __launch_bounds__(32 * WARPS) fit(int problems, const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ x,
                                                  double *__restrict__ rest)
{
    int p = blockIdx.x * WARPS + threadIdx.y, lane = threadIdx.x;
    if (p >= problems)
        return;
    double upper[COLUMNS + 1], lower[COLUMNS + 1], diagonal[COLUMNS];
#pragma unroll
    for (int c = 0; c < COLUMNS; c++) {
        upper[c] = a[(p * COLUMNS + c) * ROWS + lane];
        lower[c] = a[(p * COLUMNS + c) * ROWS + lane + 32];
    }
    upper[COLUMNS] = b[p * ROWS + lane];
    lower[COLUMNS] = b[p * ROWS + lane + 32];
#pragma unroll
    for (int k = 0; k < COLUMNS; k++) {
        double v = lane >= k ? upper[k] : 0, w = lower[k];
        double norm = all_lanes(v * v + w * w), head = __shfl_sync(0xffffffff, v, k), alpha = head > 0 ? -sqrt(norm) : sqrt(norm),
               beta = 1 / (norm - alpha * head);
        if (lane == k)
            v = head - alpha;
        diagonal[k] = alpha;
#pragma unroll
        for (int c = k + 1; c <= COLUMNS; c++) {
            double dot = beta * all_lanes(v * upper[c] + w * lower[c]);
            upper[c] -= dot * v;
            lower[c] -= dot * w;
        }
    }
    double remains = all_lanes((lane >= COLUMNS ? upper[COLUMNS] * upper[COLUMNS] : 0) + lower[COLUMNS] * lower[COLUMNS]), mine = 0;
#pragma unroll
    for (int k = COLUMNS - 1; k >= 0; k--) {
        double xk = __shfl_sync(0xffffffff, upper[COLUMNS], k) / diagonal[k];
        upper[COLUMNS] -= upper[k] * xk;
        if (lane == k)
            mine = xk;
    }
    if (lane < COLUMNS)
        x[p * COLUMNS + lane] = mine;
    if (lane == 0)
        rest[p] = remains;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int problems = PROBLEMS >> args.shift, all = problems * ROWS * COLUMNS;
    double *a = NEW(double, all), *b = NEW(double, problems * ROWS), *x = NEW(double, problems * COLUMNS), *rest = NEW(double, problems), sum = 0;
    for (int p = 0; p < problems; p++)
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c <= COLUMNS; c++) {
                double value = number((p * ROWS + r) * (COLUMNS + 1) + c);
                if (c < COLUMNS)
                    a[(p * COLUMNS + c) * ROWS + r] = value;
                else
                    b[p * ROWS + r] = value;
            }
    double *da = on_device(a, all), *db = on_device(b, problems * ROWS), *dx = device<double>(problems * COLUMNS), *drest = device<double>(problems);
    double best = fastest(args.repeats, [&] { fit<<<ceiling(problems, WARPS), dim3(32, WARPS)>>>(problems, da, db, dx, drest); });
    to_host(x, dx, problems * COLUMNS);
    to_host(rest, drest, problems);
    SUM(sum, x, problems * COLUMNS);
    SUM(sum, rest, problems);
    report("fit", best, sum);
    return 0;
}
