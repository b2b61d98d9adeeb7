// Reads with offsets on both sides, boundaries treated in the loop.
// launches: 8
#include <stdio.h>

#define N 333

int main(void)
{
    static int a[N], b[N];
    for (int i = 0; i < N; i++)
        a[i] = i * i % 91;
    for (int t = 0; t < 4; t++) {
#pragma acc parallel loop copyin(a) copyout(b)
        for (int i = 0; i < N; i++) {
            int left = i > 0 ? a[i - 1] : 0, right = i < N - 1 ? a[i + 1] : 0;
            b[i] = (left + 2 * a[i] + right) % 97;
        }
#pragma acc parallel loop copyin(b) copyout(a)
        for (int i = 0; i < N; i++)
            a[i] = b[i] + (i + 1 < N ? b[i + 1] : b[0]) % 5;
    }
    long s = 0;
    for (int i = 0; i < N; i++)
        s = (s * 31 + a[i]) % 1000000007;
    printf("%ld\n", s);
    return 0;
}
