// Rows that acc_map_data has mapped are unmapped in a data construct that holds them, together with many others, as the one before did.
#include <openacc.h>
#include <stdlib.h>

int main(void)
{
    double *rows[4];
    for (int i = 0; i < 4; i++) {
        rows[i] = calloc(8, sizeof(double));
        acc_map_data(rows[i], acc_malloc(8 * sizeof(double)), 8 * sizeof(double));
    }
#pragma acc enter data copyin(rows[0:4][0:8])
    for (int turn = 0; turn < 3; turn++) {
#pragma acc data present(rows[0:4][0:8])
        {
            if (turn == 2)
                acc_unmap_data(rows[1]);
        }
    }
    return 0;
}
