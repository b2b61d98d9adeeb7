// A local struct that a region only reads is passed by value; one that is mapped, that the region writes or whose address
// goes somewhere keeps to the rule of `copy`.
#include <stddef.h>
#include <stdio.h>

struct grid {
    size_t rows, columns;
    double *values;
    float scale;
};

struct sums {
    int count;
    double total;
};

static int columns_of(const struct grid *g) { return (int)g->columns; }

int main(void)
{
    double values[60], doubled[60] = {0};
    for (int i = 0; i < 60; i++)
        values[i] = i;
    struct grid g = {6, 10, values, 0.5f};
    double *v = g.values;

    // Only read, in loop bounds too.
#pragma acc parallel loop gang copyin(v[0:g.rows * g.columns]) copyout(doubled)
    for (size_t i = 0; i < g.rows; i++)
#pragma acc loop vector
        for (size_t j = 0; j < g.columns; j++)
            doubled[i * g.columns + j] = v[i * g.columns + j] * g.scale * 4;
    printf("%g %g\n", doubled[7], doubled[59]);

    // Mapped around: what is there counts.
    struct grid mapped = g;
    double first = 0;
#pragma acc data copyin(mapped)
    {
        mapped.scale = 3;
#pragma acc update device(mapped)
#pragma acc parallel copyout(first)
        first = mapped.scale * (double)mapped.rows;
    }
    printf("%g\n", first);

    // Its address goes to a function.
    struct grid shown = {2, 3, values, 1};
    int columns = 0;
#pragma acc parallel copyout(columns)
    columns = (int)shown.columns + (int)shown.rows;
    printf("%d %d\n", columns, columns_of(&shown));

    // Written.
    struct sums s = {1, 2};
#pragma acc parallel num_gangs(1)
    {
        s.count += 41;
        s.total *= 4;
    }
    printf("%d %g\n", s.count, s.total);

    // By value at each launch, in a queue.
    double out[3];
    struct sums step = {0, 0.25};
#pragma acc data copyout(out)
    {
        for (int k = 0; k < 3; k++) {
            step.count = k;
            step.total += 1;
#pragma acc parallel async present(out)
            out[step.count] = step.total;
#pragma acc wait
        }
    }
    printf("%g %g %g\n", out[0], out[1], out[2]);
    return 0;
}
