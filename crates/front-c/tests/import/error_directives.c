int g;
#pragma acc declare create(g)
void f(int n, int *a)
{
#pragma acc declare copyin(n)
#pragma acc parallel
  {
#pragma acc parallel
    ;
#pragma acc update self(a[0:n])
#pragma acc wait
#pragma acc data copy(a[0:n])
    ;
#pragma acc atomic
    a[0]++;
  }
#pragma acc data deviceptr(n)
  ;
#pragma acc parallel loop collapse(n)
  for (int i = 0; i < n; i++)
    ;
}
