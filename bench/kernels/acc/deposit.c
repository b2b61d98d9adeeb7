// Charges of 2^21 particles onto a grid of 512 × 512, float: four atomic updates each, weights by distance.
#include "../kernels.h"

enum { PARTICLES = 1 << 21, N = 512 };

#if SPELLING == 1
static void deposit(int particles, const float *restrict x, const float *restrict y, float *restrict rho)
{
#pragma acc parallel loop present(x[0:particles], y[0:particles], rho[0:N * N])
#pragma omp parallel for
    for (int p = 0; p < particles; p++) {
        int i = (int)x[p], j = (int)y[p];
        float fx = x[p] - i, fy = y[p] - j;
#pragma acc atomic update
#pragma omp atomic update
        rho[i * N + j] += (1 - fx) * (1 - fy);
#pragma acc atomic update
#pragma omp atomic update
        rho[i * N + j + 1] += (1 - fx) * fy;
#pragma acc atomic update
#pragma omp atomic update
        rho[(i + 1) * N + j] += fx * (1 - fy);
#pragma acc atomic update
#pragma omp atomic update
        rho[(i + 1) * N + j + 1] += fx * fy;
    }
}
#elif SPELLING == 3
#define CELL(i, j) ((i) * N + (j))
static void deposit(int np, float *xp, float *yp, float *rho)
{
#pragma acc parallel loop gang vector present(xp[0:np], yp[0:np], rho[0:N * N])
    for (int p = 0; p < np; p++) {
        float xi = floorf(xp[p]), yi = floorf(yp[p]);
        float dx = xp[p] - xi, dy = yp[p] - yi;
        int base = CELL((int)xi, (int)yi);
        int node[4] = {base, base + 1, base + N, base + N + 1};
        float weight[4] = {(1 - dx) * (1 - dy), (1 - dx) * dy, dx * (1 - dy), dx * dy};
        for (int c = 0; c < 4; c++) {
#pragma acc atomic update
            rho[node[c]] += weight[c];
        }
    }
}
#elif SPELLING == 4
static void deposit(long particles, const float *restrict px, const float *restrict py, float *restrict charge)
{
    float(*grid)[N] = (float(*)[N])charge;
#pragma acc kernels loop independent present(px[0:particles], py[0:particles], grid[0:N])
    for (long k = 0; k < particles; k++) {
        const int cx = px[k], cy = py[k];
        const float wx = px[k] - cx, wy = py[k] - cy;
        for (int a = 0; a <= 1; a++)
            for (int b = 0; b <= 1; b++) {
#pragma acc atomic
                grid[cx + a][cy + b] += (a ? wx : 1 - wx) * (b ? wy : 1 - wy);
            }
    }
}
#else
#pragma acc routine seq
static void add(float *where, float what)
{
#pragma acc atomic
#pragma omp atomic
    *where += what;
}

static void deposit(size_t particles, float *x, float *y, float *grid)
{
    float(*rho)[N] = (float(*)[N])grid;
#pragma acc parallel loop gang vector present(x[0:particles], y[0:particles], rho[0:N][0:N])
#pragma omp parallel for
    for (size_t p = 0; p < particles; p++) {
        float whole[2] = {floorf(x[p]), floorf(y[p])}, part[2] = {x[p] - whole[0], y[p] - whole[1]};
        unsigned i = whole[0], j = whole[1];
        for (unsigned di = 0; di < 2; di++)
            for (unsigned dj = 0; dj < 2; dj++)
                add(&rho[i + di][j + dj], (di ? part[0] : 1 - part[0]) * (dj ? part[1] : 1 - part[1]));
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PARTICLES >> args.shift;
    float *x = NEW(float, n), *y = NEW(float, n), *rho = NEW(float, N *N);
    double sum = 0;
    for (int p = 0; p < n; p++)
        x[p] = (N - 1) * number(2 * p), y[p] = (N - 1) * number(2 * p + 1);
    FILL(rho, N * N, 0);
#pragma acc enter data copyin(x[0:n], y[0:n], rho[0:N * N])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        deposit(n, x, y, rho);
#pragma acc update self(rho[0:N * N])
    for (int k = 0; k < N * N; k++)
        sum += rho[k] * (1 + k % 3);
    report("deposit", t.best, sum);
    return 0;
}
