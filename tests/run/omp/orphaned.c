// Constructs in functions that regions call: which threads they are for is known where the function is called.
// cflags: -fopenmp
// expect-output: orphaned.expect
// launches: 10
#include <omp.h>
#include <stdio.h>
#define N 64

#pragma omp declare target
static void add(int *sum, int value) {
    #pragma omp atomic
    *sum += value;
}

static int me(void) { return omp_get_thread_num(); }

static int clipped(int x) {
    if (x < 0)
        return 0;
    if (x > me() + 100)
        return -1;
    return x;
}

void fill(int *a, int n, int factor) {
    #pragma omp for
    for (int i = 0; i < n; i++)
        a[i] = factor * i;
}

static void halves(int *a, int *b, int n) {
    fill(a, n, 3);
    #pragma omp barrier
    #pragma omp for nowait
    for (int i = 0; i < n; i++)
        b[i] = a[n - 1 - i] + 1;
}

static double scaled_sum(const double *x, int n, double factor) {
    double sum = 0;
    #pragma omp simd reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += factor * x[i];
    return sum;
}

static int rows(int *a, int n) {
    int most = 0;
    #pragma omp parallel for reduction(max: most)
    for (int i = 0; i < n; i++) {
        a[i] += 1;
        most = a[i] > most ? a[i] : most;
    }
    return most;
}

static int team_sum(const int *a, int n, int *parts) {
    int total = 0;
    #pragma omp parallel num_threads(4) shared(total)
    {
        int mine = 0;
        #pragma omp for
        for (int i = 0; i < n; i++)
            mine += a[i];
        parts[omp_get_thread_num()] = mine;
        #pragma omp atomic
        total += mine;
    }
    return total;
}

static void once(int *a) {
    #pragma omp single
    a[0] += 1000;
    #pragma omp masked
    a[1] += me() + 5;
}

struct list { int value, next; };

static int list_sum(const struct list *l, int first) {
    int result = 0;
    #pragma omp taskgroup task_reduction(+: result)
    for (int at = first; at >= 0; at = l[at].next) {
        #pragma omp task in_reduction(+: result)
        result += l[at].value;
    }
    return result;
}
#pragma omp end declare target

// The host calls the same functions.
static int on_host(void) {
    int v[8], sum = 0;
    #pragma omp parallel num_threads(2)
    fill(v, 8, 2);
    for (int i = 0; i < 8; i++)
        add(&sum, v[i]);
    return sum + rows(v, 8);
}

/* Nobody meets behind the loop that it leaves. */
static int fill_and_find(int *a, int n, int wanted)
{
    #pragma omp for
    for (int i = 0; i < n; i++)
        a[i] = 3 * i + 1;
    for (int i = 0; i < n; i++)
        if (a[i] >= wanted)
            return i;
    return -1;
}

int main(void) {
    int a[N], b[N], parts[4], sum = 0, total = 0, most = 0;
    double x[N], r = 0;
    for (int i = 0; i < N; i++) {
        a[i] = i;
        x[i] = i * 0.5;
    }
    #pragma omp target teams distribute parallel for map(tofrom: sum) map(to: a)
    for (int i = 0; i < N; i++)
        add(&sum, a[i]);
    printf("%d\n", sum);

    #pragma omp target parallel num_threads(8) map(from: a, b)
    halves(a, b, N);
    printf("%d %d %d\n", a[1], b[0], b[63]);

    #pragma omp target map(to: x) map(from: r)
    r = scaled_sum(x, N, 2) + scaled_sum(x + 1, N - 1, 0.5);
    printf("%g\n", r);

    #pragma omp target map(tofrom: a, parts) map(from: most, total)
    {
        most = rows(a, N);
        total = team_sum(a, N, parts);
    }
    printf("%d %d %d\n", most, total, parts[0] + parts[1] + parts[2] + parts[3] == total);

    #pragma omp target parallel map(tofrom: a, b) num_threads(16)
    {
        once(a);
        b[me()] = clipped((int)me() * 20 - 20);
    }
    printf("%d %d %d %d %d %d\n", a[0], a[1], b[0], b[1], b[6], b[15]);

    #pragma omp target teams num_teams(3) map(tofrom: b)
    #pragma omp parallel num_threads(4)
    {
        if (omp_get_team_num() == 1)
            b[me()] = 7 * me();
        #pragma omp for
        for (int i = 8; i < 16; i++)
            if (omp_get_team_num() == 2)
                b[i] = clipped(i);
    }
    printf("%d %d %d\n", b[0], b[3], b[15]);

    struct list l[5] = {{1, 2}, {10, -1}, {100, 4}, {1000, 1}, {10000, 3}};
    int found = 0;
    #pragma omp target parallel map(to: l) map(from: found) num_threads(2)
    #pragma omp single
    found = list_sum(l, 0);
    printf("%d\n", found);

    #pragma omp target parallel for num_threads(4) map(from: b)
    for (int i = 0; i < N; i++)
        b[i] = me() < 4 && clipped(-i) == 0;
    int all = 1;
    for (int i = 0; i < N; i++)
        all &= b[i];
    printf("%d %d\n", all, on_host());

    #pragma omp target parallel num_threads(4) map(from: a, b)
    {
        b[me()] = fill_and_find(a, N, 40 * ((int)me() + 1));
        b[4 + me()] = me() == 2 ? -1 : (int)me();
    }
    printf("%d %d %d %d %d %d\n", b[0], b[1], b[2], b[3], b[6], a[N - 1]);

    /* What a thread has computed before it comes to the barrier in a function. */
    #pragma omp target parallel num_threads(4) map(from: a, b)
    {
        int at = 2 * me();
        long sum = at + 100;
        b[at++] = fill_and_find(a, N, 40);
        b[at] = sum + at + fill_and_find(a, N, 10 * at);
    }
    printf("%d %d %d %d %d\n", b[0], b[1], b[2], b[6], b[7]);
    return 0;
}
