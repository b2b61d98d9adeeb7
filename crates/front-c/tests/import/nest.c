int table[8];
void f(int n)
{
  int i, j, last;
#pragma acc parallel num_gangs(4, 2) private(last)
  {
#pragma acc loop gang(static:*) worker collapse(2) tile(2, *)
    for (i = n; i >= 0; i -= 2)
      for (j = 0; 10 > j; j = j + 1)
        table[j] = i;
#pragma acc loop seq
    for (long k = 0; k != 8; ++k)
      last = table[k];
  }
#pragma acc kernels
  {
    for (i = 0; i < 8; i++)
      table[i] = i;
    for (j = 0; j < 8; j++)
      if (table[j] > n)
        break;
    table[0] = j;
  }
}
