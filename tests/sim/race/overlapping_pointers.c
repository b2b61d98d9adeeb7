// Two pointers into one array: the copy moves it by one element.
// finds: race
// finds: of 'a'
#include <stdio.h>

int main(void)
{
    int a[300] = {0};
    int *from = a, *to = a + 1;
#pragma acc data copy(a)
    {
#pragma acc parallel loop present(from[0:299], to[0:299])
        for (int i = 0; i < 299; i++)
            to[i] = from[i]; // found here
    }
    printf("%d\n", a[3]);
}
