// What programs for other compilers write beside the grammar: an operator before each variable, a comma before the first clause, a
// word of OpenMP, loops' clauses on `kernels`, gang loops inside gang loops of `kernels`.
// cflags: -w
#include <stdio.h>

int main(void) {
    enum { N = 100 };
    int x[N], a = 0, b = 0, most = -1, t, s = 0, r = 0, all = 0;
    int y[10][10];
    for (int i = 0; i < N; i++)
        x[i] = i * 7 % 31;
#pragma acc parallel loop reduction(+:a,+:b) reduction(max:most)
    for (int i = 0; i < N; i++) {
        a += x[i];
        b += 2 * x[i];
        if (x[i] > most)
            most = x[i];
    }
#pragma acc kernels private(t) reduction(+:s)
    for (int i = 0; i < N; i++) {
        t = x[i];
        s += t;
    }
    printf("%d %d %d %d\n", a, b, most, s);
#pragma acc kernels loop gang, independent
    for (int i = 0; i < 10; i++) {
#pragma acc loop gang vector independent
        for (int j = 0; j < 10; j++)
            y[i][j] = i * j + 1;
    }
#pragma acc kernels loop gang reduction(+:r) copyin(x)
    for (int i = 0; i < 10; i++) {
#pragma acc loop gang reduction(+:r)
        for (int j = 0; j < 10; j++)
            r += x[10 * j + i] * (i + 1);
    }
#pragma acc parallel, copy(y)
    {
#pragma acc loop for gang, vector
        for (int i = 0; i < 10; i++)
            for (int j = 0; j < 10; j++)
                y[i][j] += i - j;
    }
    for (int i = 0; i < N; i++)
        all += y[i / 10][i % 10] * i;
    printf("%d %d\n", r, all);
    return 0;
}
