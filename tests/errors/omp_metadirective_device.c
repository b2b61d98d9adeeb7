// A device cannot ask what another device is.
// cflags: -fopenmp
int main(void) {
    int x = 0;
    #pragma omp target map(tofrom: x)
    {
        #pragma omp metadirective when(target_device={device_num(1), kind(gpu)}: parallel) otherwise(single)
        x = 1;
    }
    return x;
}
