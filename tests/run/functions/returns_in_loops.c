// Functions that return in loops, in switches and beside code that goes on become part of the kernel: same results.
#include <stdio.h>
static int find(const int *a, int n, int x)
{
    for (int i = 0; i < n; i++)
        if (a[i] == x)
            return i;
    return -1;
}
static int nested(int x, int y)
{
    for (int i = 0; i < 10; i++) {
        int j = 0;
        while (1) {
            if (i * j == x)
                return 100 * i + j;
            switch (j) {
            case 3: if (y == i) return -7; break;
            case 5: j++;
            case 6: if (y > 8) return 9000 + i; else break;
            case 9: j = 20; break;
            }
            if (++j > 12)
                break;
        }
        if (i == y + 3)
            return 5000 + j;
    }
    return 1;
}
static int partly(int a, int b)
{
    int r = 0;
    if (a > 3) {
        r = 1;
        if (b > a)
            return 11;
        r += a;
        if (b == 2) { if (a == 5) return 12; r *= 2; } else if (b == 1) { r -= 50; if (a & 1) return r; }
        r += 3;
    } else {
        do { r += b; if (r > 6) return r; b++; } while (b < 5);
    }
    r += 1000;
    if (r & 1)
        return r;
    return r + 1;
}
static void put(int *out, int x)
{
    for (;;) {
        if (x < 0)
            return;
        *out += x;
        if (x % 7 == 3) { *out += 1; return; }
        x -= 2;
    }
}
static int forever(int x) { for (;;) { if (x & 1) return x; x = x + 3; } }
int main(void)
{
    enum { N = 4000 };
    static int in[64], out[N];
    for (int i = 0; i < 64; i++)
        in[i] = i * 37 % 64;
#pragma acc parallel loop copyin(in) copyout(out)
    for (int i = 0; i < N; i++) {
        int r = 0;
        put(&r, i % 50);
        out[i] = find(in, 64, i % 80) + nested(i % 90, i % 13) * 3 + partly(i % 11, i % 7) * 5 + r + forever(i);
    }
    long long sum = 0;
    for (int i = 0; i < N; i++)
        sum += (long long)out[i] * (i + 1);
    printf("%lld\n", sum);
}
