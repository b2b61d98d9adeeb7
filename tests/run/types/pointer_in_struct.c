// A struct holding pointers: its members are used as section bases through host copies.
// launches: 2
#include <stdio.h>
#include <stdlib.h>

struct vec {
    int n;
    int *data;
};

static void add(struct vec *v, int by)
{
    int *p = v->data, n = v->n;
#pragma acc parallel loop copy(p[0:n])
    for (int i = 0; i < n; i++)
        p[i] += by;
}

int main(void)
{
    struct vec v = {20, malloc(20 * sizeof(int))};
    for (int i = 0; i < v.n; i++)
        v.data[i] = i;
    add(&v, 5);
    add(&v, 100);
    for (int i = 0; i < v.n; i++)
        printf("%d ", v.data[i]);
    printf("\n");
    free(v.data);
    return 0;
}
