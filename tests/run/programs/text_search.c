// Counting words and finding a pattern in a text on the device.
#include <stdio.h>
#include <string.h>

int main(void)
{
    char text[2000];
    const char pattern[] = "rose is";
    int n = 0, words = 0, hits = 0, first = 1 << 30;
    while (n < 1900) {
        strcpy(text + n, n % 3 ? "a rose is a rose " : "is the rose is red? ");
        n += (int)strlen(text + n);
    }
#pragma acc parallel loop copyin(text[0:n], pattern) reduction(+:words, hits) reduction(min:first)
    for (int i = 0; i < n; i++) {
        if (text[i] != ' ' && (i == 0 || text[i - 1] == ' '))
            words++;
        int k = 0;
        while (pattern[k] && i + k < n && text[i + k] == pattern[k])
            k++;
        if (!pattern[k]) {
            hits++;
            if (i < first)
                first = i;
        }
    }
    printf("%d %d %d %d\n", n, words, hits, first);
    return 0;
}
