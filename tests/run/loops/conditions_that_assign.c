// Conditions of sequential loops that assign as they compare: the last time they do so counts, too.
// launches: 1
#include <stdio.h>

enum { N = 5 };

int main(void)
{
    int n = N, y[N], out[10], low = -1;
    for (int k = 0; k < N; k++)
        y[k] = -1;
#pragma acc parallel num_gangs(1) copy(y) copyout(out)
    {
        int i = 0, t = 7;
        while ((t = i) < n) {
            y[i] = t * 10;
            i++;
        }
        out[0] = t;

        int u = 0, sum = 0;
        for (int j = 0; j < (u = n); j++)
            sum += j;
        out[1] = sum + 100 * u;

        int m = 50;
        for (int j = 0; j < (m = n); j++)
            m = j;
        out[2] = m;

        out[3] = 0;
        for (int j = 0; j < (out[4] = n); j++) {
            out[3] += out[4];
            out[4] = 1;
        }

        int *q = 0, all = 0;
        for (int *p = y; (q = p) != y + n; p++)
            all += *q;
        out[5] = all;
        out[6] = (int)(q - y);

        // Insertion into a short list in order.
        int v[4] = {3, 9, 17, 25}, k = 3;
        while ((t = k) > 0 && v[k - 1] > low) {
            v[k] = v[k - 1];
            k--;
        }
        v[k] = low;
        out[7] = t;
        out[8] = k * 1000 + v[0] + 2 * v[1] + 3 * v[2] + 4 * v[3];

        int steps = 0, left = n;
        while ((t = left--) > 0)
            steps += t;
        out[9] = 100 * steps + left;
    }
    for (int k = 0; k < N; k++)
        printf("%d ", y[k]);
    for (int k = 0; k < 10; k++)
        printf(" %d", out[k]);
    printf("\n");
    return 0;
}
