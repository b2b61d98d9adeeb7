// offsetof of members, of elements of members and of members of members, in all places where C has constants; in clauses, and through the
// builtin itself; and the older spelling with a null pointer.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct inner {
    char a;
    double b[4];
};

typedef struct {
    int x;
    struct inner y[3];
    union {
        int u;
        char c[4];
    };
} outer;

struct packed {
    char a;
    int b;
} __attribute__((packed));

enum { OF_Y = offsetof(outer, y) };

_Static_assert(offsetof(outer, x) == 0, "first");

#define MEMBER(type, member, p) (*(type *)((char *)(p) + offsetof(outer, member)))
#define container_of(p, type, member) ((type *)((char *)(p)-offsetof(type, member)))

#pragma acc routine seq
static int x_of(int *u)
{
    return container_of(u, outer, u)->x;
}

int main(void)
{
    struct local {
        short s;
        long l;
    };
    unsigned long at[12];
    char bytes[64];
    outer o[4];
    memset(bytes, 0, sizeof bytes);
    memset(o, 0, sizeof o);
#pragma acc parallel loop copyout(at)
    for (int i = 0; i < 12; i++) {
        switch (8 * i) {
        case offsetof(outer, y):
            at[i] = 1000;
            break;
        case offsetof(outer, y[0].b):
            at[i] = 2000;
            break;
        default:
            at[i] = i == 3   ? offsetof(outer, y[2].b[1])
                    : i == 4 ? __builtin_offsetof(outer, c[1])
                    : i == 5 ? offsetof(struct packed, b)
                    : i == 6 ? offsetof(struct local, l)
                    : i == 7 ? offsetof(outer, y[offsetof(struct inner, b) / 8])
                    : i == 8 ? (size_t)&((outer *)0)->y[1]
                             : OF_Y + sizeof(char[offsetof(struct inner, b) + 1]);
        }
    }
#pragma acc parallel loop copy(bytes[offsetof(struct inner, b):8])
    for (size_t i = offsetof(struct inner, b); i < offsetof(struct inner, b[1]); i++)
        bytes[i] = 1;
#pragma acc parallel loop copy(o) num_gangs(offsetof(struct inner, b) / 4)
    for (int i = 0; i < 4; i++) {
        MEMBER(int, x, &o[i]) = 3 + i;
        MEMBER(double, y[1].b[2], &o[i]) = 0.5 * i;
        o[i].u = 2 * x_of(&o[i].u);
    }
    for (int i = 0; i < 12; i++)
        printf("%lu ", at[i]);
    for (int i = 0; i < 20; i++)
        printf("%d", bytes[i]);
    for (int i = 0; i < 4; i++)
        printf(" %d %g %d", o[i].x, o[i].y[1].b[2], o[i].u);
    printf("\n");
    return 0;
}
