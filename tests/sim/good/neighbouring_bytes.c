// Different bytes of one word, written by different lanes.
// finds: nothing
#include <stdio.h>

int main(void)
{
    char text[1000];
#pragma acc parallel loop copyout(text)
    for (int i = 0; i < 1000; i++)
        text[i] = 'a' + i % 26;
    printf("%.26s\n", text);
}
