// Objects behind pointers, in members (also of packed records), in arrays and globals.
#include <stdio.h>

struct s {
    int n;
    double d;
    struct {
        long k[3];
    } in;
};

struct __attribute__((packed)) packed {
    char c;
    double d;
    int i;
};

static void bump(int *p, struct s *s, double by)
{
#pragma acc atomic
    (*p)++;
#pragma acc atomic
    s->n--;
#pragma acc atomic
    s->in.k[1] += 2;
#pragma acc atomic
    s->d = s->d - (by - 1);
#pragma acc atomic update
    (s->in).k[2] = (s->in.k[2] | 4);
}

int global;
unsigned char small;

int main(void)
{
    int x = 0, y = 0, a[10] = {0};
    struct s s = {0};
    struct packed packed = {0};
    float f = 0;
#pragma acc parallel loop copy(x, s, a, packed, global, small, f, y)
    for (int i = 0; i < 1000; i++) {
        bump(&x, &s, 3.0);
#pragma acc atomic
        a[i % 10] = a[i % 10] + i;
#pragma acc atomic
        packed.d += 1;
#pragma acc atomic
        packed.i += 1;
#pragma acc atomic
        global += i % 3 ? 1 : 0;
#pragma acc atomic
        small = 3 + small;
        float old;
#pragma acc atomic capture
        { old = f; f = f + 1; }
        int now;
#pragma acc atomic capture
        now = y = y - 1;
        if (now > 0 || old < 0)
            a[0] = -1;
    }
    printf("%d %d %g %ld %ld %d\n", x, s.n, s.d, s.in.k[1], s.in.k[2], a[3]);
    printf("%g %d %d %d %g %d\n", packed.d, packed.i, global, small, f, y);
    return 0;
}
