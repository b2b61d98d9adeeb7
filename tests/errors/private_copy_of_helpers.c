// A construct that changes its own copy of a global, which a function that it calls uses, too.
static int g, sum, level;
#pragma acc declare create(g, sum, level)

#pragma acc routine seq
static int all(void)
{
    return g + sum + level;
}

int main(void)
{
    int a[8];
#pragma acc parallel firstprivate(g, level) copyout(a)
    {
        g++;
        a[0] = all() + level;
    }
#pragma acc parallel loop reduction(+ : sum) copyout(a)
    for (int i = 0; i < 8; i++) {
        a[i] = all();
        sum += i;
    }
    return a[0];
}
