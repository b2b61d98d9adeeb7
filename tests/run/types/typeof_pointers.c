// Pointers to and arrays of what typeof names: variables, elements, what pointers point to, functions, types; in macros and casts.
#include <stdio.h>

#define SWAP(a, b) do { __typeof__(a) *pa_ = &(a), *pb_ = &(b), t_ = *pa_; *pa_ = *pb_; *pb_ = t_; } while (0)
#define LARGEST(v, n) ({ __typeof__(*(v)) *at_ = (v), m_ = *at_; for (int i_ = 1; i_ < (n); i_++) if (at_[i_] > m_) m_ = at_[i_]; m_; })

struct pair {
    short a;
    double b;
};

static float twice(float x) { return 2 * x; }
extern __typeof__(twice) twice;
static double grid[4][5];
static unsigned long word;

int main(void)
{
    struct pair p[30], q = {3, 0.5};
    double d[30];
    long n = 30;
    for (int i = 0; i < n; i++)
        p[i] = (struct pair){i * 7 % 13, i / 2.0};
    for (int i = 0; i < 20; i++)
        grid[i / 5][i % 5] = i;
    word = 5;
#pragma acc parallel loop copy(p) copyin(grid) copyout(d)
    for (int i = 0; i < n; i++) {
        __typeof__(p[i]) own[2] = {p[i], q}, *first = own;
        __typeof__(*first) *second = first + 1;
        SWAP(first->a, second->a);
        SWAP(own[0].b, own[1].b);
        __typeof__(float (*)(float)) f = twice;
        __typeof__(twice) *g = &twice;
        __typeof__(grid[0]) *row = &grid[i % 4];
        __typeof__((q)) *const r = &own[i & 1];
        int v[5] = {i, 3, i % 7, 9, -i};
        __typeof__(&v[1]) *w = (__typeof__(v[0]) *[2]){v, v + 1};
        d[i] = LARGEST(v, 5) + f(i) + g(0.5f) + (*row)[i % 5] + w[1][0] + r->b + *(__typeof__(word) *)&(__typeof__(word)){word + i};
        p[i] = own[i & 1];
    }
    double s = 0;
    for (int i = 0; i < n; i++)
        s = s * 0.9 + d[i] + p[i].a + p[i].b;
    printf("%.8f\n", s);
    return 0;
}
