void f(int n, int *a)
{
#pragma acc set device_num(n) default_async(2)
#pragma acc init device_type(nvidia, host)
#pragma acc parallel copyin(readonly: a[:n]) async(1) num_gangs(8) device_type(nvidia) num_gangs(64) async(n) device_type(*) num_gangs(2) wait(3, 4)
  {
#pragma acc loop gang device_type(nvidia) gang(num: 16) vector(128) device_type(radeon) worker
    for (int i = 0; i < n; i++)
      ;
  }
#pragma acc host_data use_device(a) if_present
  a[0] = 1;
#pragma acc wait(1, 2) async(3) if(n)
#pragma acc shutdown
}
