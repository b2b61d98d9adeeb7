// A selector that devices do not have.
// cflags: -fopenmp
int main(void) {
    int x = 0;
    #pragma omp metadirective when(target_device={device_num(1), vendor(nvidia)}: target map(x)) otherwise(nothing)
    x = 1;
    return x;
}
