// A reduction over a section whose length is known at run time only, in which one element is computed from another.
int main(void)
{
    int n = 6;
    long h[10] = {0}, *p = h;
#pragma acc parallel loop copy(p[0:n]) reduction(+:p[0:n])
    for (int i = 1; i < n; i++)
        p[i] += p[i - 1];
    return (int)h[0];
}
