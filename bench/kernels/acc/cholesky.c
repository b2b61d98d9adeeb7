// Cholesky factors of many small matrices, double, 2^17 of 6 × 6, each in an array of the thread; element e of all together.
#include "../kernels.h"

enum { BATCH = 1 << 17, M = 6 };

#if SPELLING == 1
static void factor(int batch, const double *restrict in, double *restrict out)
{
#pragma acc parallel loop present(in[0:batch * M * M], out[0:batch * M * M])
#pragma omp parallel for
    for (int p = 0; p < batch; p++) {
        double a[M][M];
        for (int i = 0; i < M; i++)
            for (int j = 0; j <= i; j++)
                a[i][j] = in[(i * M + j) * batch + p];
        for (int j = 0; j < M; j++) {
            double d = a[j][j];
            for (int k = 0; k < j; k++)
                d -= a[j][k] * a[j][k];
            d = sqrt(d);
            a[j][j] = d;
            for (int i = j + 1; i < M; i++) {
                double s = a[i][j];
                for (int k = 0; k < j; k++)
                    s -= a[i][k] * a[j][k];
                a[i][j] = s / d;
            }
        }
        for (int i = 0; i < M; i++)
            for (int j = 0; j <= i; j++)
                out[(i * M + j) * batch + p] = a[i][j];
    }
}
#else
#pragma acc routine seq
static void in_place(double *a)
{
    for (unsigned j = 0; j < M; j++) {
        for (unsigned k = 0; k < j; k++)
            for (unsigned i = j; i < M; i++)
                a[i * M + j] -= a[i * M + k] * a[j * M + k];
        double d = 1.0 / sqrt(a[j * M + j]);
        for (unsigned i = j; i < M; i++)
            a[i * M + j] *= d;
    }
}

static void factor(size_t batch, double *in, double *out)
{
    double a[M * M];
#pragma acc parallel loop gang vector private(a) present(in[0:batch * M * M], out[0:batch * M * M])
#pragma omp parallel for private(a)
    for (size_t p = 0; p < batch; p++) {
        for (size_t e = 0; e < M * M; e++)
            a[e] = in[e * batch + p];
        in_place(a);
        for (size_t i = 0; i < M; i++)
            for (size_t j = 0; j <= i; j++)
                out[(i * M + j) * batch + p] = a[i * M + j];
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int batch = BATCH >> args.shift, all = batch * M * M;
    double *in = NEW(double, all), *out = NEW(double, all), sum = 0;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            for (int p = 0; p < batch; p++)
                in[(i * M + j) * batch + p] = i == j ? M : number(p + (i + j) * batch);
    FILL(out, all, 0);
#pragma acc enter data copyin(in[0:all], out[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        factor(batch, in, out);
#pragma acc update self(out[0:all])
    SUM(sum, out, all);
    report("cholesky", t.best, sum);
    return 0;
}
