// device_type without the name of a device.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc parallel loop device_type() num_gangs(4) copyout(a)
    for (int i = 0; i < n; i++)
        a[i] = i;
    return a[0] + b[0] + n + s;
}
