// Small arrays that get copies are updated beyond the section that the directive names, where more of them is mapped: in loops some of
// whose updates, or all, or none are of elements that have a copy, by several spellings of the index.
// launches: 4
#include <stddef.h>
#include <stdio.h>

enum { MANY = 64, NAMED = 24, DIMS = 8, POINTS = 500 };

static int check(const float *sums, const int *counts, int step)
{
    static float s[MANY + DIMS * 4];
    static int c[MANY + DIMS * 4];
    int bad = 0;
    for (int k = 0; k < MANY; k++)
        s[k] = 0, c[k] = 0;
    for (int i = 0; i < POINTS; i++)
        for (int d = 0; d < DIMS; d++) {
            s[i % 6 * 7 + step * d] += i % 5;
            c[i % 6 * 7 + step * d]++;
        }
    for (int k = 0; k < MANY; k++)
        bad += s[k] != sums[k] || c[k] != counts[k];
    return bad;
}

int main(void)
{
    static float sums[MANY], points[POINTS];
    static int counts[MANY], row[POINTS];
    float *s = sums;
    int *c = counts, *r = row, bad = 0, dims = DIMS;
    for (int i = 0; i < POINTS; i++)
        points[i] = i % 5, row[i] = i % 6;
#pragma acc data copyin(points, r[0:POINTS]) create(s[0:MANY], c[0:MANY])
    for (int turn = 0; turn < 4; turn++) {
        for (int k = 0; k < MANY; k++)
            sums[k] = 0, counts[k] = 0;
#pragma acc update device(s[0:MANY], c[0:MANY])
        if (turn == 0) {
#pragma acc parallel loop present(s[0:NAMED], c[0:NAMED], r[0:POINTS])
            for (int i = 0; i < POINTS; i++) {
                int from = r[i] * 7;
                for (int d = 0; d < DIMS; d++) {
#pragma acc atomic update
                    s[from + d] += points[i];
#pragma acc atomic update
                    c[from + d]++;
                }
            }
        } else if (turn == 1) {
#pragma acc parallel loop gang vector present(s[0:NAMED], c[0:NAMED], r[0:POINTS])
            for (size_t i = 0; i < POINTS; i++) {
#pragma acc loop seq
                for (unsigned d = 0; d < (unsigned)dims; d++) {
#pragma acc atomic
                    s[r[i] * 7 + d] += points[i];
#pragma acc atomic
                    c[7 * r[i] + (long)d] += 1;
                }
            }
        } else if (turn == 2) {
#pragma acc parallel loop present(s[0:NAMED], c[0:NAMED], r[0:POINTS])
            for (long i = 0; i < POINTS; i++)
                for (long d = dims - 1; d >= 0; d--) {
#pragma acc atomic update
                    s[r[i] * 7 + d] += points[i];
#pragma acc atomic update
                    c[r[i] * 7 + d]++;
                }
        } else {
#pragma acc parallel loop present(s[0:NAMED], c[0:NAMED], r[0:POINTS])
            for (int i = 0; i < POINTS; i++)
                for (short d = 0; d < dims; d++) {
#pragma acc atomic update
                    s[3 * d + r[i] * 7] += points[i];
#pragma acc atomic update
                    c[r[i] * 7 + 3 * d]++;
                }
        }
#pragma acc update self(s[0:MANY], c[0:MANY])
        bad += check(sums, counts, turn == 3 ? 3 : 1);
    }
    printf("%d\n", bad);
    return bad != 0;
}
