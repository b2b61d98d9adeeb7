// present asks for more than is mapped.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 100, *p = malloc(400);
#pragma acc enter data create(p[0:n / 2])
#pragma acc parallel loop present(p[0:n])
    for (int i = 0; i < n; i++)
        p[i] = i;
    printf("not reached\n");
    return 0;
}
