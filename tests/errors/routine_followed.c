// `routine` directives that no function follows.
struct pair {
    int a, b;
};

#pragma acc routine seq
struct pair after_a_structure(int i);

#pragma acc routine seq
static int table[3];

#pragma acc routine worker
typedef int number;

static int f(int n)
{
    return n + table[0];
}

void region(int *a, int n)
{
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = f(i);
}

#pragma acc routine vector
