// printf in a region: every conversion, flag and size; puts and putchar.
// cflags: -Wno-format
// modes: shared discrete sim nvidia (PoCL 3.1 is wrong about %A and %5.1s)
#include <stdio.h>

int main(void)
{
    double infinite = 1e308;
    printf("before\n");
#pragma acc serial copyin(infinite)
    {
        infinite *= 10;
        printf("%d|%5d|%-5d|%05d|%+d|% d|%i|%x|%X|%#x|%o|%#o|%u\n", 42, 42, 42, -42, 42, 42, -7, 255, 255, 255, 8, 8, 42u);
        printf("%ld|%lld|%lu|%llx|%hd|%hhd|%zu|%jd|%td\n", 1L << 40, -(1LL << 50), 7UL, 255ULL, (short)-3, (signed char)-4,
               sizeof(int), (long)5, (long)6);
        printf("%hhu|%hhx|%hho|%hu|%hX|%hhi|%hi|%zx|%#jo|%5td|%-7zu|%qd|%lf|%8.2lf\n", 300, -1, -1, -1, -1, 200, 40000, sizeof(long),
               (long)8, (long)-6, sizeof(char), 7LL, 0.5, 1.25);
        printf("%f|%10.3f|%-10.2f|%e|%.2E|%g|%G|%.0f|%#.0f\n", 1.5, 3.14159, 2.5, 12345.678, 0.00012, 0.0001, 1e20, 2.5, 2.0);
        printf("%a|%A|%.3a|%s|%10s|%-10s|%.2s|%c|%5c|%%\n", 1.0, 0.1, 1.5, "abc", "abc", "abc", "abc", 'x', 'y');
        printf("%*d|%-*d|%.*f|%*.*f|%*d\n", 6, 42, 6, 42, 2, 3.14159, 9, 3, 2.71828, -6, 42);
        printf("%.*s|%*.*s|%.*d|%.*f|%0*d|%.f\n", 2, "abc", 5, 1, "abc", 4, 7, -1, 1.5, 0, 42, 2.5);
        for (int width = -6; width <= 6; width += 6)
            printf("%*d|%*.2f|%-*s|\n", width, 42, width, 1.5, width, "abc");
        printf("%08.3f|%+.3e|%010d|%-+6d|%#010x|%.5d|%8.5d|%.0d|%g|%g\n", -3.14159, 1e-10, -42, 7, 255, 42, 42, 0, 100000.0, 1e6);
        printf("%g %g %f %e %5.1f\n", infinite, -infinite, infinite, 0.0, infinite);
        float narrow = 0.25f;
        char letter = 'z';
        printf("%g %d %c no arguments:\n", narrow, letter, letter);
        printf("\n");
        puts("a line");
        putchar('c');
        putchar('\n');
        for (int i = 0; i < 3; i++)
            printf("%d of %s\n", i, i == 1 ? "one" : "many");
    }
    printf("after\n");
    return 0;
}
