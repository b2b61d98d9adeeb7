// Reduction of a pointer.
int main(void)
{
    int a[4], *p = a;
#pragma acc parallel loop reduction(+:p)
    for (int i = 0; i < 4; i++)
        p++;
    return *p;
}
