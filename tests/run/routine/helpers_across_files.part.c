// The other file.
#pragma acc routine seq
int twice(int x) { return 2 * x; }
