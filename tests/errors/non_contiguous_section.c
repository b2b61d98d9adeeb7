// A section that is not contiguous in memory.
int main(void)
{
    static int g[10][10];
#pragma acc parallel loop copyout(g[0:10][2:3])
    for (int i = 0; i < 10; i++)
        g[i][2] = i;
    return g[0][2];
}
