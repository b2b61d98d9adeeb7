// Far more gangs than there is work, in one dimension and in several; those without work cost nothing.
// launches: 4
#include <stdio.h>

int main(void)
{
    static int a[1000];
    int many = 2000000000, sum = 0, rows[20][30];
#pragma acc parallel loop num_gangs(2000000000) copyout(a)
    for (int i = 0; i < 1000; i++)
        a[i] = i;
#pragma acc parallel loop gang vector num_gangs(many) reduction(+ : sum) copyin(a)
    for (int i = 0; i < 1000; i++)
        sum += a[i];
#pragma acc kernels loop gang(num: many) copy(a)
    for (int i = 0; i < 1000; i++)
        a[i] *= 2;
#pragma acc parallel num_gangs(100, 200) copyout(rows)
    {
#pragma acc loop gang(dim: 2)
        for (int i = 0; i < 20; i++)
#pragma acc loop gang(dim: 1)
            for (int j = 0; j < 30; j++)
                rows[i][j] = i * j;
    }
    printf("%d %d %d\n", sum, a[999], rows[19][29]);
    return 0;
}
