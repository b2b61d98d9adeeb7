/* The words of variables of every kind, as the run-time library receives them.
// standards: c99 c11 gnu17
*/
extern int printf(const char *, ...);
struct S { int n; float *field; };
enum colour { red, green };

static void values(void)
{
    int scalar = 7;
    unsigned char unsigned_byte = 200;
    const short negative = -3;
    _Bool truth = 1;
    enum colour colour = green;
    volatile float single = 1.5f;
    double real = -2.25;
    long double extended = 1.5;
    float _Complex pair = 1;
    double _Complex wide_pair = 3;
#pragma acc parallel firstprivate(scalar, unsigned_byte, negative, truth, colour, single, real, extended, pair, wide_pair)
    scalar = unsigned_byte + negative + truth + (int)colour + (int)single + (int)real;
    printf("%d %g %g %g\n", scalar, (double)extended, (double)*(float *)&pair, *(double *)&wide_pair);
}

static int objects(int n, int m, struct S *s, float (*rows)[7], const float *p)
{
    float fixed[3][4], vla[n][m];
    fixed[2][3] = vla[n - 1][0] = 0;
#pragma acc data copy(fixed, vla) if(p) wait
    {
#pragma acc enter data copyin(fixed[1:], vla[n - 1:][0:m], p[2:n], rows[0:n], s->field[0:s->n]) async
#pragma acc parallel async(n) self(n > m) wait(n, 3) device_type(host) num_gangs(m)
        fixed[2][3] = vla[n - 1][0] + 1;
    }
    for (int i = 0; i < 1; i++) {
#pragma acc update self(s->field[0:1])
        n += i;
    }
    return (int)(fixed[2][3] + rows[0][0] + p[0]) + n;
}

int main(void)
{
    float data[70] = {0};
    struct S s = {5, data};
    values();
    printf("%d\n", objects(2, 3, &s, (float (*)[7])data, data));
    return 0;
}
