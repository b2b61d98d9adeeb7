// Heat flow in a square plate: explicit finite differences, all cores or one, and a picture of the result.
//
//     heat [cells per side] [steps] [picture.png]
//
// The edges are held at a fixed temperature, a few hot and cold discs are there at the start. The plate stays on the
// device for the whole computation (`data`); every step reduces the largest change (`reduction(max:…)`); every
// REPORT steps one row comes back to the host (`update self`).
//
// Directives are the only difference to a sequential program: any C compiler builds this file.

#include "png.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define REPORT 500

static double seconds(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void disc(int n, double *u, double x, double y, double radius, double value)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            double dy = (double)i / n - y, dx = (double)j / n - x;
            if (dx * dx + dy * dy < radius * radius)
                u[i * n + j] = value;
        }
}

static void start(int n, double *u, double *v)
{
    for (int k = 0; k < n * n; k++)
        u[k] = 20;
    for (int k = 0; k < n; k++) {
        u[k] = 20 + 80.0 * k / n;            // top edge
        u[(n - 1) * n + k] = 100;            // bottom edge
        u[k * n + n - 1] = 100;              // right edge
    }
    disc(n, u, 0.30, 0.35, 0.16, 95);
    disc(n, u, 0.62, 0.60, 0.20, 0);
    disc(n, u, 0.70, 0.22, 0.09, 80);
    disc(n, u, 0.22, 0.75, 0.11, 60);
    for (int k = 0; k < n * n; k++)
        v[k] = u[k];
}

// One time step from u to v; returns the largest change of a cell.
static double step(int n, const double *restrict u, double *restrict v)
{
    double change = 0;
#pragma acc parallel loop gang present(u[0:n * n], v[0:n * n]) reduction(max:change)
    for (int i = 1; i < n - 1; i++) {
#pragma acc loop vector reduction(max:change)
        for (int j = 1; j < n - 1; j++) {
            int k = i * n + j;
            double d = 0.2 * (u[k - n] + u[k + n] + u[k - 1] + u[k + 1] - 4 * u[k]);
            v[k] = u[k] + d;
            change = fabs(d) > change ? fabs(d) : change;
        }
    }
    return change;
}

static double row_mean(int n, const double *row)
{
    double sum = 0;
    for (int j = 0; j < n; j++)
        sum += row[j];
    return sum / n;
}

static int picture(const char *file, int n, const double *u)
{
    int size = n < 600 ? n : 600;
    unsigned char *pixels = malloc((size_t)size * (size_t)size);
    if (!pixels)
        return 0;
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            double t = u[(long)y * n / size * n + (long)x * n / size] / 100;
            pixels[y * size + x] = (unsigned char)(255 * fmin(fmax(t, 0), 1));
        }
    int ok = png_write(file, size, size, pixels);
    free(pixels);
    return ok;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    int steps = argc > 2 ? atoi(argv[2]) : 2000;
    if (n < 3 || n > 20000 || steps < 0) {
        fprintf(stderr, "usage: heat [cells per side: 3 to 20000] [steps] [picture.png]\n");
        return 2;
    }
    double *u = malloc((size_t)n * (size_t)n * sizeof *u), *v = malloc((size_t)n * (size_t)n * sizeof *v);
    if (!u || !v) {
        fprintf(stderr, "heat: out of memory\n");
        return 1;
    }
    start(n, u, v);

    double *first = u, *second = v, change = 0, begin = seconds();
#pragma acc data copy(first[0:n * n]) copyin(second[0:n * n])
    {
        double *from = first, *to = second;
        for (int t = 1; t <= steps; t++) {
            change = step(n, from, to);
            double *swap = from;
            from = to;
            to = swap;
            if (t % REPORT == 0) {
                double *row = from + n / 2 * n;
#pragma acc update self(row[0:n])
                printf("step %6d   largest change %.6f   mean of the middle row %.4f\n", t, change, row_mean(n, row));
            }
        }
        if (from == second) {
            // The result must be in `first`, the one that is copied back.
#pragma acc parallel loop present(first[0:n * n], second[0:n * n])
            for (int k = 0; k < n * n; k++)
                first[k] = second[k];
        }
    }
    double time = seconds() - begin;

    double sum = 0;
    for (int k = 0; k < n * n; k++)
        sum += u[k];
    printf("mean %.9f\ntime %.3f s   %.0f million cells per second\n", sum / n / n, time, 1e-6 * n * n * steps / time);
    int ok = argc <= 3 || picture(argv[3], n, u);
    if (!ok)
        fprintf(stderr, "heat: cannot write %s\n", argv[3]);
    free(u);
    free(v);
    return !ok;
}
