// device_type clauses become choices made at run time.
void devices(int n, int q)
{
#pragma acc parallel num_gangs(1) async device_type(nvidia) num_gangs(n, 2) async(q) wait(1) device_type(host, radeon) num_gangs(3)
    ;
#pragma acc parallel vector_length(1) device_type(*) vector_length(2) device_type(nvidia) vector_length(3)
    ;
#pragma acc parallel device_type(nvidia) wait device_type(host) vector_length(3)
    ;
#pragma acc wait(devnum: 1 : queues : q, 2) async
#pragma acc set device_num(n) default_async(q)
}
