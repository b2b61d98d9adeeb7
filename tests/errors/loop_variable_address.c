// The body takes the address of the loop variable.
int main(void)
{
    int a[50];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 50; i++) {
        const int *p = &i;
        a[i] = *p;
    }
    return a[0];
}
