// Pointers without any data clause: the section is what the region accesses, as far as that can be said at the launch.
// What is around it must stay as it is: the host writes there while the data is on the device, or there is no memory.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Memory for n doubles that ends where no memory is. */
static double *at_end(int n) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t bytes = (size_t)n * sizeof(double), pages = (bytes + page - 1) / page;
    char *memory = mmap(0, (pages + 1) * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(memory + pages * page, page);
    return (double *)(memory + pages * page - bytes);
}

/* Memory that begins where none is before. */
static double *at_start(int n) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t bytes = (size_t)n * sizeof(double), pages = (bytes + page - 1) / page;
    char *memory = mmap(0, (pages + 1) * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(memory, page);
    return (double *)(memory + page);
}

static double sum(const double *a, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * (i % 7 + 1);
    return s;
}

static void plain(int n, const double *a, double *b) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        b[i] = 2 * a[i];
}

static void stencil(int n, double a[], double *b) {
#pragma acc parallel loop
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i] + a[i + 1];
}

static void edges(int n, const double *a, double *b) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        double s = a[i];
        if (i > 0)
            s += a[i - 1];
        if (i < n - 1)
            s += a[i + 1];
        if (i >= 2 && i + 2 < n)
            b[i] = s + a[i - 2] * a[i + 2];
        else
            b[i] = s;
    }
}

static void product(int n, const double *a, const double *b, double *c) {
#pragma acc kernels loop collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}

static void triangle(int n, const double *a, double *b) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            b[i * n + j] = a[j] - a[i];
}

static void packed(int n, double *b) {
#pragma acc parallel loop gang
    for (int i = 0; i < n; i++)
#pragma acc loop vector
        for (int j = 0; j <= i; j++)
            b[i * n + j] += 1;
}

static void strided(int from, int n, int lda, const double *a, double *b) {
#pragma acc parallel loop
    for (int i = from; i < n; i += 3)
        b[n - 1 - i] = a[i * lda];
}

static void down(int n, const double *a, double *b) {
    int last = n - 1;
#pragma acc parallel loop
    for (int i = last; i >= 0; i--) {
        const double *row = a + i;
        b[i] = row[0] * 3;
    }
}

struct point {
    double x, y;
    int k[3];
};

static void points(int n, struct point *p, double *b, double scale[static 1]) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        p[i].x += scale[0] * p[i].y;
        p[i].k[i % 3] = i;
        b[i] = p[i].x;
    }
}

static void rows(int n, double (*t)[8], double *b) {
#pragma acc parallel loop
    for (int i = 1; i < n; i++)
        for (int j = 0; j < 8; j++)
            b[i * 8 + j] = t[i - 1][j] + t[i][j];
}

/* What the condition decides about is in what is accessed in any case. */
static void maybe(int n, const int *ok, const double *a, double *b) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        b[i] += a[i];
        if (ok[i])
            b[i] += a[n - 1 - i];
    }
}

/* It is not, and nothing may be copied: the data is present. */
static void beyond(int n, const int *ok, const double *a, double *b) {
#pragma acc data copyin(a[0:n]) copy(b[0:n])
    {
        const double *p = a;
        double *q = b;
#pragma acc parallel loop
        for (int i = 0; i < n; i++) {
            q[i] += 1;
            if (ok[i])
                q[i] += p[i] + p[i - 1];
        }
    }
}

static void twice(int n, double *b) {
#pragma acc parallel
    {
#pragma acc loop
        for (int i = 0; i < n; i++)
            b[i] += 1;
    }
#pragma acc parallel loop present(b[0:n])
    for (int i = 0; i < n; i++)
        b[i] *= 2;
}

/* Counters of the function, which several regions use. */
static void counters(int n, const double *a, double *b) {
    int i, j;
    double t;
#pragma acc parallel loop private(t, j)
    for (i = 0; i < n; i++) {
        t = 0;
        for (j = i; j < n; j++)
            t += a[j];
        b[i] += t;
    }
#pragma acc parallel loop
    for (i = 0; i < n; i++) {
        for (j = 0; j <= i; j++)
            b[i] += a[j];
    }
#pragma acc parallel loop private(j)
    for (i = 0; i < n; i++) {
        j = 0;
        while (j < n - i) {
            b[i] += a[i + j];
            ++j;
        }
    }
}

static double *shared;
static unsigned count;

static void globals(void) {
#pragma acc parallel loop
    for (unsigned i = 0; i < count; ++i)
        shared[i] += i;
}

int main(void) {
    enum { N = 40 };
    double *a = at_end(N), *b = at_start(N), *c = at_end(N * N), *m = at_start(N * N), *k = at_end(N * N);
    for (int i = 0; i < N; i++)
        a[i] = i % 11, b[i] = 1;
    for (int i = 0; i < N * N; i++)
        m[i] = i % 5, c[i] = 0, k[i] = i % 3;
    plain(N, a, b);
    printf("plain %g\n", sum(b, N));
    plain(0, a, b);
    plain(-5, a, b);
    stencil(N, a, b);
    stencil(2, a, b);
    printf("stencil %g\n", sum(b, N));
    edges(N, a, b);
    edges(1, a, b);
    printf("edges %g\n", sum(b, N));
    product(N, m, k, c);
    printf("product %g\n", sum(c, N * N));
    triangle(N, a, c);
    triangle(1, a + N - 1, c + N * N - 1);
    printf("triangle %g\n", sum(c, N * N));
    packed(N, c);
    printf("packed %g\n", sum(c, N * N));
    strided(1, N, 1, a, b);
    strided(2, 5, -1, a + 4, b);
    strided(0, N, N, c, b);
    printf("strided %g\n", sum(b, N));
    down(N, a, b);
    printf("down %g\n", sum(b, N));
    struct point p[N];
    for (int i = 0; i < N; i++)
        p[i] = (struct point){i, 2, {i, i, i}};
    points(N, p, b, a + 5);
    double s = 0;
    for (int i = 0; i < N; i++)
        s += p[i].x + p[i].k[1];
    printf("points %g %g\n", sum(b, N), s);
    rows(N / 8, (double (*)[8])a, b);
    printf("rows %g\n", sum(b, N));
    int ok[N];
    for (int i = 0; i < N; i++)
        ok[i] = i % 2;
    maybe(N, ok, a, b);
    beyond(N, ok, a, b);
    counters(N, a, b);
    printf("maybe %g\n", sum(b, N));
#pragma acc data copy(b[0:N])
    twice(N, b);
    printf("twice %g\n", sum(b, N));
    shared = b + 3;
    count = N - 3;
    globals();
    printf("globals %g\n", sum(b, N));
    return 0;
}
