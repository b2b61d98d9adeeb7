// Records and complex numbers, element by element: at every alignment that a section can have.
//
// launches: 13
#include <complex.h>
#include <stdio.h>

#define N 130

struct point {
    float x, y, z, w;
};
struct pair {
    double a, b;
};

static void turn(int n, const struct point *from, struct point *to)
{
#pragma acc parallel loop present(from[0:n], to[0:n])
    for (int i = 0; i < n; i++) {
        to[i].x = from[i].y + from[i].w;
        to[i].y = from[i].z;
        to[i].z = from[i].w * 2;
        to[i].w = from[i].x;
    }
}

static void scale(int n, const double complex *from, double complex *to)
{
#pragma acc parallel loop present(from[0:n], to[0:n])
    for (int i = 0; i < n; i++)
        to[i] = from[i] * 2.5 + to[i];
}

static void in_place(int n, float complex *z)
{
#pragma acc parallel loop present(z[0:n])
    for (int i = 0; i < n; i++)
        z[i] = conjf(z[i]) + 1;
}

static void fours(int n, const short *from, int *to)
{
#pragma acc parallel loop present(from[0 : 4 * n], to[0:n])
    for (int i = 0; i < n; i++) {
        int all = 0;
        for (int k = 0; k < 4; k++)
            all = 10 * all + from[4 * i + k];
        to[i] = all;
    }
}

static void swap(int n, struct pair *p)
{
#pragma acc parallel loop present(p[0:n])
    for (int i = 0; i < n; i++) {
        struct pair old = p[i];
        p[i].a = old.b;
        p[i].b = old.a + 1;
    }
}

int main(void)
{
    static struct point p[N + 1], q[N + 1];
    static double complex c[N + 1], d[N + 1];
    // Not on a boundary of 16 bytes.
    static double numbers[2 * N + 3];
    struct pair *pairs = (struct pair *)(numbers + 1);
    static float floats[2 * N + 3];
    float complex *z = (float complex *)(floats + 1);
    static short s[4 * N + 4];
    static int t[N];
    for (int i = 0; i <= N; i++) {
        p[i] = (struct point){ i, i + 0.25f, i + 0.5f, i + 0.75f };
        c[i] = i + i * 0.5 * I;
        d[i] = 1 - i * I;
    }
    for (int i = 0; i < 2 * N + 3; i++)
        numbers[i] = floats[i] = i;
    for (int i = 0; i < 4 * N + 4; i++)
        s[i] = i % 10;

#pragma acc data copyin(p, c, s) copy(q, d, t, numbers, floats)
    {
        turn(N, p, q);
        turn(N, p + 1, q);
        turn(N / 2, q, q + N / 2);
        scale(N, c, d);
        scale(N, c + 1, d);
        scale(N / 2, d, d + N / 2);
        scale(N, d, d);
        in_place(N, z);
        in_place(N, z + 1);
        in_place(N, (float complex *)floats);
        fours(N, s, t);
        fours(N, s + 1, t);
        swap(N, pairs);
    }
    for (int i = 0; i < N; i += 16) {
        printf("%g %g %g %g\n", q[i].x, q[i].y, q[i].z, q[i].w);
        printf("%g %g %g %g %d\n", creal(d[i]), cimag(d[i]), crealf(z[i]), cimagf(z[i]), t[i]);
        printf("%g %g\n", pairs[i].a, pairs[i].b);
    }
    return 0;
}
