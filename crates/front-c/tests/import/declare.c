double g[4], *p;
static int n;
#pragma acc declare create(g) copyin(n) deviceptr(p)
extern float far[8];
#pragma acc declare link(far) device_resident(only)
int only;

int f(int how, int v[how])
{
  double t[2];
#pragma acc declare create(t) present(v)
  for (int i = 0; i < how; i++) {
    int u;
#pragma acc declare copy(u)
    if (i == 1) continue;
    if (i == 2) break;
    if (i == 3) return i;
#pragma acc parallel
    { t[0] = u; g[0] = n + far[1] + p[0]; only = 1; v[0] = 1; }
  }
  return how;
}

int jumps(int k)
{
  int a[2];
#pragma acc declare copy(a)
  if (k) goto out;
  if (k > 1) return 1;
#pragma acc parallel
  a[0] = k;
out:
  return 0;
}
