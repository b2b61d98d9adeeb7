// Scalars in kernels constructs that iterations assign before they use them, and others whose last values the host uses.
// launches: 6
#include <stdio.h>

enum { M = 30, N = 80 };
static double x[M][N], y[M][N];

static void show(const char *what)
{
    double sum = 0;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            sum += y[i][j] * (i + 2 * j);
    printf("%s %.10g\n", what, sum);
}

static void add(double *to, double what)
{
    *to += what;
}

static int with_label(int n)
{
    int i, t = 0, last = 0;
again:
    last += t;
#pragma acc kernels copy(y)
    for (i = 0; i < M; i++) {
        t = i + n;
        y[i][0] = t;
    }
    if (--n > 0)
        goto again;
    return last;
}

int main(void)
{
    int i, j, k, found = -1, last, first = 1, n = N;
    double t, u, v, d, kept = 0, passed = 0, *row;
    for (i = 0; i < M; i++)
        for (j = 0; j < N; j++)
            x[i][j] = i * j % 17;
    // Found to be independent, but for `last`.
#pragma acc kernels copyin(x) copyout(y)
    for (i = 0; i < M; i++) {
        for (j = 0; j < N; j++) {
            t = x[i][j];
            for (k = 0; k < 3; k++)
                t += k;
            y[i][j] = t * k;
            last = j;
        }
    }
    show("nest");
    printf("%d\n", last);
    // Said to be.
#pragma acc kernels loop gang independent copyin(x) copyout(y)
    for (i = 0; i < M; i++) {
        row = x[i];
        u = first;
#pragma acc loop vector independent
        for (j = 0; j < N; j++) {
            if (row[j] > 3)
                v = row[j];
            else
                v = u;
            y[i][j] = v * v;
            if (i == 7 && j == 9)
                found = i * j;
        }
    }
    show("independent");
    printf("%d\n", found);
    // Two loops; `kept` is printed.
#pragma acc kernels copyin(x) copy(y)
    {
        for (i = 0; i < M; i++) {
            t = i;
            y[i][0] = t;
        }
        for (i = 0; i < M; i++) {
            kept = x[i][2];
            t = kept;
            y[i][1] = t + kept;
        }
    }
    show("two");
    printf("%g\n", kept);
    // An inner loop reduces it, and so does another construct.
#pragma acc kernels loop gang independent copyin(x) copy(y)
    for (i = 0; i < M; i++) {
        d = i;
#pragma acc loop vector reduction(+:d)
        for (j = 0; j < n; j++)
            d += x[i][j];
        y[i][3] = d;
    }
    d = 0;
#pragma acc kernels loop reduction(+:d) copyin(y)
    for (i = 0; i < M; i++)
        d += y[i][3];
    printf("%g\n", d);
    // Its address is known elsewhere, and the next round uses it.
    add(&passed, 1);
    for (int round = 0; round < 2; round++) {
        t += round;
#pragma acc kernels copyin(x) copy(y)
        for (i = 0; i < M; i++) {
            t = x[i][4];
            passed = t;
            y[i][5] = passed + t;
        }
        add(&passed, t);
        printf("%g %g\n", t, passed);
    }
    show("end");
    printf("%d\n", with_label(3));
    show("label");
    return 0;
}
