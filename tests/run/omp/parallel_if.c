// `if` of a `parallel` in a region: where it is false, one thread takes the iterations in order.
// cflags: -fopenmp
// launches: 2
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#else
#define omp_get_num_threads() 1
#endif
int a[50];
int main(void){
  int n = 50, k = 0, t = 0;
  for (int i=0;i<n;i++) a[i]=i;
  #pragma omp target map(tofrom: a, k, t) firstprivate(n)
  {
    #pragma omp parallel if(n > 100) num_threads(8)
    {
      #pragma omp for
      for (int i=1;i<n;i++) a[i] += a[i-1];
      #pragma omp single
      k = omp_get_num_threads();
    }
    #pragma omp parallel if(0)
    {
      #pragma omp for
      for (int i=1;i<n;i++) a[i] += a[i-1] % 7;
    }
    #pragma omp parallel if(parallel: n) num_threads(4)
    {
      #pragma omp single
      t = omp_get_num_threads() > 0;
      #pragma omp for
      for (int i=0;i<n;i++) a[i] += t;
    }
  }
  // The same with the loop's construct.
  int sum = 0;
  #pragma omp target map(tofrom: a, sum, k) firstprivate(n)
  {
    #pragma omp parallel for if(n > 100) num_threads(n)
    for (int i=1;i<n;i++) a[i] += a[i-1] % 5;
    #pragma omp parallel for if(parallel: n > 10) reduction(+: sum)
    for (int i=0;i<n;i++) sum += a[i] % 11;
    #pragma omp parallel for if(parallel: 0) lastprivate(k)
    for (int i=1;i<n;i++) { a[i] += a[i-1] % 3; k = a[i]; }
    a[0] = sum + k;
  }
  unsigned h=0; for (int i=0;i<n;i++) h=h*31+a[i];
  printf("%u %d %d\n",h,k,t);
  return 0;
}
