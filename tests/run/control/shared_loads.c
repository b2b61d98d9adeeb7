// What both arms of a branch load is loaded before it, unless an arm has written there; and quotients and remainders of numbers that may be
// below zero, which are compared and used.
#include <stdio.h>

enum { N = 500 };

static void sums(int n, const double *x, const double *c, double *even, double *odd)
{
#pragma acc parallel loop copyin(x[0:n], c[0:2 * n]) copyout(even[0:n], odd[0:n])
    for (int i = 0; i < n; i++) {
        double here = x[i], before = 0.5, e = 0, o = 0;
        for (int k = i; k < n; k++) {
            if ((k - i) % 2 == 0) {
                e += here * c[2 * k];
                o -= c[2 * k + 1];
            } else {
                o += here * c[2 * k];
                e -= c[2 * k + 1] / 2;
            }
            double next = x[k] * here - 0.25 * before;
            before = here;
            here = next;
        }
        even[i] = e;
        odd[i] = o;
    }
}

// The first arm writes before it reads, the second one does not; `p` and `q` may lead to the same.
static void written(int n, int *p, int *q, const int *kind, int *out)
{
#pragma acc parallel loop copy(p[0:n], q[0:n]) copyin(kind[0:n]) copyout(out[0:n])
    for (int i = 0; i < n; i++) {
        int sum = 0, last = 3;
        if (kind[i] > 2) {
            p[i] = kind[i];
            sum += q[i];
            last = sum;
            sum += last;
        } else if (kind[i] > 0) {
            sum += q[i];
            q[i] = sum + 1;
            sum += q[i] + last;
        } else {
            sum -= q[i];
            p[i]++;
            sum += last + q[i];
        }
        out[i] = sum + last;
    }
}

static void divided(int n, const int *x, int *out)
{
#pragma acc parallel loop copyin(x[0:n]) copyout(out[0:5 * n])
    for (int i = 0; i < n; i++) {
        int v = x[i], odd = v % 2 != 0, third = v % 4 == 0 ? 1 : 2;
        out[5 * i] = odd + 2 * third + 10 * (v % 2 == 1);
        out[5 * i + 1] = v / 4 + v % 4;
        out[5 * i + 2] = i / 16 * 3 + i % 16 + (i - 250) / 8 + (i - 250) % 8;
        out[5 * i + 3] = (i + 3) / 7 - (i % 300 - 299) / 7 + (i - 499) % 5;
        long wide = (long)v * (1L << 20);
        out[5 * i + 4] = (int)(wide / 4096) + (int)(wide % 100) + (wide % 8 == 0);
    }
}

int main(void)
{
    static double x[N], c[2 * N], even[N], odd[N];
    static int p[N], q[N], kind[N], out[5 * N];
    double s = 0;
    long t = 0;
    for (int i = 0; i < N; i++) {
        x[i] = (i % 17) / 16.0;
        c[2 * i] = i % 5, c[2 * i + 1] = i % 3;
        p[i] = i, q[i] = 2 * i;
        kind[i] = i % 6 - 1;
    }
    sums(N, x, c, even, odd);
    for (int i = 0; i < N; i++)
        s += even[i] + 2 * odd[i];
    printf("%.9g\n", s);
    written(N, p, q, kind, out);
    for (int i = 0; i < N; i++)
        t += (long)out[i] * (i % 13) + p[i] + 3 * q[i];
    printf("%ld\n", t);
    written(N, p, p, kind, out);
    for (int i = 0; i < N; i++)
        t += (long)out[i] * (i % 13) + p[i];
    printf("%ld\n", t);
    for (int i = 0; i < N; i++)
        p[i] = (i - 250) * 3;
    divided(N, p, out);
    for (int i = 0; i < 5 * N; i++)
        t = t * 3 % 1000003 + out[i];
    printf("%ld\n", t);
    return 0;
}
