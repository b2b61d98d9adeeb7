// A kernel that no GPU can run, beside one that can.
// launches: 2
int main(void)
{
    long double wide = 1;
    float x[100];
#pragma acc serial copy(wide)
    wide *= 2;
#pragma acc parallel loop copyout(x)
    for (int i = 0; i < 100; i++)
        x[i] = i;
    return wide != 2 || x[99] != 99;
}
