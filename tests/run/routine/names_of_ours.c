// Functions of the program with the names that variables of generated code have.
#include <stdio.h>

static int gang(int i)
{
    return i + 1;
}

static int gangs(int i)
{
    return 2 * i;
}

int position(int i)
{
    return i - 3;
}

#pragma acc routine seq
int launch(int i)
{
    return position(i) * gang(i);
}

#pragma acc routine gang
static void fill(int n, int *a)
{
#pragma acc loop gang vector
    for (int i = 0; i < n; i++)
        a[i] = launch(i) + gangs(i);
}

int main(void)
{
    int a[100], b[100], s = 0;
#pragma acc parallel copyout(a)
    fill(100, a);
#pragma acc parallel loop copyout(b) reduction(+ : s)
    for (int i = 0; i < 100; i++) {
        b[i] = gang(i) + gangs(i) + position(i) + launch(i);
        s += b[i] % 7;
    }
    for (int i = 0; i < 100; i++)
        s += a[i] + 3 * b[i];
    printf("%d %d %d\n", s, a[7], b[9]);
    return 0;
}
