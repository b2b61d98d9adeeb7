// malloc, calloc, realloc and free: lists that grow and shrink in each thread, and blocks that threads hand to one another.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 200

static int sum_of_list(int n)
{
    int *list = NULL, count = 0, room = 0, sum = 0;
    for (int k = 0; k < n; k++) {
        if (count == room) {
            room = room ? 2 * room : 4;
            int *larger = realloc(list, room * sizeof *list);
            if (larger == NULL) {
                free(list);
                return -1;
            }
            list = larger;
        }
        list[count++] = k * k;
    }
    for (int k = 0; k < count; k++)
        sum += list[k];
    int *smaller = realloc(list, 2 * sizeof *list);
    if (smaller != NULL)
        list = smaller;
    sum += n > 1 ? list[1] : 0;
    free(list);
    return sum;
}

int main(void)
{
    int sums[N], zeros[N], got[N];
    int *blocks[N];
    char misplaced = 0;
#pragma acc parallel loop copyout(sums, zeros) reduction(| : misplaced)
    for (int i = 0; i < N; i++) {
        sums[i] = sum_of_list(i % 40);
        long *table = calloc(i + 1, sizeof *table);
        int all = 0;
        for (int k = 0; k <= i; k++)
            all |= table[k] != 0;
        misplaced |= (unsigned long)table % 16 != 0;
        zeros[i] = table != NULL && !all;
        free(table);
        free(NULL);
    }
#pragma acc data create(blocks) copyout(got)
    {
        // Another thread than the one that made the block makes it larger, and a third one frees it.
#pragma acc parallel loop
        for (int i = 0; i < N; i++) {
            blocks[i] = malloc(3 * sizeof(int));
            for (int k = 0; k < 3; k++)
                blocks[i][k] = i + k;
        }
#pragma acc parallel loop
        for (int i = 0; i < N; i++) {
            int other = N - 1 - i;
            blocks[other] = realloc(blocks[other], 100 * sizeof(int));
            for (int k = 3; k < 100; k++)
                blocks[other][k] = other + k;
        }
#pragma acc parallel loop
        for (int i = 0; i < N; i++) {
            int other = (i + N / 2) % N, sum = 0;
            for (int k = 0; k < 100; k++)
                sum += blocks[other][k];
            got[other] = sum;
            free(blocks[other]);
        }
    }
    for (int i = 0; i < N; i++)
        printf("%d %d %d\n", sums[i], zeros[i], got[i]);
    printf("%d\n", misplaced);
    return 0;
}
