// Device memory that is one buffer: pointers in data lead into it, as arguments do; memory of the program's own, copies within the
// device, zeros, and queues.
// modes: opencl (the variable is for such devices)
// env: ACCRUE_OPENCL_ADDRESSES=buffer
// launches: 9
// expect-output: one_buffer.expect

#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 7, N = 3000 };

struct list {
    int length;
    double *values;
    struct list *next;
};

static double held[N];
#pragma acc declare create(held)

int main(void)
{
    // Rows of their own lengths, behind an array of pointers.
    double *rows[ROWS], sum = 0;
    for (int r = 0; r < ROWS; r++) {
        rows[r] = malloc((r + 1) * 10 * sizeof(double));
        for (int i = 0; i < (r + 1) * 10; i++)
            rows[r][i] = r + i * 0.5;
    }
#pragma acc enter data copyin(rows)
    for (int r = 0; r < ROWS; r++) {
#pragma acc enter data copyin(rows[r][0:(r + 1) * 10])
    }
#pragma acc parallel loop present(rows) reduction(+:sum)
    for (int r = 0; r < ROWS; r++)
        for (int i = 0; i < (r + 1) * 10; i++) {
            rows[r][i] *= 2;
            sum += rows[r][i];
        }
    for (int r = 0; r < ROWS; r++) {
#pragma acc exit data copyout(rows[r][0:(r + 1) * 10])
    }
#pragma acc exit data delete(rows)
    printf("%g %g %g\n", sum, rows[0][9], rows[ROWS - 1][69]);

    // A struct whose members lead to data, one of them to another struct.
    double a[40], b[60];
    for (int i = 0; i < 60; i++) {
        b[i] = i;
        if (i < 40)
            a[i] = i * i;
    }
    struct list second = {60, b, NULL}, first = {40, a, &second};
#pragma acc enter data copyin(second, second.values[0:60])
#pragma acc enter data copyin(first, first.values[0:40], first.next[0:1])
    double total = 0;
#pragma acc parallel loop present(first) reduction(+:total)
    for (int i = 0; i < 40; i++)
        total += first.values[i] + first.next->values[i + 20] + first.next->length;
#pragma acc exit data delete(first.next[0:1], first.values[0:40], first)
#pragma acc exit data delete(second.values[0:60], second)
    printf("%g\n", total);

    // The program's own device memory, copies within the device, zeros.
    int *own = acc_malloc(N * sizeof(int)), *other = acc_malloc(N * sizeof(int));
    int host[N], back[N];
    for (int i = 0; i < N; i++)
        host[i] = i * 3;
    acc_memcpy_to_device(own, host, sizeof host);
    acc_memcpy_device(other, own, sizeof host);
#pragma acc parallel loop deviceptr(own, other)
    for (int i = 0; i < N; i++)
        own[i] += other[N - 1 - i];
    acc_memcpy_from_device(back, own, sizeof back);
    printf("%d %d\n", back[0], back[N - 1]);
    acc_free(own);
    acc_free(other);

    int zeros[N];
    memset(zeros, 1, sizeof zeros);
#pragma acc data create(zero: zeros)
    {
#pragma acc parallel loop present(zeros)
        for (int i = 0; i < N; i += 2)
            zeros[i]++;
#pragma acc update self(zeros)
    }
    printf("%d %d\n", zeros[10], zeros[11]);

    // Queues, and a variable that is on the device for good.
    for (int i = 0; i < N; i++)
        held[i] = i;
#pragma acc update device(held) async(1)
    for (int round = 0; round < 5; round++) {
#pragma acc parallel loop async(1)
        for (int i = 0; i < N; i++)
            held[i] += round;
    }
#pragma acc update self(held[100:200]) async(2) wait(1)
#pragma acc wait(2)
    printf("%g %g %g\n", held[99], held[100], held[299]);

    // Part of an array.
    static float plane[50][60];
    for (int i = 0; i < 50; i++)
        for (int j = 0; j < 60; j++)
            plane[i][j] = i * 60 + j;
#pragma acc parallel loop collapse(2) copy(plane[10:20])
    for (int i = 10; i < 30; i++)
        for (int j = 5; j < 35; j++)
            plane[i][j] = -plane[i][j];
    printf("%g %g %g\n", plane[10][4], plane[10][5], plane[29][34]);
    for (int r = 0; r < ROWS; r++)
        free(rows[r]);
    return 0;
}
