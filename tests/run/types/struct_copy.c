// A struct in a data clause, its members read and written in the region, struct assignment.
#include <stdio.h>

struct point {
    int x, y;
    double w[3];
};

int main(void)
{
    struct point p = {1, 2, {3, 4, 5}}, q;
#pragma acc parallel copy(p) copyout(q) num_gangs(1)
    {
        p.x += 10;
        p.w[1] *= p.y;
        struct point t = p;
        t.y = -t.y;
        q = t;
        q.w[2] = t.w[0] + t.w[1];
    }
    printf("%d %d %g %g %g\n", p.x, p.y, p.w[0], p.w[1], p.w[2]);
    printf("%d %d %g %g %g\n", q.x, q.y, q.w[0], q.w[1], q.w[2]);
    return 0;
}
