struct c_point { double x; int n; };
struct __attribute__((packed)) c_packed { char c; int i; short s; };
struct __attribute__((aligned(16))) c_gaps { char a; char pad[8]; char b; };
struct c_bits { int s : 3; unsigned u : 7; _Bool flag : 1; int : 0; int wide : 30; };
struct c_outer { union { float f; int i; long l; }; double grid[2][3]; struct c_point *next; };
int main(void)
{
    struct c_point p = { 1.5, 0 };
    struct c_outer o = { .next = &p };
    struct c_bits b = { -2, 100, 0, 0 };
    struct c_packed k = { 1, 1000, 2 };
    struct c_gaps g = { .a = 1, .b = 21 };
    double out[8];
    double _Complex c = 3 + 4 * __extension__ 1.0i;
    unsigned __int128 big = (unsigned __int128)12345 << 64 | 7;
    float f = 1.25f;
    unsigned long long args[14] = { P(&o), P(&b), P(&k), P(&g), P(out), P(-3L) };
    args[5] = 5;
    memcpy(&args[6], &f, sizeof f);
    memcpy(&args[7], &c, sizeof c);
    memcpy(&args[9], &big, sizeof big);
    args[11] = 1;
    launch(accrue_k0_0, 0, args, 1);
    printf("%.6f %d %d\n", o.grid[1][2], o.i, o.next->n);
    printf("%d %d %d %d\n", b.s, b.u, b.flag, b.wide);
    printf("%d %d %d %d %d\n", k.c, k.i, k.s, g.a, g.b);
    for (int i = 0; i < 8; i++) printf("%g\n", out[i]);
    (void)bits;
    return 0;
}
