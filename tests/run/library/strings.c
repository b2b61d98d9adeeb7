// Functions of <string.h> and <ctype.h>-like loops over characters, each gang with its own texts.
#include <stdio.h>
#include <string.h>

#define N 24
#define WORDS "gang", "worker", "vector", "gang", "", "present table", "gangs"

int main(void)
{
    const char words[7][16] = {WORDS};
    char joined[N][64], tail[N][16], padded[N][8], bounded[N][24];
    int order[N][4], place[N][5];
#pragma acc parallel loop copyin(words) copyout(joined, tail, padded, bounded, order, place)
    for (int i = 0; i < N; i++) {
        const char *left = words[i % 7], *right = words[i * 3 % 7];
        memset(joined[i], '.', sizeof joined[i]);
        strcpy(joined[i], left);
        strcat(joined[i], ", ");
        strncat(joined[i], right, 4);
        strncpy(padded[i], left, 8);
        bounded[i][0] = 0;
        strncat(bounded[i], right, 20);
        memmove(bounded[i] + 1, bounded[i], strlen(bounded[i]) + 1);
        int sign = strcmp(left, right);
        order[i][0] = (sign > 0) - (sign < 0);
        sign = strncmp(left, right, 4);
        order[i][1] = (sign > 0) - (sign < 0);
        sign = memcmp(left, right, 16);
        order[i][2] = (sign > 0) - (sign < 0);
        order[i][3] = (int)strlen(left);
        const char *first = strchr(joined[i], 'g'), *last = strrchr(joined[i], 'g');
        place[i][0] = first ? (int)(first - joined[i]) : -1;
        place[i][1] = last ? (int)(last - joined[i]) : -1;
        const void *comma = memchr(joined[i], ',', 64);
        place[i][2] = (int)((const char *)comma - joined[i]);
        place[i][3] = (int)(strchr(left, 0) - left);
        place[i][4] = memchr(left, 'x', 16) == NULL;
        strcpy(tail[i], strrchr(joined[i], ' ') + 1);
    }
    for (int i = 0; i < N; i++) {
        printf("%s|%s|%.8s|%s|", joined[i], tail[i], padded[i], bounded[i]);
        for (int k = 0; k < 4; k++)
            printf("%d ", order[i][k]);
        for (int k = 0; k < 5; k++)
            printf("%d ", place[i][k]);
        printf("%d%d\n", padded[i][7], joined[i][63]);
    }
    return 0;
}
