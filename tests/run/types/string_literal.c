// String literals used in a region.
// launches: 2
#include <stdio.h>

int main(void)
{
    char out[40];
    int len[3];
#pragma acc parallel loop copyout(out)
    for (int i = 0; i < 40; i++)
        out[i] = i == 39 ? '\0' : "0123456789abcdef"[i % 16];
#pragma acc serial copyout(len)
    {
        const char *words[3] = {"one", "three\n\t\"x\"", ""};
        for (int k = 0; k < 3; k++) {
            len[k] = 0;
            for (const char *p = words[k]; *p; p++)
                len[k] += *p;
        }
    }
    printf("%s %d %d %d\n", out, len[0], len[1], len[2]);
    return 0;
}
