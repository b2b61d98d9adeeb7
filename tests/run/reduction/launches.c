// The records of gangs are brought together by further launches. Numbers of gangs that are powers of two, odd, and one alone;
// several reductions in a kernel, of several types and with arrays; kernels one after another in a queue, whose records use the same
// memory.
// modes: opencl (the others have no such launches)
// option-sets: launches.options

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define N 40000

static double half_of(int i) { return (i % 7) * 0.5; }

int main(void)
{
    int *a = malloc(N * sizeof *a);
    for (int i = 0; i < N; i++)
        a[i] = (i * 37) % 1001 - 300;

    int wrong = 0;
#pragma acc data copyin(a[0:N])
    for (int gangs = 1; gangs < 40; gangs += gangs < 9 ? 1 : 10) {
        long sum = 5;
        int low = 10000;
        unsigned char bits = 0;
        double halves = 0;
        bool all = true;
        int bins[5] = {1, 2, 3, 4, 5};
#pragma acc parallel loop gang vector num_gangs(gangs) \
    reduction(+:sum, halves, bins) reduction(min:low) reduction(|:bits) reduction(&&:all)
        for (int i = 0; i < N; i++) {
            sum += a[i];
            low = a[i] < low ? a[i] : low;
            bits |= a[i] & 0x55;
            halves += half_of(i);
            all = all && a[i] < 701;
            bins[i % 5] += a[i];
        }
        long sum_h = 5;
        int low_h = 10000, bins_h[5] = {1, 2, 3, 4, 5};
        unsigned char bits_h = 0;
        double halves_h = 0;
        bool all_h = true;
        for (int i = 0; i < N; i++) {
            sum_h += a[i];
            low_h = a[i] < low_h ? a[i] : low_h;
            bits_h |= a[i] & 0x55;
            halves_h += half_of(i);
            all_h = all_h && a[i] < 701;
            bins_h[i % 5] += a[i];
        }
        wrong += sum != sum_h || low != low_h || bits != bits_h || halves != halves_h || all != all_h;
        for (int k = 0; k < 5; k++)
            wrong += bins[k] != bins_h[k];
    }
    printf("wrong: %d\n", wrong);

    // A queue: each kernel's records are brought together before the next one leaves its own.
    long rounds[8] = {0};
#pragma acc data copyin(a[0:N]) copy(rounds)
    {
        for (int r = 0; r < 8; r++) {
            long *round = &rounds[r];
#pragma acc parallel loop gang num_gangs(3 + r) async(1) present(a) reduction(+:round[0:1])
            for (int i = 0; i < N; i++)
                round[0] += a[i] * (r + 1);
        }
#pragma acc wait(1)
    }
    for (int r = 0; r < 8; r++)
        printf("%ld\n", rounds[r]);

    // The variable is used outside of the reduction as well: with one gang the result is there behind the loop.
    long inside = 0, seen = 0;
#pragma acc parallel num_gangs(1) copyin(a[0:N]) copy(inside, seen)
    {
#pragma acc loop gang vector reduction(+:inside)
        for (int i = 0; i < N; i++)
            inside += a[i];
        seen = inside;
    }
    printf("%ld %ld\n", inside, seen);

    // On the construct, and a loop of gangs alone: no lanes take part.
    unsigned long product = 3;
#pragma acc parallel num_gangs(6) reduction(*:product)
#pragma acc loop gang
    for (int i = 1; i < 20; i++)
        product *= 2 * i + 1;
    printf("%lu\n", product);
    free(a);
    return 0;
}
