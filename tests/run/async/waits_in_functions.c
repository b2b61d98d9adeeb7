// Constructs in functions that loops of the host call: what may tell whether they are complete waits first, wherever it stands
// in an expression, an initialiser, a condition, a loop or a called function.
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000 };
static volatile int tick;
static float seen;

static void add(int n, float *a, float x)
{
#pragma acc parallel loop present(a[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] += x;
}

static float first(int n, float *a)
{
    float value = 0;
#pragma acc parallel loop present(a[0:n]) reduction(+ : value)
    for (int i = 0; i < n; i++)
        value += i == 0 ? a[i] : 0;
    return value;
}

// Tells by a directive.
static int fetch(float *a)
{
#pragma acc update self(a[0:1])
    return (int)a[0];
}

static void swap_scaled(int n, float **a, float **b)
{
    float *from = *a, *to = *b;
#pragma acc parallel loop present(from[0:n], to[0:n])
    for (int i = 0; i < n; i++)
        to[i] = from[i] / 2;
    *a = to;
    *b = from;
}

static int step(int n, float *a, int k)
{
    add(n, a, k);
    if (k % 3 == 0) {
        int value = fetch(a), twice = 2 * fetch(a);
        printf("step %d: %d %d\n", k, value, twice);
        return 1;
    }
    for (int turn = 0; turn < 2; turn++)
        tick++;
    return 0;
}

static int more(void) { return tick < 1000; }

// Calls itself: what it has is not known when it is called.
static int deep(int n, float *a, int depth)
{
    if (depth == 0)
        return 0;
    add(n, a, 1);
    return 1 + deep(n, a, depth - 1);
}

static void run(int n, float *a, float *b)
{
    int count = 0;
    for (int k = 0; k < 6; k++)
        count += step(n, a, k);
    printf("count %d, first %g\n", count, first(n, a));
    for (int k = 0; k < 3; k++) {
        add(n, a, 1);
        swap_scaled(n, &a, &b);
        int x = fetch(a), y[2] = {fetch(b), 1}, *z = (int *)malloc(sizeof(int)), w = (count++, y[0]);
        *z = x + y[0] + y[1] + w;
        switch (abs(*z) % 2) {
        case 0:
            printf("even %d\n", *z);
            break;
        default:
            printf("odd %d\n", *z);
        }
        free(z);
    }
    int left = 3;
    while (more() && left-- > 0)
        add(n, a, 2);
    do {
        add(n, a, 1);
        add(n, a, 1);
    } while (printf("left %d\n", left) < 0 || ++left < 2);
    for (int k = 0; k < 2; printf("end of %d\n", k), k++) {
        add(n, a, k);
        if (fetch(a) < 0)
            break;
        if (k == 0)
            printf("first\n");
        else
            printf("second\n");
        for (int i = 0; i < 3; i++)
            printf("%d%s", i, i == 2 ? "\n" : " ");
    }
    for (int k = 0; k < 2; k++) {
#pragma acc data copyin(b[0:n])
        add(n, b, 1);
#pragma acc data present(a[0:n])
        {
            add(n, a, 1);
#pragma acc update self(a[0:1])
            seen += a[0];
        }
    }
    for (int k = 0; k < 2; k++)
        printf("deep %d\n", deep(n, a, 3));
    printf("fetched %d, seen %g\n", fetch(a), seen);
}

// Leaves the loop, and the stretch, in the middle.
static int leave(int n, float *a)
{
    for (int k = 0; k < 5; k++) {
        add(n, a, 1);
        if (k == 2)
            return fetch(a);
        add(n, a, 1);
    }
    return -1;
}

int main(void)
{
    float a[N], b[N];
    for (int i = 0; i < N; i++)
        a[i] = b[i] = i % 10;
#pragma acc data copy(a, b)
    {
        run(N, a, b);
        printf("left at %d\n", leave(N, a));
        for (int k = 0; k < 4; k++)
            add(N, b, 1);
    }
    float sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[i] + 2 * b[i];
    printf("sum %g\n", sum);
    return 0;
}
