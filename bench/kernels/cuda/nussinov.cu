// The most pairs of a folded strand of 1024 bases: a launch for each diagonal, whose cells take the best of all ways to split them; a
// warp a cell.
#include "kernels.cuh"

__global__ void diagonal(int n, int d, const char *__restrict__ base, int *__restrict__ table)
{
    int i = blockIdx.x * blockDim.y + threadIdx.y, j = i + d, best = 0;
    if (i >= n - d)
        return;
    for (int k = i + 1 + threadIdx.x; k < j; k += 32)
        best = max(best, table[i * n + k] + table[(k + 1) * n + j]);
    for (int s = 16; s > 0; s /= 2)
        best = max(best, __shfl_down_sync(0xffffffff, best, s));
    if (threadIdx.x == 0) {
        best = max(best, max(table[i * n + j - 1], table[(i + 1) * n + j]));
        table[i * n + j] = max(best, table[(i + 1) * n + j - 1] + (d > 1 && base[i] + base[j] == 3));
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1024 >> args.shift, *table = NEW(int, n * n);
    char *base = NEW(char, n);
    double sum = 0;
    for (int k = 0; k < n; k++)
        base[k] = mix(k) % 4;
    for (int k = 0; k < n * n; k++)
        table[k] = 0;
    char *dbase = on_device(base, n);
    int *dtable = on_device(table, n * n);
    double best = fastest(args.repeats < 10 ? args.repeats : 10, [&] {
        for (int d = 1; d < n; d++)
            diagonal<<<ceiling(n - d, 4), dim3(32, 4)>>>(n, d, dbase, dtable);
    });
    to_host(table, dtable, n * n);
    SUM(sum, table, n * n);
    report("nussinov", best, sum);
    return 0;
}
