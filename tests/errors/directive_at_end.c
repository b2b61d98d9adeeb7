// A construct without a statement.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
    {
#pragma acc parallel copy(a)
    }
    return a[0] + b[0] + n + s;
}
