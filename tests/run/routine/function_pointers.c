// Calls through pointers to functions: variables, tables, members, parameters, casts; of routines, library functions and structs.
#include <math.h>
#include <stdio.h>

typedef double (*Function)(double);
typedef struct { double x, y; } Point;

struct operation {
    const char *name;
    int (*apply)(int, int);
    int weight;
};

#pragma acc routine seq
static int add(int a, int b) { return a + b; }
#pragma acc routine seq
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b);

static int (*const table[3])(int, int) = {add, subtract, multiply};
static struct operation operations[3] = {{"add", add, 1}, {"subtract", &subtract, 2}, {"multiply", multiply, 3}};

static Point mirrored(Point p) { return (Point){p.y, p.x}; }
static Point doubled(Point p) { return (Point){2 * p.x, 2 * p.y}; }
static void increment(int *p) { *p += 1; }
static void halve(int *p) { *p /= 2; }
static unsigned char narrow(signed char c) { return (unsigned char)(c + 1); }

static double apply(Function f, double x) { return f(x); }
static int fold(int (*f)(int, int), const int *v, int n)
{
    int r = v[0];
    for (int i = 1; i < n; i++)
        r = (*f)(r, v[i]);
    return r;
}

static int multiply(int a, int b) { return a * b; }

static int (*chosen(int i))(int, int) { return i % 2 ? add : multiply; }

static void choose(struct operation *o, int i) { o->apply = i == 0 ? multiply : add; }

int main(void)
{
    enum { N = 60 };
    int a[N], b[N], c[N];
    double d[N], e[N];
    int v[5] = {3, 1, 4, 1, 5};
    Function f = sqrt, g = fabs;
    Point p[N];
    for (int i = 0; i < N; i++)
        p[i] = (Point){i, -i};

#pragma acc parallel loop copyout(a)
    for (int i = 0; i < N; i++)
        a[i] = table[i % 3](i, 7);

#pragma acc parallel loop copyin(operations) copyout(b)
    for (int i = 0; i < N; i++)
        b[i] = operations[i % 3].weight * (*operations[i % 3].apply)(i, 2);

    struct operation changed = {"changed", 0, 5};
    choose(&changed, 0);
#pragma acc kernels loop copyout(c)
    for (int i = 0; i < N; i++)
        c[i] = changed.apply(i, changed.weight) + (changed.apply == multiply) + (changed.apply != &add);

#pragma acc parallel loop copyout(d, e)
    for (int i = 0; i < N; i++) {
        d[i] = f(i) + apply(g, -i) + apply(i % 2 ? sqrt : fabs, i);
        Function h = i % 3 ? f : g;
        e[i] = (**h)(i * 0.5) + (h ? 1 : 0);
    }

    Point (*move)(Point) = v[0] == 3 ? mirrored : doubled;
#pragma acc parallel loop gang vector copy(p) firstprivate(move)
    for (int i = 0; i < N; i++)
        p[i] = (i < 30 ? move : doubled)(p[i]);

    int total = 0, w[N] = {0};
    void (*step[])(int *) = {increment, halve};
#pragma acc parallel loop copyin(v, step) reduction(+:total) copy(w)
    for (int i = 0; i < N; i++) {
        total += fold(chosen(i), v, 5) + fold(table[i % 3], v, 1 + i % 5);
        w[i] = i;
        step[i % 2](&w[i]);
    }

    unsigned char (*n)(signed char) = narrow;
    int narrowed = 0;
#pragma acc serial copy(narrowed)
    narrowed = n(-1) + n(127) + n((signed char)200);

    double s = 0;
    for (int i = 0; i < N; i++)
        s += a[i] + 3 * b[i] + 5 * c[i] + d[i] + e[i] + p[i].x - 2 * p[i].y + w[i] * i;
    printf("%.6f %d %d\n", s, total, narrowed);
    return 0;
}
