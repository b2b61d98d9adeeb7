// Initialiser lists that leave out members and elements whose types are declared in the region.
#include <stdio.h>

int main(void)
{
    long r[8];
#pragma acc parallel loop copyout(r)
    for (int i = 0; i < 8; i++) {
        typedef struct {
            char c;
            short s;
        } pair;
        typedef pair four[4];
        struct outer {
            pair l[2];
            four f;
            struct {
                pair p;
                int n;
            } in;
            int x;
        };
        struct outer a = {.x = i}, b = {.l = {[1] = {'b', i}}, .in.n = 7}, c[3] = {[1] = {.f[2] = {1, i * 3}}};
        pair p[3] = {[2] = {.s = 5}};
        r[i] = a.x + a.l[1].s + a.f[3].c + a.in.p.s + b.l[1].s * 10 + b.l[0].c + b.in.n + b.f[0].s + c[1].f[2].s * 100
               + c[1].in.n + c[0].l[0].s + c[2].f[1].c + p[2].s + p[0].c + (pair){.c = 3}.s;
    }
    for (int i = 0; i < 8; i++)
        printf("%ld ", r[i]);
    printf("\n");
    return 0;
}
