// Comparisons: signed against unsigned, NaN, infinities, negative zero.
// launches: 2
#include <math.h>
#include <stdio.h>

int main(void)
{
    double v[6] = {-INFINITY, -0.0, 0.0, 1.0, INFINITY, NAN};
    int r[6][6];
    int mixed = 0;
#pragma acc parallel loop collapse(2) copyin(v) copyout(r)
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            r[i][j] = (v[i] < v[j]) | (v[i] <= v[j]) << 1 | (v[i] == v[j]) << 2 | (v[i] != v[j]) << 3
                      | (v[i] > v[j]) << 4 | (v[i] >= v[j]) << 5 | !(v[i] < v[j]) << 6;
#pragma acc serial copy(mixed)
    {
        unsigned u = 1;
        int m = -1;
        mixed = (m < (int)u) | (m > (long)u) << 1 | ((unsigned)m > u) << 2 | ((short)m == (unsigned short)m) << 3;
    }
    for (int i = 0; i < 6; i++)
        printf("%d %d %d %d %d %d\n", r[i][0], r[i][1], r[i][2], r[i][3], r[i][4], r[i][5]);
    printf("%d\n", mixed);
    return 0;
}
