// All-pairs forces with integer arithmetic on arrays of structs.
// launches: 6
#include <stdio.h>

#define N 60

struct body {
    int x[3], v[3], m;
};

int main(void)
{
    static struct body b[N];
    for (int i = 0; i < N; i++) {
        b[i].m = i % 5 + 1;
        for (int k = 0; k < 3; k++)
            b[i].x[k] = (i * (k * 31 + 7)) % 1000 - 500;
    }
#pragma acc data copy(b)
    for (int t = 0; t < 3; t++) {
#pragma acc parallel loop gang present(b)
        for (int i = 0; i < N; i++) {
            int f0 = 0, f1 = 0, f2 = 0;
#pragma acc loop vector reduction(+:f0, f1, f2)
            for (int j = 0; j < N; j++) {
                int d[3], r = 1;
                for (int k = 0; k < 3; k++) {
                    d[k] = b[j].x[k] - b[i].x[k];
                    r += d[k] * d[k] / 1000;
                }
                f0 += d[0] * b[j].m / r;
                f1 += d[1] * b[j].m / r;
                f2 += d[2] * b[j].m / r;
            }
            b[i].v[0] += f0;
            b[i].v[1] += f1;
            b[i].v[2] += f2;
        }
#pragma acc parallel loop collapse(2) present(b)
        for (int i = 0; i < N; i++)
            for (int k = 0; k < 3; k++)
                b[i].x[k] += b[i].v[k] / 4;
    }
    long s = 0;
    for (int i = 0; i < N; i++)
        s = s * 7 % 1000003 + b[i].x[0] + b[i].x[1] * 3 + b[i].v[2];
    printf("%ld\n", s);
    return 0;
}
