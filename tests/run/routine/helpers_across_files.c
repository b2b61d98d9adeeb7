// A region with a reduction that calls a routine of another file, and one of its own that uses a declared variable of this file.
// with: helpers_across_files.part.c
#include <stdio.h>

#pragma acc routine seq
int twice(int);

static int offset = 3;
#pragma acc declare copyin(offset)

#pragma acc routine seq
static int moved(int x) { return x + offset; }

int main(void)
{
    int sum = 0, most = -1;
#pragma acc parallel loop reduction(+ : sum)
    for (int i = 0; i < 10; i++)
        sum += twice(1) + moved(i);
#pragma acc parallel loop reduction(max : most)
    for (unsigned i = 0; i < 30; i++)
        most = moved(twice(i)) > most ? moved(twice(i)) : most;
    printf("%d %d\n", sum, most);
    return 0;
}
