// Metadirectives that are decided when the program runs: in a region, in a function that a region calls, as a region, around teams; several
// conditions, with scores; between `begin` and `end`; standalone ones.
// cflags: -fopenmp
// expect-output: metadirective_conditions.expect
// launches: 18
#include <omp.h>
#include <stdio.h>
#define N 64

static int a[N];

static int wrong(int factor) {
    int n = 0;
    for (int i = 0; i < N; i++)
        n += a[i] != factor * i;
    return n;
}

#pragma omp declare target
static int threads(int many) {
    int n = 0;
    #pragma omp metadirective when(user={condition(many > 4)}: parallel num_threads(8)) otherwise(parallel num_threads(2))
    {
        #pragma omp single
        n = omp_get_num_threads();
    }
    return n;
}
#pragma omp end declare target

static void scale(int factor, int n, unsigned parallel) {
    #pragma omp target map(from: a)
    {
        #pragma omp metadirective when(user={condition(parallel)}: parallel for) \
            otherwise(nothing)
        for (int i = 0; i < n; i++)
            a[i] = factor * i;
    }
}

static int teams_of(int many) {
    int n = 0;
    #pragma omp target map(from: n)
    #pragma omp metadirective when(user={condition(many)}: teams num_teams(3)) default(teams num_teams(1))
    {
        if (omp_get_team_num() == 0)
            n = omp_get_num_teams();
    }
    return n;
}

static int best(int one, size_t two, const int *three) {
    int n = -1;
    #pragma omp target map(from: n) map(to: three[0:1])
    #pragma omp parallel num_threads(4)
    {
        #pragma omp metadirective when(user={condition(one)}: masked) when(user={condition(score(5): two == 2)}: single) \
            when(user={condition(score(2): *three > 0)}: critical) otherwise(masked)
        n = one + 10 * (two == 2) + 100 * (*three > 0);
    }
    return n;
}

static int region(int on_device, int size) {
    int n = 0;
    if (size)
        #pragma omp metadirective when(user={condition(on_device != 0)}: target teams distribute parallel for map(tofrom: n) reduction(+: n)) \
            otherwise(parallel for reduction(+: n))
        for (int i = 0; i < size; i++)
            if (i % 2)
                n += i;
            else
                n -= 1;
    else
        n = -7;
    return n;
}

int main(void) {
    for (int parallel = 0; parallel < 2; parallel++) {
        scale(3 + parallel, N, parallel);
        printf("%d\n", wrong(3 + parallel));
    }
    int n[2] = {0, 0};
    #pragma omp target map(from: n)
    {
        n[0] = threads(2);
        n[1] = threads(5);
    }
    printf("%d %d\n", n[0], n[1]);
    printf("%d %d\n", teams_of(0), teams_of(5));
    for (int i = 0; i < 8; i++) {
        int three = i / 4;
        printf(" %d", best(i % 2, i & 2, &three));
    }
    printf("\n%d %d %d\n", region(0, 10), region(1, 10), region(1, 0));

    // Data that stay or go.
    for (int keep = 0; keep < 2; keep++) {
        int b[4] = {1, 2, 3, 4};
        #pragma omp target enter data map(to: b)
        #pragma omp target
        for (int i = 0; i < 4; i++)
            b[i] *= 10;
        #pragma omp metadirective when(user={condition(keep)}: target exit data map(from: b)) otherwise(target exit data map(delete: b))
        printf("%d\n", b[0] == 10 || !keep);
    }

    #pragma omp target map(tofrom: n)
    {
        #pragma omp begin metadirective when(user={condition(n[0] == 2)}: parallel num_threads(4)) otherwise(parallel num_threads(2))
        #pragma omp critical
        n[1] += 1;
        if (omp_get_thread_num() == 0)
            n[0] = omp_get_num_threads();
        #pragma omp end metadirective
    }
    printf("%d %d\n", n[0], n[1]);
    #pragma omp begin metadirective when(user={condition(1)}: target teams distribute parallel for map(from: a)) otherwise(parallel for)
    for (int i = 0; i < N; i++)
        a[i] = 9 * i;
    #pragma omp end metadirective
    printf("%d\n", wrong(9));
    return 0;
}
