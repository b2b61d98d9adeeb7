// Structs of numbers of one type as one array in `kernels`: a pointer to a field that goes on into the next struct.
#include <stdio.h>

enum { N = 200 };

struct cell { double a, b, c; };

// Each iteration reads what the one behind it writes.
static void shift(int n, struct cell *restrict x)
{
#pragma acc kernels loop copy(x[0:n])
    for (int i = 0; i < n - 1; i++) {
        double *v = &x[i].a;
        v[0] = v[3] + v[5] + 1;
        v[4] += v[0];
    }
}

// By the letter of the struct.
static void same(int n, struct cell *restrict x)
{
#pragma acc kernels loop copy(x[0:n])
    for (int i = 0; i < n - 1; i++) {
        x[i].a = x[i + 1].a + x[i + 1].c + 1;
        x[i + 1].b += x[i].a;
    }
}

// Independent: each has its own fields.
static void own(int n, struct cell *restrict x)
{
#pragma acc kernels loop copy(x[0:n])
    for (int i = 0; i < n; i++) {
        double *v = &x[i].a;
        v[1] += v[0];
        x[i].c -= v[1];
    }
}

static double sum(int n, const struct cell *x)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i].a + 2 * x[i].b + 4 * x[i].c;
    return s;
}

int main(void)
{
    struct cell x[N];
    for (int i = 0; i < N; i++)
        x[i] = (struct cell){i % 7, i % 5 + 1, i % 11 + 2};
    shift(N, x);
    printf("%.12g\n", sum(N, x));
    same(N, x);
    printf("%.12g\n", sum(N, x));
    own(N, x);
    printf("%.12g\n", sum(N, x));
    return 0;
}
