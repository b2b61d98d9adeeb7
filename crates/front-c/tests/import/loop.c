static double half(double x) { return x / 2; }
void f(int n, const float *a, double *b, double *total)
{
  double sum = 0;
#pragma acc parallel loop copyin(a[0:n]) copyout(b[0:n]) reduction(+:sum) gang vector vector_length(32) if(n > 9) async(1)
  for (int i = 0; i < n; i++) {
    if (i == 3)
      continue;
    b[i] = half(a[i]);
    sum += b[i];
  }
#pragma acc wait(1)
  *total = sum;
}
