// Clauses that name members of structs in structs: of local and global variables, in data constructs and compute constructs.
// launches: 7
#include <stdio.h>

struct inner {
    int n;
    double flat[4][3];
    struct {
        float q[5];
        int *p;
    } deep;
};

struct outer {
    int *unused;
    struct inner in;
    struct inner more[2];
};

static struct outer global;

int main(void)
{
    struct outer w = {0};
    int values[6] = {1, 2, 3, 4, 5, 6};
    w.in.n = 6;
    w.in.deep.p = values;
#pragma acc parallel loop copy(w.in.flat)
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++)
            w.in.flat[i][j] += i - j;
#pragma acc parallel loop copy(w.in.deep.q[1:3]) copyin(w.in.flat)
    for (int i = 1; i < 4; i++)
        w.in.deep.q[i] = i + w.in.flat[i][0];
#pragma acc data copy(w.in.flat[1:2], global.in.deep.q)
    {
#pragma acc parallel loop
        for (int i = 1; i < 3; i++) {
            w.in.flat[i][2] += 100;
            global.in.deep.q[i] = 7;
        }
        w.in.flat[0][0] = 5;
    }
#pragma acc parallel loop copy(w.in.deep.p[0:6])
    for (int i = 0; i < 6; i++)
        w.in.deep.p[i] *= 10;
    struct outer *s = &w;
#pragma acc parallel loop copy(s->in.flat)
    for (int i = 0; i < 4; i++)
        s->in.flat[i][1] *= 2;
#pragma acc parallel loop copy(w.more[1].flat) copy(w.more[0].deep.q[0:5])
    for (int i = 0; i < 4; i++) {
        w.more[1].flat[i][i % 3] = 3;
        w.more[0].deep.q[i] += i;
    }
#pragma acc serial copy(w.in.n, global.in.n)
    global.in.n = w.in.n++;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 3; j++)
            printf("%g %g ", w.in.flat[i][j], w.more[1].flat[i][j]);
        printf("%g %g %g %d\n", w.in.deep.q[i], global.in.deep.q[i], w.more[0].deep.q[i], values[i]);
    }
    printf("%d %d\n", w.in.n, global.in.n);
    return 0;
}
