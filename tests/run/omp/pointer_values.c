// Pointers that a region only looks at keep their value where nothing is mapped that they lead to; what is mapped is translated.
// cflags: -fopenmp
// launches: 3
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int here[4] = {1, 2, 3, 4}, mapped[8] = {0}, *p = here, *q = NULL, *r = here + 1, errors = 0;
    int *in = mapped + 3, *end = mapped + 8;
    uintptr_t address = (uintptr_t)here;
    #pragma omp target map(tofrom: errors) defaultmap(default: pointer)
    {
        errors += (uintptr_t)p != address;
        errors += q != NULL;
        errors += r != (int *)address + 1;
        int steps = 0;
        while (r != (int *)address + 3) {
            r++;
            steps++;
        }
        errors += steps != 2;
        r = NULL;
        errors += r != NULL;
    }
    printf("%d %d\n", p == here, q == NULL);
    #pragma omp target map(tofrom: errors) map(to: mapped)
    {
        errors += in - mapped != 3;
        errors += !(in < end);
        errors += p == in;
        errors += p == mapped;
    }
    #pragma omp target teams distribute parallel for map(from: mapped)
    for (int i = 0; i < 8; i++)
        mapped[i] = (p == NULL) + 2 * ((uintptr_t)p == address) + i;
    printf("%d %d %d\n", errors, mapped[0], mapped[7]);
    return errors;
}
