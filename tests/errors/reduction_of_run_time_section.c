// A reduction over a section whose length is known at run time only, with more than updates in the loop.
int main(void)
{
    int n = 6;
    long h[10] = {0}, seen[10], *p = h;
#pragma acc parallel loop copy(p[0:n]) copyout(seen) reduction(+:p[0:n])
    for (int i = 0; i < 10; i++) {
        p[i * 7 % n] += i % 3;
        seen[i] = p[0];
    }
    return (int)h[0];
}
