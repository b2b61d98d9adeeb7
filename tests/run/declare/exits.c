// Behind each way out nothing of the scope is present, and what is copied out has arrived.
// modes: discrete gpu (with shared memory everything is present)
// expect-output: exits.expect
#include <openacc.h>
#include <stdio.h>

static int *seen;
static int kept[2];

static int leave(int how, int place[2])
{
    for (int round = 0; round < 2; round++) {
        int t[2] = {how, round};
        seen = t;
#pragma acc declare create(t) copyout(place)
#pragma acc parallel loop
        for (int i = 0; i < 2; i++) {
            t[i] = how;
            place[i] = how * 10 + round;
        }
        if (how == 1) return kept[0];
        if (how == 2) break;
        if (how == 3) continue;
        if (how == 4) goto out;
        if (how == 5) {
            int deep[2];
#pragma acc declare create(deep)
#pragma acc parallel loop
            for (int i = 0; i < 2; i++) deep[i] = i;
            return acc_is_present(deep, sizeof deep) + acc_is_present(t, sizeof t) + 10 * kept[0];
        }
    }
out:
    return kept[0];
}

int main(void)
{
    for (int how = 0; how < 6; how++) {
        kept[0] = -1;
        printf("%d: %d", how, leave(how, kept));
        printf(" %d %d\n", kept[0], acc_is_present(seen, 2 * sizeof *seen));
    }
    return 0;
}
