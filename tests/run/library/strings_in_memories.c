// Functions of <string.h> on texts of a lane, of a gang, of the device and in the program's text, one with the other; their results.
#include <stdio.h>
#include <string.h>

#define N 12

static int find(const char *const names[3], const char *name)
{
    for (int i = 0; i < 3; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

int main(void)
{
    char words[N][16], out[N][48], upper[N][16];
    int kinds[N][6];
    for (int i = 0; i < N; i++)
        sprintf(words[i], "%s=%d", i % 3 ? i % 3 == 1 ? "rows" : "columns" : "x", i * 37);
#pragma acc parallel loop copyin(words) copyout(out, upper, kinds)
    for (int i = 0; i < N; i++) {
        char key[16], *end, *at = memcpy(key, words[i], sizeof key);
        end = strchr(at, '=');
        *end = 0;
        kinds[i][0] = strcmp(key, "rows") == 0 ? 1 : strncmp("columns and more", key, 7) == 0 ? 2 : 0;
        kinds[i][1] = (int)(end - key);
        kinds[i][2] = (int)strlen(i & 1 ? "odd" : "even");
        kinds[i][3] = memcmp(words[i], key, strlen(key));
        kinds[i][4] = (int)(strrchr(words[i], '3') ? strrchr(words[i], '3') - words[i] : -1);
        kinds[i][5] = strchr(key, 'q') == NULL;
        strcat(strcpy(out[i], "<"), key);
        char *tail = strncat(memset(key, 0, 1), words[i] + strlen(out[i]), 9);
        strncat(strcat(out[i], i & 1 ? ">" : "> "), tail, 5);
        strncpy(upper[i], out[i], 16);
        for (char *c = upper[i]; *c && c < upper[i] + 16; c++)
            *c = *c >= 'a' && *c <= 'z' ? *c - 32 : *c;
    }
    char shared[4][8];
    int lengths[4][8], places[4][8];
#pragma acc parallel num_gangs(4) vector_length(32) copyout(lengths, places, shared)
    {
        char name[8];
#pragma acc loop gang private(name)
        for (int g = 0; g < 4; g++) {
            strcpy(name, "gang");
            name[4] = 'A' + g;
            name[5] = 0;
#pragma acc loop vector
            for (int i = 0; i < 8; i++) {
                char own[8] = "gangA";
                own[4] += i;
                lengths[g][i] = (int)strlen(name) + (strcmp(name, own) == 0) * 10;
                // Addresses in the gang's memory, one of them given back by a function.
                const char *found = strchr(name, "gang"[i & 3]);
                places[g][i] = (found == name) * 1000 + (int)(found - name) * 100 + found[i & 3 ? 0 : 1];
            }
            strcpy(shared[g], name);
        }
    }
    for (int i = 0; i < N; i++) {
        printf("%s|%.16s|", out[i], upper[i]);
        for (int k = 0; k < 6; k++)
            printf(" %d", kinds[i][k]);
        printf("\n");
    }
    for (int g = 0; g < 4; g++) {
        printf("%s:", shared[g]);
        for (int i = 0; i < 8; i++)
            printf(" %d/%d", lengths[g][i], places[g][i]);
        printf("\n");
    }
    const char *names[3] = {"x", "rows", "columns"};
    return find(names, "rows") - 1;
}
