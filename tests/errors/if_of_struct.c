// The condition of if is a struct.
struct s {
    int x;
};

int main(void)
{
    struct s v = {0};
    int a[4];
#pragma acc parallel loop if(v) copyout(a)
    for (int i = 0; i < 4; i++)
        a[i] = i;
    return a[0];
}
