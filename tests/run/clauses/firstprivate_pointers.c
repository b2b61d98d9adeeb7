// Copies of structs that firstprivate makes of sections, arrays and large structs: pointers in them that the region follows lead to
// present data.
// launches: 4
#include <stdio.h>
#include <stdlib.h>

#define N 32

struct job {
    double *x;
    int n;
    struct {
        const float *y;
        double scale;
    } in;
};

struct table {
    char name[200];
    double *columns[3];
    int *unused;
};

int main(void)
{
    struct job *jobs = malloc(3 * sizeof *jobs);
    struct job list[2];
    struct table t = {.name = "t"};
    static double x[3][N];
    static float y[N];
    int other = 7;
    for (int k = 0; k < 3; k++) {
        jobs[k].x = x[k];
        jobs[k].n = N - k;
        jobs[k].in.y = y;
        jobs[k].in.scale = k + 0.5;
        for (int i = 0; i < N; i++)
            x[k][i] = i - k;
        t.columns[k] = x[2 - k];
    }
    t.unused = &other;
    for (int i = 0; i < N; i++)
        y[i] = i * 0.25f;
    list[0] = jobs[2];
    list[1] = jobs[1];
    int count = 3;
#pragma acc data copy(x) copyin(y)
    {
        // One object behind a pointer.
#pragma acc parallel loop firstprivate(jobs[0:1])
        for (int i = 0; i < N; i++)
            jobs->x[i] += jobs->in.y[i] * jobs->in.scale;
        // As many as a variable says, of which each gang changes its own.
#pragma acc parallel num_gangs(2) firstprivate(jobs[0:count])
        {
            jobs[1].n -= 4;
#pragma acc loop gang
            for (int i = 0; i < jobs[1].n; i++)
                jobs[1].x[i] += jobs[2].in.y[i] + jobs[1].n;
            jobs[1].n += 4;
        }
        // An array.
#pragma acc parallel loop firstprivate(list)
        for (int i = 0; i < N; i++)
            list[0].x[i] -= list[1].in.y[i];
        // A large struct.
#pragma acc parallel loop firstprivate(t)
        for (int i = 0; i < N; i++)
            t.columns[0][i] += t.columns[2][i] + (t.name[0] == 't');
    }
    double s = 0;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < N; i++)
            s = s * 0.9 + x[k][i];
    printf("%.12g %d %d\n", s, jobs[1].n, *t.unused);
    return 0;
}
