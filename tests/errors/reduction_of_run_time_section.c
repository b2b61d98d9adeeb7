// A reduction over a section whose length is known at run time only.
int main(void)
{
    int n = 6;
    long h[10] = {0}, *p = h;
#pragma acc parallel loop copy(p[0:n]) reduction(+:p[0:n])
    for (int i = 0; i < 3000; i++)
        p[i * 7 % n] += i % 3;
    return (int)h[0];
}
