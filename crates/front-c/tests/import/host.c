void other(void *, ...);
int f(int n, double *a)
{
  static int calls;
  __builtin_va_list list;
  if (!a)
    goto out;
  __asm__("nop" : "+r"(n));
#pragma acc enter data copyin(a[0:n]) async
#pragma acc data present(a[0:n]) if(n > 3)
  {
    other(&list, a);
#pragma acc update self(a[0:1]) device(a[1:2]) if_present
  }
#pragma acc exit data copyout(a[0:n]) finalize wait
out:
  return calls;
}
