// Assembler in a region.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc parallel num_gangs(1) copy(a)
    {
        __asm__ volatile("nop");
        a[0] = 1;
    }
    return a[0] + b[0] + n + s;
}
