// 3-D convolution with a small constant mask, collapsed over three loops.
#include <stdio.h>

#define X 14
#define Y 15
#define Z 16

int main(void)
{
    static float in[X][Y][Z], out[X][Y][Z];
    const float mask[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
    for (int i = 0; i < X * Y * Z; i++)
        (&in[0][0][0])[i] = (float)(i % 32);
#pragma acc parallel loop collapse(3) copyin(in, mask) copy(out)
    for (int x = 0; x < X; x++)
        for (int y = 1; y < Y - 1; y++)
            for (int z = 1; z < Z - 1; z++) {
                float s = 0;
                for (int i = -1; i <= 1; i++)
                    for (int j = -1; j <= 1; j++)
                        s += mask[i + 1][j + 1] * in[x][y + i][z + j];
                out[x][y][z] = s / 16;
            }
    double h = 0;
    for (int i = 0; i < X * Y * Z; i++)
        h += (&out[0][0][0])[i] * (i % 5);
    printf("%.10g\n", h);
    return 0;
}
