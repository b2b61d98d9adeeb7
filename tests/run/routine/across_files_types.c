// Structs of one look in two files are one type: by value, as results, behind pointers, with members that are structs and pointers to
// themselves. So are structs without a tag, and one that is complete in one file only.
// with: across_files_types.part.c
#include <stdio.h>

struct node { int value; struct node *next; };
typedef struct { double x, y; } point;
struct hidden;
struct shape { point corner[2]; struct node *list; };

#pragma acc routine seq
point turned(point p, const struct shape *s);
#pragma acc routine seq
int length(const struct node *list);
#pragma acc routine seq
int opened(struct hidden *h);
#pragma acc routine seq
unsigned char cut(long x, float y, _Bool z);

struct hidden *hide(void);

int main(void)
{
    point p[8];
    int n[8], opens = 0;
    struct node nodes[3] = {{1, 0}, {2, 0}, {3, 0}};
    struct hidden *h = hide();
    for (int i = 0; i < 8; i++) p[i] = (point){i, -i};
#pragma acc parallel loop copy(p) copyout(n) firstprivate(nodes)
    for (int i = 0; i < 8; i++) {
        struct node own[3];
        for (int k = 0; k < 3; k++) {
            own[k] = nodes[k];
            own[k].next = k < i % 3 ? &own[k + 1] : 0;
        }
        struct shape s = {{{1, 2}, {3, i}}, own};
        p[i] = turned(p[i], &s);
        n[i] = length(s.list) + cut(i + 256, 2.5f, i > 4);
    }
    (void)h;
#pragma acc parallel copyout(opens)
    opens = opened(0);
    for (int i = 0; i < 8; i++) printf("%g %g %d\n", p[i].x, p[i].y, n[i]);
    printf("%d\n", opens);
    return 0;
}
