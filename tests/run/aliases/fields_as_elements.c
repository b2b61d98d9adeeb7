// Structs of numbers of one type as arrays: pointers to a field, or to the struct by a cast, go on to the fields behind and before it,
// and what they write is there where the fields are read by their names.
#include <stdio.h>

enum { N = 100 };

struct cell { double a, b, c; };
struct body { struct { float x, y, z; } place, speed; int count; };
struct pair { long first, last; };

// From the first field on, in a loop that goes on as long as the fields say.
static double first(int n, struct cell *x)
{
    double s = 0;
#pragma acc parallel loop copy(x[0:n]) reduction(+ : s)
    for (int i = 0; i < n; i++) {
        struct cell y = x[i];
        double *v = &y.a, t = 0;
        while (t < 10) {
            double size = y.a + 2 * y.b + 3 * y.c;
            for (int k = 0; k < 3; k++)
                v[k] += 1 + k;
            t += 1 + size / 1024;
        }
        x[i] = y;
        s += t;
    }
    return s;
}

static void add(double *v, int n, double what)
{
    for (int k = 0; k < n; k++)
        v[k] += what * (k + 1);
}

// The struct as an array by a cast, in a function too, and from its last field back.
static void cast(int n, struct cell *x)
{
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++) {
        struct cell y = {x[i].c, x[i].a, x[i].b};
        add((double *)&y, 3, y.b);
        y.a += y.c;
        double *last = &y.c;
        last[-1] += y.a;
        last[-2] -= last[0];
        x[i] = (struct cell){y.b, y.c, y.a};
    }
}

// In memory that all see: what is written behind one field's address is read by the others' names.
static void in_place(int n, struct cell *x)
{
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++) {
        double *v = &x[i].a, before = x[i].b + x[i].c;
        v[1] = 2 * v[0] + before;
        v[2] = x[i].b + 1;
        x[i].a = x[i].b - x[i].c;
        v[1] += v[0] * x[i].c;
        x[i].c += x[i].b;
    }
}

// A struct in a struct, whose fields a variable index chooses.
static void chosen(int n, struct body *x)
{
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++) {
        struct body y = x[i];
        float *at = &y.place.x, *speed = (float *)&y.speed;
        for (int step = 0; step < y.count; step++) {
            at[(i + step) % 3] += speed[step % 3];
            speed[i % 3] *= 0.5f;
            y.speed.y += y.place.z;
        }
        x[i] = y;
    }
}

// An array of structs as one array.
static long all(int n, const struct pair *x)
{
    long s = 0;
#pragma acc parallel loop copyin(x[0:n]) reduction(+ : s)
    for (int i = 0; i < n; i++) {
        struct pair y[3] = {x[i], {i, -i}, {3, 4}};
        long *v = &y[0].first;
        for (int k = 0; k < 5; k++)
            v[k + 1] += v[k] * (k + y[1].last % 7);
        y[i % 3].first ^= y[2].last;
        s += y[0].first + 3 * y[0].last + 5 * y[1].first + 7 * y[1].last + 11 * y[2].first + 13 * y[2].last + v[i % 6];
    }
    return s;
}

int main(void)
{
    struct cell x[N];
    struct body b[N];
    struct pair p[N];
    double s = 0, t = 0;
    for (int i = 0; i < N; i++) {
        x[i] = (struct cell){i, i + 1, i + 2};
        b[i].place.x = i, b[i].place.y = 2 * i, b[i].place.z = i + 3;
        b[i].speed.x = 8, b[i].speed.y = 16, b[i].speed.z = 4;
        b[i].count = i % 7;
        p[i] = (struct pair){i * 5 % 11, i * 3 % 7};
    }
    printf("first %.12g", first(N, x));
    for (int i = 0; i < N; i++)
        s += x[i].a + 2 * x[i].b + 4 * x[i].c;
    printf(" %.12g\n", s);
    for (int i = 0; i < N; i++)
        x[i] = (struct cell){i % 5, i % 7 + 1, i % 3 + 2};
    cast(N, x);
    s = 0;
    for (int i = 0; i < N; i++)
        s += x[i].a + 2 * x[i].b + 4 * x[i].c;
    printf("cast %.12g\n", s);
    in_place(N, x);
    s = 0;
    for (int i = 0; i < N; i++)
        s += x[i].a + 2 * x[i].b + 4 * x[i].c;
    printf("in place %.12g\n", s);
    chosen(N, b);
    for (int i = 0; i < N; i++)
        t += b[i].place.x + 2 * b[i].place.y + 3 * b[i].place.z + 5 * b[i].speed.x + 7 * b[i].speed.y + 11 * b[i].speed.z;
    printf("chosen %.9g\n", t);
    printf("all %ld\n", all(N, p));
    return 0;
}
