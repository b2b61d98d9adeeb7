// serial takes no num_gangs.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc serial num_gangs(4) copy(a)
    a[0] = 1;
    return a[0] + b[0] + n + s;
}
