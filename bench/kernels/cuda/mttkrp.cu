// A sparse tensor of 65536 slices with 1 to 127 numbers each times the Khatri-Rao product of two factors of 32 columns, float: a warp a slice.
#include "kernels.cuh"

enum { SLICES = 1 << 16, JS = 1 << 16, KS = 1 << 14, RANK = 32 };

__global__ void mttkrp(int n, const int *__restrict__ start, const int *__restrict__ js, const int *__restrict__ ks, const float *__restrict__ value,
                       const float *__restrict__ b, const float *__restrict__ c, float *__restrict__ m)
{
    int i = blockIdx.x * blockDim.y + threadIdx.y, r = threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    int end = start[i + 1];
    for (int e = start[i]; e < end; e++)
        sum += value[e] * b[js[e] * RANK + r] * c[ks[e] * RANK + r];
    m[i * RANK + r] = sum;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SLICES >> args.shift, nnz = 0, *start = NEW(int, n + 1);
    for (int i = 0; i < n; i++) {
        start[i] = nnz;
        nnz += 1 + mix(i) % 127;
    }
    start[n] = nnz;
    float *b = NEW(float, JS * RANK), *c = NEW(float, KS * RANK), *m = NEW(float, n * RANK), *value = NEW(float, nnz);
    int *js = NEW(int, nnz), *ks = NEW(int, nnz);
    double sum = 0;
    FILL(b, JS * RANK, 1);
    FILL(c, KS * RANK, 2);
    for (int e = 0; e < nnz; e++) {
        js[e] = mix(e + 3) % JS;
        ks[e] = mix(e + 70001) % KS;
        value[e] = (float)number(e);
    }
    int *dstart = on_device(start, n + 1), *djs = on_device(js, nnz), *dks = on_device(ks, nnz);
    float *dvalue = on_device(value, nnz), *db = on_device(b, JS * RANK), *dc = on_device(c, KS * RANK), *dm = device<float>(n * RANK);
    double best = fastest(args.repeats, [&] { mttkrp<<<ceiling(n, 4), dim3(32, 4)>>>(n, dstart, djs, dks, dvalue, db, dc, dm); });
    to_host(m, dm, n * RANK);
    SUM(sum, m, n * RANK);
    report("mttkrp", best, sum);
    return 0;
}
