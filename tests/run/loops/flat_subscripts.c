// Loops of `kernels` over arrays of several dimensions that are pointers to their elements: which run in parallel, and which may not.
// launches: 31
#include <stdio.h>
#include <stdlib.h>

enum { NX = 9, NY = 11, NZ = 13, ALL = 2 * NX * NY * NZ };
static double a[ALL], b[ALL];

#define AT(i, j, k) ((i) * ny * nz + (j) * nz + (k))

static void inside(int nx, int ny, int nz, double *restrict p, const double *restrict q)
{
#pragma acc kernels
    for (int i = 1; i < nx - 1; i++)
        for (int j = 1; j < ny - 1; j++)
            for (int k = 1; k < nz - 1; k++)
                p[AT(i, j, k)] = q[AT(i - 1, j, k)] + q[AT(i + 1, j, k)] - q[AT(i, j - 1, k + 1)];
}

static void reversed(size_t nx, size_t ny, size_t nz, double *restrict p)
{
#pragma acc kernels
    for (size_t k = 0; k < nz; k++)
        for (size_t j = 0; j < ny; j++)
            for (size_t i = 0; i < nx; i++)
                p[(i * ny + j) * nz + k] += i + 2 * j + 3 * k;
}

static void padded(int ny, int nz, double *restrict p)
{
    int ld = nz + 2;
#pragma acc kernels
    for (int j = ny; j >= 1; j--)
        for (int k = 0; k < ld; ++k)
            p[j * ld + k] = p[j * ld + k] * 0.5 + j - k;
}

/* Along i each iteration needs the one before. */
static void along(int nx, int ny, int nz, double *restrict p)
{
#pragma acc kernels
    for (int i = 1; i < nx; i++)
        for (int j = 0; j < ny; j++)
            for (int k = 0; k < nz; k++)
                p[AT(i, j, k)] = 0.5 * p[AT(i - 1, j, k)] + k;
}

/* One column more than a row has: the last is the next row's first. */
static void wide(int nx, int nz, double *restrict p)
{
#pragma acc kernels
    for (int i = 0; i < nx; i++)
        for (int k = 0; k <= nz; k++)
            p[i * nz + k] = 0.25 * p[i * nz + k] + i + k;
}

/* Nothing says that a row is so long. */
static void any(int nx, int nz, int ld, double *restrict p)
{
#pragma acc kernels
    for (int i = 0; i < nx; i++)
        for (int k = 0; k < nz; k++)
            p[i * ld + k] = 0.25 * p[i * ld + k] + i + k;
}

/* A column before the row. */
static void before(int nx, int nz, double *restrict p)
{
#pragma acc kernels
    for (int i = 1; i < nx; i++)
        for (int k = -1; k < nz - 1; k++)
            p[i * nz + k] = 0.5 * p[i * nz + k + 1] + i;
}

/* A row's elements and one of the next one's. */
static void next(int nx, int nz, double *restrict p)
{
#pragma acc kernels
    for (int i = 0; i < nx - 1; i++)
        for (int k = 0; k < nz; k++)
            p[i * nz + k] = 0.5 * p[(i + 1) * nz + k] + i;
}

static void triangle(int n, double *restrict p)
{
#pragma acc kernels
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            p[i * n + j] = 0.5 * p[i * n + j] + i - j;
}

/* Written above the diagonal, read below. */
static void mirrored(int n, double *restrict p)
{
#pragma acc kernels
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            p[j * n + i] = p[i * n + j] + 1;
}

static void diagonals(int n, double *restrict p)
{
#pragma acc kernels
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            p[(i + j) * n + j] = 0.5 * p[(i + j) * n + j] + i;
}

static void narrow(int n, double *restrict p)
{
#pragma acc kernels
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 8; j++)
            for (int k = 0; k < 3; k++)
                p[i * 16 + j * 2 + k] = 0.5 * p[i * 16 + j * 2 + k] + j;
}

static void eliminate(int n, double *restrict p)
{
    for (int k = 0; k < n - 1; k++) {
#pragma acc kernels
        {
            for (int i = k + 1; i < n; i++)
                p[i * n + k] /= p[k * n + k] + 40;
            for (int i = k + 1; i < n; i++)
                for (int j = k + 1; j < n; j++)
                    p[i * n + j] -= p[i * n + k] * p[k * n + j];
        }
    }
}

static void show(const char *what)
{
    double s = 0;
    for (int i = 0; i < ALL; i++)
        s += a[i] * (i % 7 + 1);
    printf("%s %.10e\n", what, s);
}

int main(void)
{
    for (int i = 0; i < ALL; i++)
        a[i] = i % 19, b[i] = i % 23;
#pragma acc data copy(a, b)
    {
        inside(NX, NY, NZ, a, b);
#pragma acc update self(a)
        show("inside");
        reversed(NX, NY, NZ, a);
        padded(NY, NZ, a);
#pragma acc update self(a)
        show("padded");
        along(NX, NY, NZ, a);
        wide(NX, NZ, a);
#pragma acc update self(a)
        show("wide");
        any(NX, NZ, 5, a);
        any(NX, 5, NZ, a);
        any(NX, 5, 0, a);
        any(NX, NZ, -5, a + 200);
#pragma acc update self(a)
        show("any");
        before(NX, NZ, a);
        next(NX, NZ, a);
#pragma acc update self(a)
        show("next");
        triangle(NX, a);
        mirrored(NX, a);
        diagonals(NX, a);
        narrow(NX, a);
#pragma acc update self(a)
        show("narrow");
        eliminate(NX, a);
#pragma acc update self(a)
        show("eliminate");
    }
}
