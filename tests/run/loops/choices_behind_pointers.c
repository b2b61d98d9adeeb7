// A pointer to an element that a variable index chooses, and constants behind it: all elements of the array, and none outside.
#include <stdio.h>

struct pair {
    signed char first;
    long second;
};

int main(void)
{
    long r[8][4];
    #pragma acc parallel loop copyout(r)
    for (int i = 0; i < 8; i++) {
        struct pair t[2] = {{1, 10 + i}, {2, 20 + i}};
        double a[5] = {i & 1, i & 1, 1, 0, 1};
        double *q = a + ((unsigned)a[1] & 1);
        t->first = t[(int)q[3] & 1].second + t[0].second;
        r[i][0] = t[0].first;

        int b[6] = {1, 2, 3, 4, 5, 6};
        int *p = b + i % 3;
        p[3] = 10 * i;
        p[1]++;
        *(p + 2) += p[3];
        r[i][1] = b[0] + 2 * b[1] + 3 * b[2] + 5 * b[3] + 7 * b[4] + 11 * b[5];

        long c[3][2] = {{1, 2}, {3, 4}, {5, 6}};
        long (*row)[2] = c + (i & 1);
        row[1][1] = i;
        r[i][2] = row[1][0] + c[1][1] * 10 + c[2][1] * 100;

        struct pair u[3] = {{i, 1}, {2, i}, {3, 3}};
        struct pair *v = &u[(i >> 1) & 1];
        v[1].second += v[0].first;
        v++;
        v->first = 9;
        r[i][3] = u[0].first + u[1].first * 10 + u[2].first * 100 + (u[1].second + u[2].second) * 1000;
    }
    for (int i = 0; i < 8; i++)
        printf("%ld %ld %ld %ld\n", r[i][0], r[i][1], r[i][2], r[i][3]);
}
