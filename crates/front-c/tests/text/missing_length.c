// A pointer does not tell its length.
void f(float *p)
{
#pragma acc parallel \
      copy(p[1:])
    p[1] = 0;
}
