// Alignments that typedefs ask for, more and less than a type's own, and those of variables and members: in structs, unions and arrays, by
// sizes and places; enumerations without a tag as types of bit-fields.
// launches: 2
#include <stddef.h>
#include <stdio.h>

typedef int wide __attribute__((aligned(16)));
typedef wide wider;
typedef double low __attribute__((aligned(4)));
typedef float vector __attribute__((aligned(32)));
typedef struct { char c; short s; } pair __attribute__((aligned(8)));

struct members {
    char c;
    wide x;
    char d;
    wider y;
    char e;
    pair p;
};

struct lower {
    int i;
    low d[2];
    char c;
};

union either {
    char c[3];
    wide x;
};

// Only its size is asked for.
struct measured {
    char c;
    const wide x;
};

struct attributes {
    char c;
    int x __attribute__((aligned(16)));
    enum { RED, GREEN, BLUE } colour : 2;
    enum { OFF, ON } state : 1;
};

static double table[4] __attribute__((aligned(64)));

int main(void)
{
    enum { N = 6 };
    int o[N][12];
    struct members m[N];
    struct lower l[N];
    union either u[N];
    struct attributes a[N];
    for (int i = 0; i < N; i++) {
        m[i] = (struct members){i, 2 * i, 1, 3 * i, 2, {3, 4 * i}};
        l[i] = (struct lower){i, {i + 0.5, i + 1.5}, 7};
        u[i].x = 5 * i;
        a[i] = (struct attributes){i, 6 * i, i % 3, i % 2};
    }
#pragma acc parallel loop copyout(o) copy(m, l, u, a)
    for (int i = 0; i < N; i++) {
        _Alignas(16) int z = i;
        o[i][0] = sizeof(struct measured) + offsetof(struct measured, x) + i;
        o[i][1] = _Alignof(vector) + _Alignof(wider) + _Alignof(low) * 100;
        o[i][2] = __alignof__(z) + z;
        o[i][3] = __alignof__(m[i].c) + __alignof__(m[i].y) + __alignof__(a[i].x);
        o[i][4] = sizeof(struct members) + sizeof(union either) * 100 + sizeof(struct lower) * 1000;
        o[i][5] = m[i].x + m[i].y + m[i].p.s;
        o[i][6] = (int)(l[i].d[0] * 2 + l[i].d[1] * 4) + l[i].c;
        o[i][7] = u[i].x + sizeof u;
        o[i][8] = a[i].x + a[i].colour * 100 + a[i].state * 1000 + (a[i].colour == BLUE) * 5000;
        o[i][9] = sizeof(struct attributes);
        o[i][10] = _Alignof(struct members) + _Alignof(pair) + __alignof__(table);
        m[i].y = i + 9;
        a[i].colour = i % 2;
        l[i].d[1] = i;
        o[i][11] = 0;
    }
#pragma acc parallel loop copyin(table) copy(o)
    for (int i = 0; i < N; i++)
        o[i][11] += (int)table[i % 4] + m[0].c;
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 12; k++)
            printf("%d ", o[i][k]);
        printf("%d %d %g\n", m[i].y, a[i].colour, l[i].d[1]);
    }
    return 0;
}
