// Pointers in the initial values of data that another file defines, whichever comes first.
// cflags: -fopenmp
// with: declare_target_initial_files.part.c
#include <stdio.h>

struct link { int value; struct link *next; };

#pragma omp declare target
extern int numbers[5], *last;
extern struct link chain[2];
extern const char *greeting;
#pragma omp end declare target

void change(void);

int main(void)
{
    int r = 0, sum = 0, letter = 0;
#pragma omp target map(from: r, letter) map(tofrom: sum)
    {
        *last = 55;
        r = numbers[4];
        for (struct link *at = chain; at; at = at->next)
            sum += at->value;
        letter = greeting[1];
    }
    change();
    int again = 0;
#pragma omp target map(from: again)
    again = numbers[4] * 3;
    printf("%d %d %c %d\n", r, sum, letter, again);
    return r != 55 || sum != 102 || letter != 'e' || again != 183;
}
