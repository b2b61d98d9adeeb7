// C11 atomic objects that no device accesses in one piece.
struct pair {
    int a, b;
};

int main(void)
{
    _Atomic struct pair p;
    _Atomic long double x = 0;
    _Atomic __int128 y = 0;
    struct pair q = {1, 2};
#pragma acc parallel copy(x, y)
    {
        x += 1;
        y++;
    }
#pragma acc serial copy(p) copyin(q)
    p = q;
    return (int)x;
}
