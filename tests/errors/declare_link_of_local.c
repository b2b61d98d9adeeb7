// What link names is the program's.
int f(int n)
{
    static int s[2];
    int t;
#pragma acc declare link(t)
#pragma acc declare link(s)
    extern int g;
#pragma acc declare link(g)
    return t + s[0] + g + n;
}
