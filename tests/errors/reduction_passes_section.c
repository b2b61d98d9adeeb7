// A reduction over a section whose length is known at run time only, which the loop hands to a function.
#pragma acc routine seq
static void add(long *at, long x)
{
    *at += x;
}

int main(void)
{
    int n = 6;
    long h[10] = {0}, *p = h;
#pragma acc parallel loop copy(p[0:n]) reduction(+:p[0:n])
    for (int i = 0; i < 10; i++)
        add(&p[i % n], i);
    return (int)h[0];
}
