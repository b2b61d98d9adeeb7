// Structs that regions of threads reduce: by names of members, in structs in structs, with numbers of threads.
// cflags: -fopenmp
// launches: 3
#include <omp.h>
#include <stdio.h>

typedef struct {
    int id;
    struct {
        double sum;
        int most;
    } in;
    int data[4];
} Work;

static void merge(Work *out, const Work *in)
{
    out->id += in->id;
    out->in.sum += in->in.sum;
    if (in->in.most > out->in.most)
        out->in.most = in->in.most;
    for (int i = 0; i < 4; i++)
        out->data[i] += in->data[i];
}

#pragma omp declare reduction(merge: Work: merge(&omp_out, &omp_in)) initializer(omp_priv = (Work){0, {0, -1000}, {0}})

static void show(const Work *w)
{
    printf("%d %g %d %d %d %d %d\n", w->id, w->in.sum, w->in.most, w->data[0], w->data[1], w->data[2], w->data[3]);
}

int main(void)
{
    Work w = {5, {0.5, -3}, {1, 2, 3, 4}};
    #pragma omp target parallel num_threads(6) reduction(merge: w) map(tofrom: w)
    {
        int t = omp_get_thread_num();
        w.id += t;
        w.in.sum += t * 0.25;
        if (t * 5 % 6 > w.in.most)
            w.in.most = t * 5 % 6;
        w.data[3] += 1;
    }
    show(&w);
    #pragma omp target map(tofrom: w)
    #pragma omp parallel num_threads(4) reduction(merge: w)
    {
        w.id += 10;
        w.data[omp_get_thread_num()] += 7;
        w.in.most = omp_get_num_threads() * omp_get_thread_num();
    }
    show(&w);
    #pragma omp target teams num_teams(3) reduction(merge: w) map(tofrom: w)
    {
        w.id += omp_get_team_num();
        #pragma omp parallel num_threads(4) reduction(merge: w)
        {
            w.in.sum += 1;
            w.data[0] += omp_get_thread_num();
        }
    }
    show(&w);
    return 0;
}
