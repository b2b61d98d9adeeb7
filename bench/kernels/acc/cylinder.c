// One implicit step of the heat equation in a cylinder, 1024 radii x 2048 heights, double: red-black relaxation with weights by radius until
// the largest change of a sweep is small enough.
#include "../kernels.h"

enum { RADII = 1024, HEIGHTS = 2048, MOST = 200 };

#define NUMBER 20.0
#define RELAX 1.7
#define TOLERANCE 1e-4

#if SPELLING == 1
static int step(int nr, int nz, const double *restrict old, const double *restrict in, const double *restrict out, double *restrict t)
{
    int w = nz + 2, size = (nr + 2) * (nz + 2), sweeps = 0;
    double change = 1;
#pragma acc data present(old[0:size], in[0:nr + 2], out[0:nr + 2], t[0:size])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int k = 0; k < size; k++)
            t[k] = old[k];
        while (change > TOLERANCE && sweeps < MOST) {
            change = 0;
            for (int colour = 0; colour < 2; colour++) {
#pragma acc parallel loop gang reduction(max : change)
#pragma omp parallel for reduction(max : change)
                for (int i = 1; i <= nr; i++) {
#pragma acc loop vector reduction(max : change)
                    for (int j = 1 + (i + colour) % 2; j <= nz; j += 2) {
                        double around = in[i] * t[(i - 1) * w + j] + out[i] * t[(i + 1) * w + j];
                        around += NUMBER * (t[i * w + j - 1] + t[i * w + j + 1]);
                        double now = (old[i * w + j] + around) / (1 + in[i] + out[i] + 2 * NUMBER);
                        double d = RELAX * (now - t[i * w + j]);
                        t[i * w + j] += d;
                        change = fmax(change, fabs(d));
                    }
                }
            }
            sweeps++;
        }
    }
    return sweeps;
}
#else
#define LARGER(a, b) ((a) > (b) ? (a) : (b))

static double half(size_t nr, size_t nz, size_t colour, double (*old)[nz + 2], double *in, double *out, double (*t)[nz + 2])
{
    double most = 0.0;
#pragma acc kernels present(old[0:nr + 2][0:nz + 2], in[0:nr + 2], out[0:nr + 2], t[0:nr + 2][0:nz + 2])
#pragma acc loop independent collapse(2) reduction(max : most)
#pragma omp parallel for collapse(2) reduction(max : most)
    for (size_t i = 1; i < nr + 1; ++i)
        for (size_t j = 1; j < nz + 1; ++j)
            if ((i + j) % 2 != colour) {
                const double below = t[i][j - 1], above = t[i][j + 1], inner = t[i - 1][j], outer = t[i + 1][j];
                const double diagonal = 1.0 + in[i] + out[i] + NUMBER + NUMBER;
                const double right = old[i][j] + in[i] * inner + out[i] * outer + NUMBER * below + NUMBER * above;
                const double before = t[i][j], after = (1.0 - RELAX) * before + RELAX * right / diagonal;
                const double moved = after > before ? after - before : before - after;
                t[i][j] = after;
                most = LARGER(most, moved);
            }
    return most;
}

static int step(size_t nr, size_t nz, double (*old)[nz + 2], double *in, double *out, double (*t)[nz + 2])
{
    int sweeps = 0;
    double red, black;
#pragma acc kernels present(old[0:nr + 2][0:nz + 2], t[0:nr + 2][0:nz + 2])
#pragma acc loop independent collapse(2)
#pragma omp parallel for collapse(2)
    for (size_t i = 0; i < nr + 2; ++i)
        for (size_t j = 0; j < nz + 2; ++j)
            t[i][j] = old[i][j];
    do {
        red = half(nr, nz, 0, old, in, out, t);
        black = half(nr, nz, 1, old, in, out, t);
        ++sweeps;
    } while (LARGER(red, black) > TOLERANCE && sweeps < MOST);
    return sweeps;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int nr = RADII >> (args.shift + 1) / 2, nz = HEIGHTS >> args.shift / 2, w = nz + 2, size = (nr + 2) * w, sweeps = 0;
    double *old = NEW(double, size), *in = NEW(double, nr + 2), *out = NEW(double, nr + 2), *t = NEW(double, size), sum = 0;
    for (int i = 0; i < nr + 2; i++) {
        in[i] = i > 0 ? NUMBER * (i - 1) / (i - 0.5) : 0;
        out[i] = i > 0 ? NUMBER * i / (i - 0.5) : 0;
        for (int j = 0; j < w; j++)
            old[i * w + j] = j == 0 ? 90 : j == nz + 1 ? 10 : i == nr + 1 ? 30 : 20 + 60.0 * j / w + 40 * (number(i * w + j) - 0.5);
    }
#pragma acc enter data copyin(old[0:size], in[0:nr + 2], out[0:nr + 2]) create(t[0:size])
    struct watch clock = watch(args.repeats);
    while (lap(&clock)) {
#if SPELLING == 1
        sweeps = step(nr, nz, old, in, out, t);
#else
        sweeps = step(nr, nz, (double(*)[nz + 2])old, in, out, (double(*)[nz + 2])t);
#endif
    }
#pragma acc update self(t[0:size])
    for (int i = 1; i <= nr; i++)
        for (int j = 1; j <= nz; j++)
            sum += (i - 0.5) / nr * t[i * w + j];
    report("cylinder", clock.best, sum + 1000 * sweeps);
    return 0;
}
