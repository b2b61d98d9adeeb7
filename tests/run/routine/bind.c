// Device code calls the function that `bind` names; on the host the call stays as it is. `nohost` changes nothing.
// expect-output: bind.expect
#include <stdio.h>

int on_device(int x);

#pragma acc routine seq bind(on_device)
int where(int x)
{
    return x;
}

#pragma acc routine seq nohost
int on_device(int x)
{
    return x + 1000;
}

int by_string(int x);
#pragma acc routine(by_string) bind("string_device") seq
int by_string(int x)
{
    return x;
}

#pragma acc routine seq
int string_device(int x)
{
    return -x;
}

int main(void)
{
    int a[10], b[10];
#pragma acc parallel loop copyout(a, b)
    for (int i = 0; i < 10; i++) {
        a[i] = where(i);
        b[i] = by_string(i);
    }
    printf("%d %d %d %d\n", a[3], b[4], where(3), by_string(4));
    return 0;
}
