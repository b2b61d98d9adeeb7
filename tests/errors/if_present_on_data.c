// if_present belongs to update and host_data.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc data copy(a) if_present
    {
    }
    return a[0] + b[0] + n + s;
}
