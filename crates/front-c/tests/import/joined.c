void f(int n, int *a, int b[4][9])
{
#pragma acc parallel loop copy(a[0:n])
  for (int *p = a + n - 1; p >= a; p -= 2)
    *p = 1;
#pragma acc parallel loop collapse(force : 2) copy(b[0:4])
  for (int i = 0; i < 4; i++) {
    int sum = i;
    for (unsigned char k = 0; k < 9; k++)
      b[i][k] = sum + k;
    b[i][0] = -1;
  }
#pragma acc parallel loop collapse(force : 2) copy(a[0:n])
  for (int i = 0; i < 4; i++) {
    a[i] = 0;
    for (int k = 0; k < n; k++)
      a[i] += k;
  }
}
