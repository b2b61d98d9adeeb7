// Plain char has the target's signedness; character arithmetic and classification by hand.
// launches: 2
#include <stdio.h>

int main(void)
{
    char text[] = "Hello, World 42!";
    char upper[sizeof text];
    int kind[sizeof text];
    int negative = 0;
#pragma acc parallel loop copyin(text) copyout(upper, kind)
    for (int i = 0; i < (int)sizeof text; i++) {
        char c = text[i];
        upper[i] = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
        kind[i] = c >= '0' && c <= '9' ? c - '0' : c == ' ' ? -1 : -2;
    }
#pragma acc serial copy(negative)
    {
        char c = (char)0x80;
        negative = c < 0;
    }
    printf("%s %d\n", upper, negative);
    for (int i = 0; i < (int)sizeof text; i++)
        printf("%d ", kind[i]);
    printf("\n");
    return 0;
}
