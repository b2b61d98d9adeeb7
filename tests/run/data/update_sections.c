// Several sections of one array in one update, in both directions, of one and of two dimensions, with gaps, in a queue.
// modes: discrete gpu (with shared memory everything is up to date)
// expect-output: update_sections.expect
#include <stdio.h>

static void show(const int *v, int n)
{
    for (int i = 0; i < n; i++) printf("%d%c", v[i], i + 1 < n ? ' ' : '\n');
}

int main(void)
{
    int a[12], b[4][6], from = 2, *p = a;
    for (int i = 0; i < 12; i++) a[i] = i;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 6; j++) b[i][j] = i * 10 + j;
#pragma acc data copyin(a, b)
    {
#pragma acc parallel loop
        for (int i = 0; i < 12; i++) a[i] += 100;
#pragma acc parallel loop collapse(2)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 6; j++) b[i][j] += 1000;
#pragma acc update self(a[0:from], p[4:2], a[11], b[1:2][2:3])
        show(a, 12);
        for (int i = 0; i < 4; i++) show(b[i], 6);
        a[5] = -1;
        a[6] = -2;
        a[8] = -3;
        b[0][5] = -4;
        b[3][0] = -5;
#pragma acc update device(a[5:1], a[8:from], b[0:1][5:1], b[3][0:2]) async(1)
#pragma acc update self(a, b) async(1)
#pragma acc wait(1)
        show(a, 12);
        for (int i = 0; i < 4; i++) show(b[i], 6);
    }
    return 0;
}
