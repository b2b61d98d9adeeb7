// A member of a struct that is on the device: its new value stays on the host.
// env: ACCRUE_SIM_CHECK=all
// finds: stale: read of 4 bytes at byte 4 of 'settings'
#include <stdio.h>

struct settings {
    int first, last;
    float factor[2];
};

int main(void)
{
    struct settings settings = {3, 20, {1, 2}};
    int out[64] = {0};
#pragma acc data copyin(settings) copy(out)
    {
        settings.last = 40;
#pragma acc parallel loop present(settings)
        for (int i = 0; i < 64; i++)
            if (i >= settings.first && i < settings.last) // found here
                out[i] = i;
    }
    printf("%d\n", out[30]);
}
