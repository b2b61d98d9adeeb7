// Structs with pointers to what nothing in this unit is known of: the library's files, a type that others define, one that is defined later.
#include <stdio.h>

struct opaque;
struct later;

struct settings {
    struct opaque *handle;
    FILE *log;
    struct later *next;
    int scale;
};

struct later { int offset; };

static int scaled(const struct settings *s, int x) { return s->handle ? 0 : s->scale * x + s->next->offset; }

int main(void)
{
    struct later next = {5};
    struct settings s = {NULL, stdout, &next, 3};
    struct settings many[4] = {{0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 3}, {0, 0, 0, 4}};
    struct opaque *kept[4] = {0};
    int a[8], bad = 0;
#pragma acc parallel loop copyin(s, next, s.next[0:1]) copyout(a)
    for (int i = 0; i < 8; i++)
        a[i] = scaled(&s, i);
#pragma acc parallel loop copy(many) copyin(kept) reduction(+ : bad)
    for (int i = 0; i < 4; i++) {
        many[i].scale *= 2;
        bad += kept[i] != NULL || many[i].log != NULL;
    }
    for (int i = 0; i < 8; i++)
        printf("%d ", a[i]);
    fprintf(s.log, "%d %d %d\n", many[0].scale, many[3].scale, bad);
    return 0;
}
