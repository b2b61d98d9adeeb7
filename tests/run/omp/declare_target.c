// Data that devices keep for the whole program: lists, pairs, link, device_type, sections of code in functions.
// cflags: -fopenmp
#include <omp.h>
#include <stdio.h>

#pragma omp declare target
int counts[10], scale = 3;
double *rows;
struct pair { int a, b; } both = {1, 2};
static const int offset = 100;
extern int nowhere;
typedef int number;
static number twice(int x) { return 2 * x + scale; }
  #pragma omp declare target
  int inner = 7;
  #pragma omp end declare target
long after = 40;
#pragma omp end declare target

double named = 1.5, other = 2.5;
#pragma omp declare target(named, twice)

float entered[4] = {1, 2, 3, 4};
#pragma omp declare target to(entered) device_type(any)

#pragma omp declare target
int begun = 5;
#pragma omp end declare target

short listed = 6;
#pragma omp declare target to(listed)

int linked[8], factor = 2;
#pragma omp declare target link(linked, factor)

static void fill(int value)
{
    for (int i = 0; i < 10; i++)
        counts[i] = value + i * scale;
}

static int linked_sum(void)
{
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += linked[i] * factor;
    return sum;
}

int main(void)
{
    int errors = 0, x = 0;
    // Values with which the program starts, in functions and directly.
    #pragma omp target map(tofrom: x)
    x = twice(10) + scale + inner + (int)after + offset + both.b;
    errors += x != 23 + 3 + 7 + 40 + 100 + 2;
    // They stay from region to region, and are not copied back.
    #pragma omp target
    {
        scale = 5;
        fill(1);
    }
    #pragma omp target update from(counts, scale)
    errors += scale != 5;
    for (int i = 0; i < 10; i++)
        errors += counts[i] != 1 + 5 * i;
    // What the host changes they have after an update.
    inner = 70;
    #pragma omp target update to(inner)
    x = 0;
    #pragma omp target teams distribute parallel for reduction(+: x)
    for (int i = 0; i < 10; i++)
        x += counts[i] + inner;
    errors += x != 10 + 225 + 700;
    // A map clause finds them present; deleting leaves them.
    #pragma omp target map(tofrom: named)
    named += 1;
    #pragma omp target exit data map(delete: counts, named)
    #pragma omp target enter data map(to: entered)
    #pragma omp target exit data map(release: entered)
    #pragma omp target map(from: x)
    x = counts[9] + (int)(named * 2) + (int)entered[3];
    errors += x != 46 + 5 + 4;
    errors += omp_get_num_devices() > 0 && !omp_target_is_present(counts, omp_get_default_device());
    // Where the device has memory of its own, what the host has is as it was.
    #pragma omp target
    after = 41;
    errors += omp_get_num_devices() > 0 ? after != 40 : after != 41;
    // A pointer is the device's own; what it leads to is attached.
    double values[6] = {0, 1, 2, 3, 4, 5};
    rows = values;
    #pragma omp target enter data map(to: rows[0:6])
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < 6; i++)
        rows[i] *= 2;
    #pragma omp target exit data map(from: rows[0:6])
    errors += values[5] != 10 || values[1] != 2;
    // Linked variables are mapped by other directives.
    for (int i = 0; i < 8; i++)
        linked[i] = i;
    factor = 3;
    #pragma omp target map(to: linked, factor) map(from: x)
    x = linked_sum();
    errors += x != 84;
    #pragma omp target
    factor += 1;
    errors += factor != 4;
    // What is not declared is the region's own.
    #pragma omp target map(from: x) firstprivate(other)
    {
        other += 1;
        begun += listed;
        x = (int)(other * 2) + begun;
    }
    errors += x != 7 + 11 || other != 2.5;
    printf("%d errors\n", errors);
    return errors;
}
