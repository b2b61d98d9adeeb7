// The result of a gang reduction into a variable of all gangs, read before the construct ends.
// finds: race
int main(void)
{
    int a[64], s = 0;
    double b[64];
    for (int i = 0; i < 64; i++)
        a[i] = 1;
#pragma acc parallel num_gangs(4) copyin(a) copyout(b) copy(s)
    {
#pragma acc loop gang vector reduction(+ : s) // found here
        for (int i = 0; i < 64; i++)
            s += a[i];
#pragma acc loop gang vector
        for (int i = 0; i < 64; i++)
            b[i] = s; // found here
    }
    return b[0] > 0;
}
