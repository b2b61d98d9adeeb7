// A pointer to a struct without a section in a clause of `data` or `enter data`: the struct is mapped, and its members are attached to it.
// launches: 3
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int n;
    double *v;
} vector;

struct settings {
    int first, step;
    float weights[3];
};

static void scale(vector *w, double factor)
{
#pragma acc parallel loop present(w, w->v[0 : w->n])
    for (int i = 0; i < w->n; i++)
        w->v[i] *= factor;
}

static double weighted(struct settings *s, double out[4])
{
#pragma acc data copyin(s) copyout(out[0:4])
    {
#pragma acc parallel loop
        for (int i = 0; i < 4; i++)
            out[i] = s->first + i * s->step + s->weights[i % 3];
    }
    return out[0] + 10 * out[1] + 100 * out[2] + 1000 * out[3];
}

int main(void)
{
    vector *p = malloc(sizeof *p);
    p->n = 4;
    p->v = malloc(4 * sizeof(double));
    for (int i = 0; i < 4; i++)
        p->v[i] = i + 1;
#pragma acc enter data copyin(p)
#pragma acc enter data copyin(p->v[0 : p->n])
    scale(p, 10);
#pragma acc update self(p->v[0 : p->n])
    printf("%g %g %g %g\n", p->v[0], p->v[1], p->v[2], p->v[3]);
#pragma acc exit data delete(p->v)
#pragma acc exit data delete(p)

    struct settings s = {3, 2, {0.5f, 0.25f, 8}};
    double out[4];
    printf("%g\n", weighted(&s, out));
    struct settings *made = calloc(1, sizeof *made);
#pragma acc data copyout(made)
    {
#pragma acc serial
        {
            made->first = 7;
            made->step = -1;
            for (int k = 0; k < 3; k++)
                made->weights[k] = (float)k;
        }
    }
    printf("%d %d %g\n", made->first, made->step, made->weights[2]);
    free(p->v);
    free(p);
    free(made);
    return 0;
}
