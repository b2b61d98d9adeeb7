// The message about data that is absent counts the references of rows that constructs hold together.
#include <stdlib.h>

int main(void)
{
    double *block = calloc(40, sizeof(double));
    double *rows[4];
    for (int i = 0; i < 4; i++)
        rows[i] = block + 8 * i;
#pragma acc enter data copyin(rows[0:4][0:8])
    for (int turn = 0; turn < 3; turn++) {
#pragma acc data present(rows[0:4][0:8])
#pragma acc data present(rows[0:4][0:8])
        {
            if (turn == 2) {
#pragma acc parallel present(block[34:2])
                block[34] = 1;
            }
        }
    }
    return 0;
}
