int f(int n, int *a)
{
  int i, k;
  double d;
  int *p;
#pragma acc parallel loop
  for (i = 0; i < n; i++)
    if (a[i])
      break;
#pragma acc parallel loop
  for (i = 0; i < n; i++)
    if (a[i])
      return 1;
#pragma acc parallel loop
  for (d = 0; d < n; d++)
    ;
#pragma acc parallel loop
  for (p = a; *p; p++)
    *p = 0;
#pragma acc parallel loop collapse(force : 2)
  for (i = 0; i < n; i++) {
    a[i] = 0;
    for (k = 0; k < n; k++)
      ;
  }
#pragma acc parallel loop collapse(force : 2)
  for (i = 0; i < n; i++) {
    if (a[i])
      continue;
    for (k = 0; k < 9; k++)
      ;
  }
#pragma acc parallel loop
  for (i = 0; i < n; i *= 2)
    ;
#pragma acc parallel loop
  for (i = 0; i < n; i++)
    i = 3;
#pragma acc parallel loop
  for (i = 0;; i++)
    ;
#pragma acc parallel loop
  for (; i < n; i++)
    ;
#pragma acc parallel loop
  for (i = 0; i < n; i--)
    ;
#pragma acc parallel loop
  for (i = 0; i < d; i++)
    ;
#pragma acc parallel loop
  for (i = -1; i < sizeof(int); i++)
    ;
#pragma acc parallel loop collapse(2)
  for (i = 0; i < n; i++)
    for (k = i; k < n; k++)
      ;
#pragma acc parallel loop collapse(2)
  for (i = 0; i < n; i++) {
    a[i] = 0;
    for (k = 0; k < n; k++)
      ;
  }
  return 0;
}
