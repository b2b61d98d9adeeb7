// Text that looks like directives in strings and comments is left alone.
#include <stdio.h>

/*
#pragma acc parallel loop nonsense(
*/
// #pragma acc kernels \
#pragma acc serial
static const char *text = "\n#pragma acc parallel loop copy(zzz)\n";

int main(void)
{
    int a[2] = {1, 2};
    /* { */
#pragma acc parallel loop copy(a)
    for (int i = 0; i < 2; i++) /* } */
        a[i] += ';' + '{' - '}'; // for (;;) {
    printf("%s%d %d\n", text, a[0], a[1]);
    return 0;
}
