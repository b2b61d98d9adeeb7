// Lanes that work on several structs at once store the members of each together.
// finds: nothing
// counters: store-width >= 8, load-width >= 8
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 14 };

struct particle {
    float x, y, z, u, v, w;
};

static void push(int n, struct particle *all)
{
#pragma acc parallel loop copy(all[0:n]) num_gangs(4) vector_length(128)
    for (int i = 0; i < n; i++) {
        float u = all[i].u + 0.5f * all[i].y, v = all[i].v - 0.5f * all[i].x;
        all[i].u = u + v;
        all[i].v = v - u;
        all[i].w += 1;
        all[i].x += 0.25f * all[i].u;
        all[i].y += 0.25f * all[i].v;
        all[i].z += 0.25f * all[i].w;
    }
}

int main(void)
{
    struct particle *all = malloc(N * sizeof *all);
    for (int i = 0; i < N; i++)
        all[i] = (struct particle){i, 2, 3, 4, 5, 6};
    push(N, all);
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += all[i].x + all[i].y + all[i].z + all[i].w;
    printf("%g\n", sum);
}
