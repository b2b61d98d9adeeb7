double f(int n, int m, double a[n][m])
{
  double t[n][m + 1];
#pragma acc serial copyin(a[0:n][0:m]) copyout(t)
  {
    double (*row)[m] = a;
    row++;
    t[1][2] = (*row)[0] + sizeof t;
  }
  return t[1][2];
}
