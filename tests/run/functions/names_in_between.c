// Variables of the file that functions use which a region calls: where the region is, their names mean something else, or nothing yet.
#include <stdio.h>

struct pair { int x; double y; };
static int later(int i);
static double total(void);

static void run_early(int *out)
{
#pragma acc serial copyout(out[0:1])
    *out = later(1);
}

int n = 50, table[3] = {1, 2, 3};
static double weights[2][3] = {{1, 2, 3}, {4, 5, 6}}, *chosen;
static struct pair both = {7, 0.5};

static int count(void) { return n; }
static int element(int i) { return table[i] + n; }
static double weight(int i) { return weights[1][i] * both.y + both.x; }

static int shadowed(int table)
{
    int n = 3, found = 0;
    double weights = 0.25;
    struct pair both = {1, 2};
#pragma acc serial copy(found)
    found = count() + n;
    printf("%d\n", found);
#pragma acc serial copy(found)
    {
        int n = 1000;
        found += element(2) + table + n;
    }
    printf("%d\n", found);
    double sum = 0;
#pragma acc parallel loop reduction(+: sum)
    for (int i = 0; i < 3; i++) sum += weight(i) * weights + both.y;
    printf("%g\n", sum);
    return n;
}

static double through_pointer(long chosen)
{
    double s = 0;
#pragma acc serial copy(s)
    s = total() + chosen;
    return s;
}

int main(void)
{
    int first;
    run_early(&first);
    printf("%d\n", first);
    printf("%d\n", shadowed(9));
    chosen = weights[1];
#pragma acc data copyin(chosen[0:3])
    printf("%g\n", through_pointer(100));
    return 0;
}

struct record { char tag; struct pair inside[2]; };
static struct record last = {'a', {{1, 2}, {3, 4}}};
static int limits[4] = {1, 20, 300, 4000};
static int later(int i) { return limits[i] + last.inside[1].x + last.tag; }
static double total(void) { return chosen[0] + chosen[2]; }
