// Loops whose iterations end early by `continue`: in branches, in both of them, in branches of branches, in loops of every kind, beside
// loops that lanes share, and where some of it cannot be a condition.
#include <stdio.h>

#define N 200
#define M 33

int main(void)
{
    static int a[N], b[N], c[N], d[N], e[N], f[N], g[N];
    static long sums[N];
    for (int k = 0; k < N; k++)
        a[k] = k * 7 % 41 - 9;
#pragma acc parallel loop copyin(a) copyout(b, c)
    for (int i = 0; i < N; i++) {
        b[i] = 1;
        c[i] = 0;
        if (a[i] < 0)
            continue;
        b[i] = 2;
        if (a[i] % 3 == 0) {
            if (a[i] % 2)
                continue;
            b[i] += 10;
        } else if (a[i] % 3 == 1) {
            b[i] += 20;
            continue;
        }
        c[i] = a[i];
        if (a[i] > 20) {
            c[i]++;
            continue;
        } else {
            c[i]--;
            continue;
        }
    }
#pragma acc parallel loop copyin(a) copyout(d, e, f)
    for (int i = 0; i < N; i++) {
        int sum = 0, k = 0, last = -1;
        for (int j = 0; j < M; j++) {
            if (a[(i + j) % N] < 0)
                continue;
            sum += j;
            if (sum > 300)
                break;
            if (j % 2)
                continue;
            last = j;
        }
        d[i] = sum;
        while (k < M) {
            k++;
            if (k % 5 == a[i] % 5)
                continue;
            sum ^= k;
            switch (k % 4) {
            case 0:
                continue;
            case 1:
                sum += 3;
                break;
            default:
                if (sum % 2)
                    continue;
            }
            sum++;
        }
        e[i] = sum;
        do {
            if (k % 3)
                continue;
            last += k;
        } while (--k > 0);
        f[i] = last;
    }
#pragma acc parallel loop gang copyin(a) copyout(sums, g)
    for (int i = 0; i < N; i++) {
        long sum = 0;
        g[i] = 5;
        sums[i] = -1;
        if (i % 4 == 2)
            continue;
#pragma acc loop vector reduction(+ : sum)
        for (int j = 0; j < N; j++) {
            if (a[j] == i % 10)
                continue;
            sum += a[j] * j;
        }
        sums[i] = sum;
        if (sum < 0)
            continue;
#pragma acc loop vector reduction(+ : sum)
        for (int j = 0; j < 3; j++)
            sum += j;
        g[i] = sum % 1000;
    }
    for (int i = 0; i < N; i++)
        printf("%d %d %d %d %d %d %ld\n", b[i], c[i], d[i], e[i], f[i], g[i], sums[i]);
    return 0;
}
