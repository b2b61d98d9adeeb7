// Members of elements of arrays, and what pointers in elements lead to: by constants and variables, of several elements, of arrays and
// pointers, on regions alone and inside of data directives.
// cflags: -fopenmp
// expect-output: members_of_elements.expect
#include <stdio.h>

struct part {
    int n, d[4];
    double *u;
};

struct whole {
    int count;
    struct part *parts;
};

static void set(struct part *g, int l, int n)
{
#pragma omp target map(tofrom : g[l].u[0 : n])
    g[l].u[1] = 5;
#pragma omp target map(tofrom : g[l].u[0 : n], g[l].n)
    {
        g[l].u[0] += g[l].n;
        g[l].n++;
    }
}

int main(void)
{
    double x[3] = {1, 2, 3}, y[3] = {4, 5, 6};
    struct part s[3] = {{3, {1}, x}, {2, {2}, y}, {7, {3}, x}}, *p = s;
    struct whole w = {3, s};
    int i = 1;
#pragma omp target map(tofrom : s[1].n, s[0].n)
    s[1].n = s[0].n + 70;
    printf("%d %d\n", s[0].n, s[1].n);
#pragma omp target map(tofrom : s[0].u[0 : 2], s[1].u[0 : 2])
    s[0].u[0] = s[1].u[1];
    printf("%g %g\n", x[0], y[1]);
    set(s, 1, 3);
    set(p, 0, 3);
    printf("%g %g %g %g %d %d\n", x[0], x[1], y[0], y[1], s[0].n, s[1].n);
#pragma omp target data map(tofrom : s[1].n, s[1].d)
    {
#pragma omp target map(alloc : s[1].n, s[1].d)
        {
            s[1].n = 4;
            s[1].d[1] = 5;
        }
    }
    printf("%d %d\n", s[1].n, s[1].d[1]);
#pragma omp target data map(tofrom : p[i + 1].n, p[i + 1].u[0 : 3])
    {
#pragma omp target map(alloc : p[i + 1].n, p[i + 1].u[0 : 3])
        {
            p[i + 1].n -= 3;
            p[2].u[2] = p[i + 1].n;
        }
    }
    printf("%d %g\n", s[2].n, x[2]);
#pragma omp target enter data map(to : w.parts[i].u[0 : 2])
#pragma omp target map(tofrom : w.parts[i].u[0 : 2])
    w.parts[i].u[1] *= 2;
#pragma omp target exit data map(from : w.parts[i].u[0 : 2])
    printf("%g\n", y[1]);
    // The elements as a whole, and what their pointers lead to.
#pragma omp target enter data map(to : s[0 : 3])
    for (int k = 0; k < 2; k++) {
#pragma omp target enter data map(to : s[k].u[0 : 3])
    }
#pragma omp target
    for (int k = 0; k < 2; k++)
        s[k].u[0] = s[k].n + 100;
    for (int k = 0; k < 2; k++) {
#pragma omp target exit data map(from : s[k].u[0 : 3])
    }
#pragma omp target exit data map(release : s[0 : 3])
    printf("%g %g\n", x[0], y[0]);
    return 0;
}
