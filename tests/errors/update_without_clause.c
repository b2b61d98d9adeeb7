// update needs self, host or device.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc update async(1)
    return a[0] + b[0] + n + s;
}
