// Pointers in the initial values of data that devices keep: they lead to the devices' copies, also of what no directive names.
// cflags: -fopenmp
// expect-output: declare_target_initial.expect
#include <stdio.h>
#include <string.h>

// No directive names these: an initial value does.
static int plain[4] = {1, 2, 3, 4};
static struct node { int value; struct node *next; } last = {7, 0};
extern double elsewhere[3];

#pragma omp begin declare target
static int a[4] = {10, 20, 30, 40}, b[2][3] = {{1, 2, 3}, {4, 5, 6}};
static int *parts[4] = {a, b[1] + 1, &b[0][2], [3] = plain + 1};
static int *const end = a + 4;
static int (*rows)[3] = b;
struct node middle = {5, &last};
struct node first = {3, &middle};
struct shape {
    char tag;
    union { long number; const char *text; } either;
    struct { short pad; double *x, *y; } inside[2];
    unsigned flags : 3;
} shapes[2] = {
    {'a', {.text = "maybe"}, {{1, elsewhere, &elsewhere[1]}, {2, 0, elsewhere + 2}}, 5},
    {.tag = 'b', .either.number = 17, .inside[1] = {.y = elsewhere}},
};
// Linkers let one string be the end of another.
static const char *names[] = {"maybe", "be", "", "other\0hidden", "maybe" + 2};
const char *const *const all = names;
static float *made = (float[]){0.5f, 1.5f};
static struct node *nodes[3] = {&first, &(struct node){11, 0}};
void *anything = &shapes[1].inside[1];
static int *cursor = a;
#pragma omp end declare target
double elsewhere[3] = {0.25, 0.5, 0.75};

enum { n = 24 };

static void look(double r[n])
{
#pragma omp target map(from: r[0:n])
    {
        int k = 0;
        r[k++] = parts[0][3] + parts[1][1] + *parts[2] + parts[3][2];
        r[k++] = end[-1] + rows[1][0];
        int sum = 0;
        for (struct node *it = nodes[0]; it; it = it->next) sum = 10 * sum + it->value;
        r[k++] = sum;
        r[k++] = nodes[1]->value + (nodes[2] == 0);
        const struct shape *s = shapes;
        r[k++] = s[0].tag + s[0].either.text[2] + s[0].inside[0].x[2] + *s[0].inside[0].y;
        r[k++] = s[0].inside[1].y[0] + (s[0].inside[1].x == 0) + s[0].flags;
        r[k++] = s[1].either.number + s[1].inside[1].y[1] + (s[1].inside[0].x == 0);
        for (int i = 0; i < 5; i++) {
            sum = 0;
            for (const char *c = names[i]; *c; c++) sum = 3 * sum + *c;
            r[k++] = sum;
        }
        r[k++] = names[3][6] + all[1][1];
        r[k++] = made[0] + made[1];
        r[k++] = ((struct shape *)((char *)anything - ((char *)&shapes[1].inside[1] - (char *)&shapes[1])))->tag;
        // What the pointers lead to are the variables themselves.
        a[3] += 1;
        plain[3] += 1;
        last.value += 1;
        elsewhere[2] += 1;
        r[k++] = parts[0][3] + parts[3][2] + middle.next->value + s[0].inside[0].x[2];
        while (k < n) r[k++] = 0;
        cursor = &b[1][0];
    }
    // Regions change the devices' pointers.
    int at;
#pragma omp target map(from: at)
    at = cursor[2];
    r[n - 2] = at;
}

// The other way round: what pointers lead to, from the host.
static void together(double r[n])
{
    int *host = parts[0];
#pragma omp target update from(a)
    a[0] = 1000;
#pragma omp target update to(a, parts, first)
#pragma omp target update from(parts, names)
    look(r);
    r[n - 1] = parts[0] == host && strcmp(names[1], "be") == 0;
}

int main(void)
{
    double r[n];
    look(r);
    for (int i = 0; i < n; i++) printf("%g ", r[i]);
    printf("\n");
    together(r);
    for (int i = 0; i < n; i++) printf("%g ", r[i]);
    printf("\n");
#pragma omp target update from(a, plain, last, elsewhere)
    printf("%d %d %d %d %g\n", a[0], a[3], plain[3], last.value, elsewhere[2]);
}
