// An array that is only updated atomically, and one whose values are looked at.
// launches: 2
#include <stdlib.h>

int main(void)
{
    int n = 10000, next = 0;
    unsigned counts[64] = { 0 };
    unsigned char *key = malloc(n);
    int *order = malloc(n * sizeof *order);
    for (int i = 0; i < n; i++)
        key[i] = i % 64;
#pragma acc data copyin(key[0:n])
    {
#pragma acc parallel loop copy(counts)
        for (int i = 0; i < n; i++) {
#pragma acc atomic
            counts[key[i]]++;
        }
#pragma acc parallel loop copyout(order[0:n]) copy(next)
        for (int i = 0; i < n; i++) {
            int mine;
#pragma acc atomic capture
            mine = next++;
            order[mine] = i;
        }
    }
    return counts[3] != 157 || next != n;
}
