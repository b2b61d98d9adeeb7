// Structs and members of structs that every iteration assigns before it uses them, without a `private` clause: member by member,
// as a whole, through functions, beside members that are only read; wanted behind the loop, and not.
// launches: 10
#include <stdio.h>

#define N 1000

struct inner {
    int low, high;
};
struct work {
    double t;
    int k;
    struct inner range;
    double scale;
    int list[3];
};
struct pair {
    double x, y;
};

static double a[N], b[N];
static struct pair all[N];

static struct pair make(double x, double y)
{
    struct pair made = {x, y};
    return made;
}

static void fill(struct pair *p, double x)
{
    p->x = x;
    p->y = 2 * x;
}

static double sum(void)
{
    double found = 0;
    for (int i = 0; i < N; i++) {
        found += b[i] * (i % 7);
        b[i] = 0;
    }
    return found;
}

int main(void)
{
    struct work s, part, last, guess;
    struct pair p, q, copied;
    part.scale = 3;
    last.k = 5;
    guess.t = 1;
    for (int i = 0; i < N; i++) {
        a[i] = i % 100;
        all[i] = make(i, -i);
    }
#pragma acc parallel loop
    for (int i = 0; i < N; i++) {
        p.x = a[i];
        p.y = i;
        b[i] = p.x * p.y;
    }
    printf("%g\n", sum());
#pragma acc parallel loop gang vector
    for (int i = 0; i < N; i++) {
        q = all[i];
        b[i] = q.x - q.y;
        q = make(q.y, q.x);
        b[i] += q.x;
    }
    printf("%g\n", sum());
    // Members that are only read stay the host's.
#pragma acc parallel loop copy(b) copyin(a)
    for (int i = 0; i < N; i++) {
        part.t = a[i];
        part.range.low = i;
        part.range.high = part.range.low + 3;
        b[i] = part.t * part.scale + part.range.high;
    }
    printf("%g\n", sum());
#pragma acc kernels
    {
#pragma acc loop independent
        for (int i = 0; i < N; i++) {
            fill(&p, a[i]);
            b[i] = p.x + p.y;
        }
#pragma acc loop
        for (int i = 0; i < N; i++) {
            copied = all[i];
            copied.x += 1;
            all[i] = copied;
        }
    }
    printf("%g %g\n", sum(), all[17].x);
    // The last iteration's values.
#pragma acc parallel loop
    for (int i = 0; i < N; i++) {
        last.t = a[i];
        last.range.low = i;
        b[i] = last.t + last.range.low;
    }
    printf("%g %g %d %d\n", sum(), last.t, last.range.low, last.k);
#pragma acc kernels loop independent
    for (int i = N - 1; i >= 3; i -= 2) {
        p.x = a[i];
        p.y = i;
        b[i] = p.x * p.y;
    }
    printf("%g %g %g\n", sum(), p.x, p.y);
    // Not those of each iteration: in order.
#pragma acc kernels loop
    for (int i = 0; i < N; i++) {
        if (a[i] > 50)
            guess.t = a[i];
        b[i] = guess.t;
    }
    printf("%g %g\n", sum(), guess.t);
    // Lanes in a gang's loop, and a struct of the gang.
#pragma acc parallel num_gangs(4)
    {
        struct pair mine;
#pragma acc loop gang
        for (int i = 0; i < N / 10; i++) {
            mine.x = i;
#pragma acc loop vector
            for (int j = 0; j < 10; j++) {
                s.t = mine.x + j;
                s.k = j;
                b[10 * i + j] = s.t * s.k;
            }
        }
    }
    printf("%g\n", sum());
#pragma acc parallel loop gang
    for (int i = 0; i < N / 10; i++) {
        struct work own;
        own.scale = i;
        own.list[1] = 7;
#pragma acc loop vector
        for (int j = 0; j < 10; j++) {
            own.t = j;
            own.range.high = j + 1;
            b[10 * i + j] = own.t * own.range.high + own.scale + own.list[1];
        }
    }
    printf("%g\n", sum());
    return 0;
}
