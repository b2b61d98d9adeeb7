// A row that an earlier launch has found is no longer present.
#include <stdlib.h>

int main(void)
{
    double *rows[4];
    for (int i = 0; i < 4; i++)
        rows[i] = calloc(8, sizeof(double));
#pragma acc enter data copyin(rows[0:4][0:8])
    for (int turn = 0; turn < 3; turn++) {
        if (turn == 2) {
#pragma acc exit data delete(rows[1][0:8])
        }
#pragma acc parallel loop present(rows[0:4][0:8])
        for (int i = 0; i < 4; i++)
            rows[i][turn] += 1;
    }
    return 0;
}
