struct link { int value; struct link *next; };

#pragma omp declare target
int numbers[5] = {1, 2, 3, 4, 5}, *last = &numbers[4];
struct link chain[2] = {{100, &chain[1]}, {2, 0}};
const char *greeting = "hello";
#pragma omp end declare target

void change(void)
{
#pragma omp target
    *last += 6;
}
