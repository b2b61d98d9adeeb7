// Lanes that count into small arrays wait for the memory of the device only where copies are added up: the copies are in the
// gang's own memory, and indices that cannot be too large are not compared with the length.
// finds: nothing
// counters: divergent <= 40, instructions <= 24000
#include <stdio.h>

enum { N = 1 << 14, BINS = 16 };

unsigned char key[N];
int flat[2 * BINS], rows[2][BINS];
double sums[BINS];

int main(void)
{
    for (int i = 0; i < N; i++)
        key[i] = i * 7 % 31;
#pragma acc parallel loop copyin(key) copy(flat, rows, sums) num_gangs(4) vector_length(128)
    for (int i = 0; i < N; i++) {
#pragma acc atomic
        flat[BINS + key[i] % BINS]++;
#pragma acc atomic
        rows[key[i] / BINS % 2][i % BINS] += 2;
#pragma acc atomic
        sums[key[i] & 15] += 0.5;
    }
    printf("%d %d %g\n", flat[17], rows[1][3], sums[5]);
}
