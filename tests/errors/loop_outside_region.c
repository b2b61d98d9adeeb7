// An orphaned loop directive outside any compute region and routine.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc loop gang
    for (int i = 0; i < n; i++)
        a[i] = i;
    return a[0] + b[0] + n + s;
}
