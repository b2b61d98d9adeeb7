// Addresses of local variables that are compared with null and with each other: optional results of functions.
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { N = 64 };
struct pair { int first, second[2]; };

static bool halves(int a, int *low, int *high)
{
    if (a % 3 == 0) return false;
    if (low) *low = a / 2;
    if (high != NULL) *high = a - a / 2;
    return true;
}

static int sum(const struct pair *p) { return !p ? -1 : p->first + p->second[1]; }

static int *same(int *p) { return p; }

#pragma acc routine seq
static int is(int *p, int *q) { return p == q ? 1 : p ? 2 : 3; }

int main(void)
{
    int got[N][6], wrong = 0;
    for (int on_device = 1; on_device >= 0; on_device--) {
        int now[N][6];
#pragma acc parallel loop copyout(now) if(on_device)
        for (int i = 0; i < N; i++) {
            int x = 1, y = 2, z[3] = {i, 7, i * 2}, *p = i % 2 ? &x : NULL, *q = &z[i % 3];
            struct pair pair = {i, {1, 2}}, *chosen = i % 4 ? &pair : NULL;
            if (halves(i, &x, NULL)) x++;
            halves(i + 1, NULL, &y);
            now[i][0] = x * 100 + y;
            now[i][1] = sum(&pair) * 1000 + sum(NULL) + sum(chosen);
            if (p) *p = 40;
            if (same(&y) && p != &y) y += 5;
            now[i][2] = x + (bool)&x + y;
            now[i][3] = (&x == &y) + 2 * (p == &x) + 4 * (q == z) + 8 * (q == &z[1]) + 16 * (q != NULL) + 32 * (&pair.first == pair.second);
            now[i][4] = is(&x, p) + 10 * is(&x, &y) + 100 * is(NULL, p) + 1000 * is(&pair.second[1], pair.second + 1);
            now[i][5] = (p ? *p : 7) + (q >= z) + (int)(q - z);
        }
        for (int i = 0; i < N; i++)
            for (int k = 0; k < 6; k++) {
                if (on_device) got[i][k] = now[i][k];
                else if (got[i][k] != now[i][k] && !wrong++) printf("%d, %d: %d, not %d\n", i, k, got[i][k], now[i][k]);
            }
    }
    printf("%d wrong\n", wrong);
    return 0;
}
