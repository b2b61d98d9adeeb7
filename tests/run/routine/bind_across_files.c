// Device code calls functions of another file, which `bind` names: by string without a declaration, by the name of a declaration.
// with: bind_across_files.part.c
// expect-output: bind_across_files.expect
#include <stdio.h>

#pragma acc routine seq bind("doubled_on_device")
static int doubled(int x)
{
    printf("host %d\n", x);
    return x + x;
}

int total_on_device(int n, const int *v);
#pragma acc routine vector bind(total_on_device)
int total(int n, const int *v)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += v[i];
    return s;
}


int main(void)
{
    int a[10], b[10], v[20];
    for (int i = 0; i < 20; i++)
        v[i] = i;
#pragma acc parallel loop gang copyout(a, b) copyin(v)
    for (int i = 0; i < 10; i++) {
        a[i] = doubled(i);
        b[i] = total(20, v);
    }
    printf("%d %d %d %d\n", a[3], b[4], doubled(5), total(20, v));
    return 0;
}
