struct pair { short key; unsigned low : 3; int high : 7; union { int i; float f; } u; };
typedef struct { double re, im; } number;
static number sum(number a, number b) { return (number){a.re + b.re, .im = a.im + b.im}; }
void f(struct pair *p)
{
  number z = {1};
#pragma acc serial copy(p[0:2], z)
  {
    struct pair q = p[1];
    q.low += 5;
    p->high = q.low;
    p[0].u.f = 1.5f;
    z = sum(z, z);
  }
}
