// Rows of pointers that several launches name: the same, exchanged, replaced, given up inside of a region, of three levels, in structs.
#include <stdio.h>
#include <stdlib.h>

enum { N = 5, M = 7 };

struct table {
    int n;
    int **rows;
    int *sums;
};

static int **table(int first)
{
    int **rows = malloc(N * sizeof *rows);
    for (int i = 0; i < N; i++) {
        rows[i] = malloc(M * sizeof **rows);
        for (int k = 0; k < M; k++)
            rows[i][k] = first + 100 * i + k;
    }
    return rows;
}

static void add(int **a, int **b)
{
#pragma acc parallel loop collapse(2) present(a[0:N][0:M], b[0:N][0:M])
    for (int i = 0; i < N; i++)
        for (int k = 0; k < M; k++)
            a[i][k] += b[i][k];
}

static long sum(int **a)
{
    unsigned long all = 0;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < M; k++)
            all = all * 3 + a[i][k];
    return (long)all;
}

int main(void)
{
    int **a = table(1), **b = table(1000);
#pragma acc enter data copyin(a[0:N][0:M], b[0:N][0:M])
    for (int turn = 0; turn < 3; turn++) {
        add(a, b);
        add(b, a);
    }
#pragma acc update self(a[0:N][0:M], b[0:N][0:M])
    printf("again %ld %ld\n", sum(a), sum(b));

    // The host exchanges two rows: the device has to follow.
    int *row = a[1];
    a[1] = a[3];
    a[3] = row;
#pragma acc parallel loop present(a[0:N][0:M])
    for (int k = 0; k < M; k++)
        a[1][k] = -k;
#pragma acc update self(a[0:N][0:M])
    printf("exchanged %ld\n", sum(a));
    row = a[1];
    a[1] = a[3];
    a[3] = row;

    // Two references inside of a region; one goes, and the row stays.
#pragma acc data present(b[0:N][0:M])
    {
        add(a, b);
#pragma acc exit data delete(b[2][0:M])
        add(a, b);
#pragma acc enter data copyin(b[2][0:M])
    }
    add(a, b);
#pragma acc update self(a[0:N][0:M])
    printf("inside %ld\n", sum(a));

    // In queues, with an update in front of each.
    for (int turn = 0; turn < 3; turn++) {
#pragma acc wait(1)
        for (int k = 0; k < M; k++)
            b[turn][k] = turn + k;
#pragma acc update device(b[0:N][0:M]) async(1)
#pragma acc parallel loop collapse(2) present(a[0:N][0:M], b[0:N][0:M]) async(1)
        for (int i = 0; i < N; i++)
            for (int k = 0; k < M; k++)
                a[i][k] -= b[i][k];
    }
#pragma acc wait(1)
#pragma acc update self(a[0:N][0:M])
    printf("queued %ld\n", sum(a));

    // Tables of tables.
    int ***cube = malloc(2 * sizeof *cube);
    cube[0] = a;
    cube[1] = b;
#pragma acc enter data copyin(cube[0:2][0:N][0:M])
    for (int turn = 0; turn < 2; turn++) {
#pragma acc parallel loop collapse(3) present(cube[0:2][0:N][0:M])
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < N; i++)
                for (int k = 0; k < M; k++)
                    cube[j][i][k] += j + 2 * i + 3 * k;
    }
#pragma acc exit data delete(cube[0:2][0:N][0:M])
#pragma acc update self(a[0:N][0:M], b[0:N][0:M])
    printf("cube %ld %ld\n", sum(a), sum(b));
    free(cube);

    // Members of a struct.
    struct table t = {N, a, calloc(N, sizeof(int))};
#pragma acc enter data copyin(t, t.rows[0:N][0:M], t.sums[0:N])
    for (int turn = 0; turn < 3; turn++) {
#pragma acc parallel loop present(t, t.rows[0:N][0:M], t.sums[0:N])
        for (int i = 0; i < t.n; i++)
            for (int k = 0; k < M; k++)
                t.sums[i] += t.rows[i][k];
    }
#pragma acc update self(t.sums[0:N])
    for (int i = 0; i < N; i++)
        printf("%d ", t.sums[i]);
#pragma acc exit data delete(t.sums[0:N], t.rows[0:N][0:M], t)
    printf("\n");

    // Everything ends where its last reference does.
#pragma acc exit data copyout(a[0:N][0:M]) delete(b[0:N][0:M])
    printf("end %ld\n", sum(a));
    for (int i = 0; i < N; i++) {
        free(a[i]);
        free(b[i]);
    }
    free(a);
    free(b);
    free(t.sums);
    return 0;
}
