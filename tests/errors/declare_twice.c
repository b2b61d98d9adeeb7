// A variable is once in the clauses of all declare directives of a function, or of the program.
extern int a[4];
#pragma acc declare create(a)
int a[4];
#pragma acc declare copyin(a)
int f(int n)
{
    int t[2];
#pragma acc declare create(t)
    {
#pragma acc declare copy(t)
        n++;
    }
#pragma acc declare copyin(a)
    return n + t[0];
}
int g(int t[2])
{
#pragma acc declare present(t)
    return t[0];
}
