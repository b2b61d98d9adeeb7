// enter data needs a data clause.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc enter data async(1)
    return a[0] + b[0] + n + s;
}
