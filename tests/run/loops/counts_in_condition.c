// Loops that count in their conditions, before and after the test, signed and unsigned, with steps, other work and jumps; what the
// variables hold behind them.
#include <stdio.h>

int main(void)
{
    enum { N = 120 };
    static long out[N][6];
    int a[64];
    for (int i = 0; i < 64; i++)
        a[i] = i * i % 37;
#pragma acc parallel loop copyin(a) copyout(out)
    for (int i = 0; i < N; i++) {
        int n = i % 23;
        long s = 0;
        while (--n > 0)
            s += a[n] * n;
        out[i][0] = s * 100 + n;
        unsigned u = i % 19 + 1;
        const int *p = a;
        s = 0;
        while (--u)
            s += *p++ ^ (int)u;
        out[i][1] = s * 100 + u;
        long k = i % 31 - 4;
        int other = 3;
        s = 0;
        for (; (k -= 3) >= 0; other += 2) {
            if (k % 5 == 4)
                continue;
            s += a[k] + other;
        }
        out[i][2] = s * 1000 + other * 10 + k;
        int up = -(i % 17);
        s = 1;
        while (++up < 3)
            s = s * 3 % 1009 + up;
        out[i][3] = s * 100 + up;
        int m = i % 29 + 2, at = 0;
        while (--m != 0) {
            if (a[m] == i % 7)
                break;
            at += m;
        }
        out[i][4] = at * 100 + m;
        unsigned long left = i % 13;
        s = 0;
        while (left-- > 0)
            s += a[left] << 1;
        out[i][5] = s + (left + 1 == 0);
    }
    for (int c = 0; c < 6; c++) {
        long sum = 0;
        for (int i = 0; i < N; i++)
            sum += out[i][c] * (i + 1);
        printf("%ld\n", sum);
    }
    return 0;
}
