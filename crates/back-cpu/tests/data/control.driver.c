static int c_classify(int x)
{
    int r = 0;
    switch (x) {
    case 1: case 4 ... 6: r += 1; __attribute__((fallthrough));
    default: r += 10; if (x > 100) break; __attribute__((fallthrough));
    case -3: r += 100; break;
    }
    return r;
}
static int c_odd_sum(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) { if (i % 2 == 0) continue; if (i > 20) break; s += i; }
    return s;
}
static int c_slow_steps(int n)
{
    int count = 0;
    for (int i = 1; i * i < n; i += i % 3 == 0 ? 1 : 2) { if (i % 3 == 0) continue; count++; }
    return count;
}
static int c_do_while(int n)
{
    int s = 0;
    do { s += n; if (s % 5 == 0) continue; if (s > 1000) return 1000; s += 1; } while (--n > 0);
    return s;
}
static int c_counted(int n, int step)
{
    int s = 0, k = 3;
    for (int i = n; i > 0; i -= 2) s += i;
    for (int i = 0; i < n; i += step) s = (int)((unsigned)s + i);
    for (long i = 0; i < 4000000000L; i += 1000000000) s ^= (int)(unsigned)i;
    do k -= 2; while (k > 0);
    return s + k;
}
int main(void)
{
    const int values[] = { -3, 0, 1, 2, 3, 5, 6, 7, 20, 23, 50, 100, 101, 700 };
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        int n = values[i], out[5];
        launch(accrue_k0_0, 0, (unsigned long long[]){ P(out), P((long)n) }, 1);
        printf("%d: %d %d %d %d %d\n", n, out[0] - c_classify(n), out[1] - c_odd_sum(n), out[2] - c_slow_steps(n),
               out[3] - c_do_while(n), out[4] - c_counted(n, 3));
    }
    (void)bits;
    return 0;
}
