static int pick(int x)
{
  switch (x) {
    int y;
  case 1:
  case 4 ... 6:
    y = x;
    return y;
  case -1:
    x++;
  default:
    x = x ? x : 2;
  }
  do {
    x--;
    if (x == 7)
      break;
  } while (x > 0 && x != 3 || !x);
  return ({ int z = x; z ?: 9; });
}
void f(int *p)
{
#pragma acc serial copy(p[0:1])
  *p = pick(*p);
}
