// Bitwise reduction of a floating variable.
int main(void)
{
    double d = 0;
#pragma acc parallel loop reduction(&:d)
    for (int i = 0; i < 10; i++)
        d += i;
    return (int)d;
}
