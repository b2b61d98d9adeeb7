// Loops without a directive inside a region, which each thread runs by itself.
#include <math.h>

int main(void)
{
    static double x[1000];
    double residue = 0;
#pragma acc parallel loop copyout(x) reduction(+ : residue)
    for (int i = 0; i < 1000; i++) {
        double guess = 1 + i;
        for (int round = 0; round < 20; round++)
            guess = (guess + (1 + i) / guess) / 2;
        x[i] = guess;
        residue += fabs(guess * guess - 1 - i);
    }
    return residue > 1e-6;
}
