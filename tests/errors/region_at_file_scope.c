// A compute construct outside any function.
#pragma acc parallel loop
int x;

int main(void) { return x; }
