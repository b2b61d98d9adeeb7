// A bitwise operator on a struct with a floating member.
struct s {
    int x;
    double y[2];
};

int main(void)
{
    struct s v = {0};
#pragma acc parallel loop reduction(|:v)
    for (int i = 0; i < 4; i++)
        v.x |= i;
    return v.x;
}
