// A gang loop inside a vector loop.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc parallel loop vector copyout(a)
    for (int i = 0; i < n; i++) {
#pragma acc loop gang
        for (int j = 0; j < n; j++)
            a[i] = j;
    }
    return a[0] + b[0] + n + s;
}
