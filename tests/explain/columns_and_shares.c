// Lanes of a collapsed loop go along its last dimension, also where that is in a struct; a nest in a loop that is unrolled for what it stores
// is unrolled with it.
// launches: 2
enum { N = 2048, M = 64, PARTS = 16, DIMS = 8 };

typedef struct { double x[M]; } sample;
typedef float row[DIMS];

static void columns(unsigned n, const sample *a, const double *w, double *part)
{
#pragma acc kernels copyin(a[0:n], w[0:n]) copyout(part[0:n / 256 * M])
#pragma acc loop independent collapse(2)
    for (unsigned chunk = 0; chunk < n / 256; ++chunk)
        for (unsigned j = 0; j < M; ++j) {
            double s = 0;
            for (unsigned i = chunk * 256; i < chunk * 256 + 256; ++i)
                s += w[i] * a[i].x[j];
            part[chunk * M + j] = s;
        }
}

static void shares(long n, row *x, row *mean, float (*share)[PARTS])
{
#pragma acc parallel loop copyin(x[0:n], mean[0:PARTS]) copyout(share[0:n])
    for (long i = 0; i < n; ++i) {
        float *own = share[i], sum = 0;
        for (unsigned k = 0; k < PARTS; ++k) {
            float d = 0;
            for (unsigned c = 0; c < DIMS; ++c)
                d += (x[i][c] - mean[k][c]) * (x[i][c] - mean[k][c]);
            own[k] = d;
        }
        for (unsigned k = 0; k < PARTS; ++k)
            sum += own[k] = 1 / (1 + own[k]);
        for (unsigned k = 0; k < PARTS; ++k)
            own[k] /= sum;
    }
}

static sample a[N];
static double w[N], part[N / 256 * M];
static row x[N], mean[PARTS];
static float share[N][PARTS];

int main(void)
{
    for (int i = 0; i < N; i++) {
        w[i] = i % 5;
        for (int j = 0; j < M; j++)
            a[i].x[j] = (i + j) % 3;
        for (int c = 0; c < DIMS; c++)
            x[i][c] = (i + c) % 7;
    }
    columns(N, a, w, part);
    shares(N, x, mean, share);
    return part[65] != 512 || !(share[3][0] > 0.0624f && share[3][0] < 0.0626f);
}
