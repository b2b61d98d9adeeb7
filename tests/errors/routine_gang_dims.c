// Routines whose gang dimensions do not fit their loops, their callers, or what they call.
#pragma acc routine gang
static void low(int *x)
{
#pragma acc loop gang(dim:2)
    for (int i = 0; i < 10; i++)
        x[i] += 1;
}

#pragma acc routine gang(dim:2)
static void two(int *x)
{
#pragma acc loop gang(dim:2)
    for (int i = 0; i < 10; i++)
        x[i] += 1;
}

#pragma acc routine gang(dim:1)
static void caller(int *x)
{
    two(x);
}

int main(void)
{
    int x[10] = {0};
#pragma acc parallel num_gangs(2, 2) copy(x)
    {
#pragma acc loop gang(dim:2)
        for (int i = 0; i < 10; i++)
            two(x);
        low(x);
        caller(x);
    }
    return x[0];
}
