// Every lane uses 4 bytes of a struct of 32: seven eighths of what is moved are not used.
// finds: nothing
// counters: load-eff <= 0.13, store-eff >= 0.99
#include <stdio.h>

struct particle {
    float mass, position[3], velocity[3], charge;
};
struct particle p[2048];
float mass[2048];

int main(void)
{
    for (int i = 0; i < 2048; i++)
        p[i].mass = i;
#pragma acc parallel loop copyin(p) copyout(mass)
    for (int i = 0; i < 2048; i++)
        mass[i] = p[i].mass;
    printf("%g\n", mass[2047]);
}
