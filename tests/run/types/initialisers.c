// Initialiser lists: partial, designated, nested, strings, arrays sized by their initialiser, empty.
#include <stdio.h>

struct s {
    int a[3];
    struct {
        char c;
        double d;
    } in;
};

int main(void)
{
    int r[12];
#pragma acc parallel loop copyout(r)
    for (int i = 0; i < 12; i++) {
        int part[5] = {1, i};
        int desig[6] = {[4] = i, 9, [1] = 3};
        int sized[] = {i, i, [5] = 1};
        int two[2][3] = {{1}, {2, 3, i}};
        int flat[2][2] = {1, 2, 3, i};
        struct s s = {.in.d = 2.5, .a = {[1] = i}};
        struct s t[2] = {{{7, 8, 9}, {'c', i}}, {.in = {.c = 'd'}}};
        char word[] = "abc", padded[6] = "xy";
        struct s zero = {};
        r[i] = part[1] + part[4] + desig[4] + desig[5] * 2 + desig[1] + (int)(sizeof sized / sizeof *sized)
               + two[1][2] + two[0][2] + flat[1][1] + (int)s.in.d + s.a[1] + s.in.c + t[0].a[2] + (int)t[0].in.d
               + t[1].in.c + t[1].a[0] + word[2] + (int)sizeof word + padded[1] + padded[5] + zero.a[2];
    }
    for (int i = 0; i < 12; i++)
        printf("%d\n", r[i]);
    return 0;
}
