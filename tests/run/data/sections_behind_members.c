// Sections of pointers in structs that do not begin at what the pointer holds; the struct comes to the device by other directives, before,
// after and with them.
// launches: 6
#include <stdio.h>
#include <stdlib.h>

struct field {
    int n;
    int *v;
};

static void show(const struct field *f)
{
    for (int i = 0; i < f->n; i++)
        printf("%d ", f->v[i]);
    printf("\n");
}

static void of_struct(struct field *f)
{
#pragma acc parallel loop present(f)
    for (int i = 7; i < 12; i++)
        f->v[i] += i;
}

static void later(struct field f)
{
#pragma acc parallel loop
    for (int i = 8; i < 11; i++)
        f.v[i] -= 100;
}

int main(void)
{
    struct field f = {20, malloc(20 * sizeof(int))};
    for (int i = 0; i < 20; i++)
        f.v[i] = i;
#pragma acc data copy(f.v[5:9])
    {
#pragma acc parallel loop
        for (int i = 5; i < 14; i++)
            f.v[i] *= 2;
#pragma acc data copyin(f) attach(f.v)
        of_struct(&f);
    }
    show(&f);
#pragma acc enter data copyin(f)
#pragma acc enter data copyin(f.v[7:5])
    of_struct(&f);
#pragma acc exit data copyout(f.v[7:5])
#pragma acc exit data delete(f)
    show(&f);
#pragma acc enter data copyin(f.v[8:3])
    later(f);
#pragma acc parallel loop
    for (int i = 8; i < 11; i++)
        f.v[i]++;
#pragma acc exit data copyout(f.v[8:3])
    show(&f);
#pragma acc parallel loop copy(f, f.v[1:2])
    for (int i = 1; i < 3; i++)
        f.v[i] = -i;
    show(&f);
    return 0;
}
