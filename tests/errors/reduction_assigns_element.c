// A reduction over a section whose length is known at run time only, in which an element is assigned.
int main(void)
{
    int n = 6;
    long h[10] = {0}, *p = h;
#pragma acc parallel loop copy(p[0:n]) reduction(+:p[0:n])
    for (int i = 0; i < 10; i++)
        p[i % n] = i;
    return (int)h[0];
}
