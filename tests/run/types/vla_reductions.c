// Reductions over variable-length arrays, and private ones, at every level.
#include <stdio.h>
int main(void) { int n = 6, out[40], r2[40]; double priv[n], pv[n]; float acc[n]; for (int i = 0; i < n; i++) { priv[i] = i; acc[i] = 0; }
#pragma acc parallel loop gang copyout(out)
 for (int i = 0; i < 40; i++) { int h[n]; for (int k = 0; k < n; k++) h[k] = 0;
#pragma acc loop vector reduction(+: h[0:n])
  for (int j = 0; j < 50; j++) for (int k = 0; k < n; k++) h[k] += (j + i) % (k + 2);
  int s = 0;
#pragma acc loop vector reduction(+: s)
  for (int k = 0; k < n; k++) s += h[k] * (k + 1);
  out[i] = s; }
#pragma acc parallel loop gang copyout(r2) private(pv)
 for (int i = 0; i < 40; i++) {
#pragma acc loop vector
  for (int k = 0; k < n; k++) pv[k] = i * k;
  double t = 0;
#pragma acc loop vector reduction(+: t)
  for (int k = 0; k < n; k++) t += pv[n - 1 - k] * k;
  r2[i] = (int)t; }
#pragma acc parallel loop gang copyout(r2[20:20]) firstprivate(priv)
 for (int i = 20; i < 40; i++) { double own[n];
#pragma acc loop worker private(own)
  for (int q = 0; q < 1; q++) {
#pragma acc loop vector private(own)
   for (int k = 0; k < 1; k++) { double w[n][2]; for (int z = 0; z < n; z++) { own[z] = priv[z] + z; w[z][1] = own[z]; } r2[i] = (int)(own[n - 1] + w[2][1]) + i; } } }
#pragma acc parallel loop copy(acc) 
 for (int i = 0; i < 100; i++)
#pragma acc atomic
  acc[i % n] += i;
 long s = 0; for (int i = 0; i < 40; i++) s = s * 7 % 100003 + out[i] + r2[i]; for (int i = 0; i < n; i++) s += (long)acc[i]; printf("%ld\n", s); }
