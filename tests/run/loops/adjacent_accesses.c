// Adjacent elements, which devices access at once where that is right: aligned and not, in place, with other stores between,
// by pointers that move, of 8 to 64 bits, where sections begin elsewhere or overlap.
#include <stdio.h>
#include <stdlib.h>

#define N 200

struct pair { float x, y; };
struct mixed { int a, b; double c, d; short e[4]; };

static void four(int n, const float *a, float *b)
{
#pragma acc parallel loop present(a[0:4 * n], b[0:4 * n])
    for (int i = 0; i < n; i++) {
        float s = a[4 * i] + a[4 * i + 1], t = a[4 * i + 2] - a[4 * i + 3];
        b[4 * i + 3] = s;
        b[4 * i + 1] = s * t;
        b[4 * i] = t;
        b[4 * i + 2] = a[4 * i + 1];
    }
}

static void in_place(int n, int *a, const int *b)
{
#pragma acc parallel loop present(a[0:4 * n], b[0:n])
    for (int i = 0; i < n; i++) {
        int t = a[4 * i];
        a[4 * i] = a[4 * i + 1];
        a[4 * i + 1] = a[4 * i + 2] + b[i];
        a[4 * i + 2] = a[4 * i + 3];
        a[4 * i + 3] = t;
        if (b[i] & 1) {
            a[4 * i + 2] += a[4 * i];
            a[4 * i + 3] ^= b[i];
        }
    }
}

static void moving(int n, int m, const double *a, double *b)
{
#pragma acc parallel loop present(a[0:n * m], b[0:2 * n])
    for (int i = 0; i < n; i++) {
        const double *p = a + i * m;
        double s = 0, t = 0;
        for (int k = 0; k < m; k += 4) {
            s += p[0] + p[1];
            t += p[2] * p[3];
            p += 4;
        }
        b[2 * i] = s;
        b[2 * i + 1] = t;
    }
}

static void bytes(int n, const unsigned char *a, signed char *b, short *c, long *d)
{
#pragma acc parallel loop present(a[0:4 * n], b[0:4 * n], c[0:4 * n], d[0:2 * n])
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 4; k++) {
            b[4 * i + k] = a[4 * i + 3 - k] - 100;
            c[4 * i + k] = a[4 * i + k] * 100;
        }
        d[2 * i] = a[4 * i] + (1L << 40);
        d[2 * i + 1] = -a[4 * i + 1];
    }
}

static void records(int n, const struct mixed *m, struct mixed *to, struct pair *p)
{
#pragma acc parallel loop present(m[0:n], to[0:n], p[0:n])
    for (int i = 0; i < n; i++) {
        to[i].b = m[i].a;
        to[i].a = m[i].b;
        to[i].d = m[i].c * 2;
        to[i].c = m[i].d + p[i].x;
        for (int k = 0; k < 4; k++)
            to[i].e[k] = m[i].e[3 - k];
        struct pair q = p[i];
        p[i].x = q.y;
        p[i].y = q.x + 1;
    }
}

int main(void)
{
    float *a = malloc(4 * N * sizeof *a + 64), *b = calloc(4 * N + 16, sizeof *b);
    int *c = malloc(4 * N * sizeof *c), *e = malloc(N * sizeof *e);
    double *g = malloc(16 * N * sizeof *g), *h = calloc(2 * N, sizeof *h);
    unsigned char *u = malloc(4 * N);
    signed char *v = malloc(4 * N);
    short *w = malloc(4 * N * sizeof *w);
    long *x = malloc(2 * N * sizeof *x);
    struct mixed *m = malloc(N * sizeof *m), *to = malloc(N * sizeof *to);
    struct pair *p = malloc(N * sizeof *p);
    for (int i = 0; i < 4 * N + 16; i++)
        a[i] = i % 37 * .5f;
    for (int i = 0; i < 4 * N; i++) {
        c[i] = i * 7 % 101;
        u[i] = i * 13;
        g[4 * i] = i;
        g[4 * i + 1] = -i;
        g[4 * i + 2] = i % 5;
        g[4 * i + 3] = .25;
    }
    for (int i = 0; i < N; i++) {
        e[i] = i * 3 % 11;
        m[i] = (struct mixed){ i, -i, i * .5, i * .25, { i, i + 1, i + 2, i + 3 } };
        p[i] = (struct pair){ i, 1000 - i };
    }
#pragma acc data copyin(a[0:4 * N + 16], e[0:N], g[0:16 * N], u[0:4 * N], m[0:N]) copy(b[0:4 * N + 16], c[0:4 * N], p[0:N])   \
    copyout(h[0:2 * N], v[0:4 * N], w[0:4 * N], x[0:2 * N], to[0:N])
    {
        four(N, a, b);
        four(N / 4, a + 3, b);
        four(N / 4, a + 1, b + 2 * N + 3);
        four(N / 8, b + 4, b + 5 + N);
        in_place(N, c, e);
        in_place(N / 2, c + 1, e + 1);
        moving(N, 16, g, h);
        moving(N / 2, 8, g + 2, h);
        bytes(N, u, v, w, x);
        bytes(N / 2, u + 1, v + 2, w + 1, x);
        records(N, m, to, p);
    }
    double s = 0;
    for (int i = 0; i < 4 * N; i++)
        s = s * .99 + b[i] + c[i] + v[i] + w[i];
    for (int i = 0; i < N; i++)
        s += h[2 * i] * 3 + h[2 * i + 1] + x[2 * i] % 1001 + x[2 * i + 1] + to[i].a * 5 + to[i].b + to[i].c * 3 + to[i].d + to[i].e[1] * 7 +
             to[i].e[2] + p[i].x * 11 + p[i].y;
    printf("%.6f\n", s);
}
