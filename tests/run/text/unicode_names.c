// Names beyond ASCII, as characters and as universal character names, in clauses, regions and routines.
// launches: 4
#include <stdio.h>

struct Größe {
    double ü;
    int länge[3];
};
double β[10];
int größer$als = 2;

#pragma acc routine seq
static double quadrat_über(double ö) { return ö * ö; }

static double número(double x) { return quadrat_über(x) + 1; }

#pragma acc routine(número) seq

static void zähle(int n, double é[n], const int *ñ)
{
#pragma acc data copy(é) copyin(ñ[0:n])
#pragma acc parallel loop present(é, ñ[0:n])
    for (int i = 0; i < n; i++)
        é[i] += ñ[i];
}

int main(void)
{
    double α[10], σ = 0;
    int n = 10, 数[10];
    struct Größe g = {2, {1, 2, 3}};
    for (int i = 0; i < n; i++)
        α[i] = 数[i] = i;
#pragma acc parallel loop copyin(α, g) copyout(β[0:n]) reduction(+ : σ) async(n) if(größer$als > 1)
    for (int i = 0; i < n; i++) {
        β[i] = quadrat_über(α[i]) + g.ü + g.länge[1];
        σ += número(α[i]) * größer$als;
    }
#pragma acc wait(n)
#pragma acc data copy(\u03b1)
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            \u03b1[i] += α[i] + β[i];
#pragma acc update self(\U000003b1[0:n - 1])
    }
    zähle(n, α, 数);
#pragma acc serial loop copy(β)
    for (int i = 0; i < n; i++)
        β[i] += 1;
    printf("%g %g %g\n", α[3], σ, β[4]);
    return 0;
}
