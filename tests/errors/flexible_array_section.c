/* A section of a flexible array member by itself: its elements belong behind the struct. */
struct numbers {
    int n;
    float x[];
};

void scale(struct numbers *v, int n)
{
#pragma acc parallel loop copy(v[0:1], v->x[0:n])
    for (int i = 0; i < n; i++)
        v->x[i] *= v->n;
}
