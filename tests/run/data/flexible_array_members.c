// Structs with a flexible array member, which come to the device as bytes; sections of the member in directives about present data.
// launches: 4
#include <stdio.h>
#include <stdlib.h>

struct numbers {
    int n;
    float x[];
};

static void show(const struct numbers *v)
{
    for (int i = 0; i < v->n; i++)
        printf("%g ", v->x[i]);
    printf("\n");
}

int main(void)
{
    int n = 8;
    size_t size = sizeof(struct numbers) + n * sizeof(float);
    struct numbers *v = malloc(size);
    char *bytes = (char *)v;
    v->n = n;
    for (int i = 0; i < n; i++)
        v->x[i] = i;
#pragma acc parallel loop copy(bytes[0:size])
    for (int i = 0; i < n; i++)
        v->x[i] *= v->n;
    show(v);
#pragma acc data copyin(bytes[0:size])
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            v->x[i] += v->n;
#pragma acc parallel loop present(v->x[0:n])
        for (int i = 0; i < n; i++)
            v->x[i] += 0.5f;
#pragma acc update self(v->x[0:8])
        show(v);
        for (int i = 0; i < n; i++)
            v->x[i] = -i;
#pragma acc update device(v->x[2:4])
#pragma acc serial
        v->x[7] = v->x[2] + v->x[5];
#pragma acc update self(v->x[7:1])
        show(v);
    }
    return 0;
}
