// Directives over several lines, with comments, tabs and odd spacing.
// launches: 3
#include <stdio.h>

int main(void)
{
    int a[12], b[12], s = 0;
# pragma acc   parallel \
    loop /* a comment */ \
    copyout ( a ) ,   copyout(b) // the last line
    for (int i = 0; i < 12; i++) {
        a[i] = i;
        b[i] = -i;
    }
  #	pragma	acc	parallel	loop	copyin(a,b)	reduction( + : s )
    for (int i = 0; i < 12; i++)
        s += a[i] * b[i];
#pragma acc parallel loop copy(a[0 \
                                 :12])
    for (int i = 0; i < 12; i++)
        a[i] += 1;
    printf("%d %d\n", s, a[11]);
    return 0;
}
