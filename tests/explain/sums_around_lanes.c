// Sequential loops around loops of lanes that only add up: several iterations at a time; and two that stay, since something sees the sum between
// them, or rows get longer.
// launches: 1
#include <stdio.h>

enum { CHANNELS = 4, IMAGES = 6, AREA = 100 };
static float x[IMAGES][CHANNELS][AREA];

int main(void)
{
    float mean[CHANNELS], weighted[CHANNELS], part[CHANNELS];
    for (int i = 0; i < IMAGES * CHANNELS * AREA; i++)
        x[i / (CHANNELS * AREA)][i / AREA % CHANNELS][i % AREA] = (float)(i % 5);
#pragma acc parallel loop gang copyin(x) copyout(mean, weighted, part)
    for (int c = 0; c < CHANNELS; c++) {
        float sum = 0, all = 0, triangle = 0;
        for (int i = 0; i < IMAGES; i++) {
#pragma acc loop vector reduction(+ : sum)
            for (int p = 0; p < AREA; p++)
                sum += x[i][c][p];
        }
        mean[c] = sum / (IMAGES * AREA);
        float row = 0;
        for (int i = 0; i < IMAGES; i++) {
#pragma acc loop vector reduction(+ : row)
            for (int p = 0; p < AREA; p++)
                row += x[i][c][p];
            all += row * (float)i;
        }
        weighted[c] = all;
        for (int i = 0; i < IMAGES; i++) {
#pragma acc loop vector reduction(+ : triangle)
            for (int p = 0; p < AREA - i; p++)
                triangle += x[i][c][p];
        }
        part[c] = triangle;
    }
    printf("%g %g %g\n", mean[1], weighted[2], part[3]);
    return 0;
}
