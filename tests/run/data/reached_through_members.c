// Clauses name what is reached through a member's pointer, or through an element of a struct; regions use the struct without a clause.
// expect-output: reached_through_members.expect
// launches: 12
#include <stdio.h>
#include <stdlib.h>

struct row {
    int n;
    double *x;
};

struct table {
    double scale;
    struct row *first;
    struct row rows[3];
};

struct owner {
    struct table *table;
};

static struct row new_row(int n, int start)
{
    struct row row = {n, malloc(n * sizeof(double))};
    for (int i = 0; i < n; i++)
        row.x[i] = start + i;
    return row;
}

static void show(const char *what, const struct row *row)
{
    printf("%s", what);
    for (int i = 0; i < row->n; i++)
        printf(" %g", row->x[i]);
    puts("");
}

int main(void)
{
    struct row one = new_row(4, 1);
    struct table t = {2, &one, {new_row(4, 10), new_row(5, 20), new_row(3, 30)}};
    struct owner owner = {&t}, *o = &owner;
    struct table *p = &t;

    // On the construct itself.
#pragma acc parallel loop copy(t.first->x[0:4])
    for (int i = 0; i < 4; i++)
        t.first->x[i] *= t.scale;
    show("construct", &one);

    // On a data construct around.
#pragma acc data copy(t.first->x[0:t.first->n])
    {
#pragma acc parallel loop
        for (int i = 0; i < t.first->n; i++)
            t.first->x[i] += 1;
#pragma acc parallel loop
        for (int i = 0; i < t.first->n; i++)
            t.first->x[i] *= t.scale;
    }
    show("data", &one);

    // What the region writes beside it comes back.
#pragma acc data copy(t.first->x[0:4])
#pragma acc serial
    {
        t.first->x[0] = -1;
        t.first->n = 3;
    }
    show("written", &one);

    // An element of an array in the struct, with a constant and with a variable index.
#pragma acc data copy(t.rows[1].x[0:5])
#pragma acc parallel loop
    for (int i = 0; i < 5; i++)
        t.rows[1].x[i] += 100;
    for (int k = 0; k < 3; k++) {
#pragma acc data copy(t.rows[k].x[0:t.rows[k].n])
        {
#pragma acc parallel loop
            for (int i = 0; i < t.rows[k].n; i++)
                t.rows[k].x[i] *= -1;
        }
        show("row", &t.rows[k]);
    }

    // From a pointer to the struct.
#pragma acc data copy(p->first->x[0:2])
#pragma acc parallel loop
    for (int i = 0; i < 2; i++)
        p->first->x[i] += p->scale;
    show("pointer", &one);
#pragma acc data copy(o->table->first->x[0:3])
#pragma acc parallel loop
    for (int i = 0; i < 3; i++)
        o->table->first->x[i] *= 10;
    show("three", &one);

    // A small struct, of which a clause names another member, too.
    double extra[3] = {5, 6, 7};
    struct {
        struct row *row;
        double *extra;
    } small = {&one, extra};
#pragma acc parallel loop copy(small.row->x[0:3]) copyin(small.extra[0:3])
    for (int i = 0; i < 3; i++)
        small.row->x[i] += small.extra[i];
#pragma acc data copy(small.row->x[0:3]) copyin(small.extra[0:3])
#pragma acc parallel loop
    for (int i = 0; i < 3; i++)
        small.row->x[i] += small.extra[i];
    show("small", &one);
}
