// Reduction of a member of a struct.
struct s {
    double x;
    int n;
};

int main(void)
{
    struct s v = {0};
#pragma acc parallel loop reduction(+:v.x)
    for (int i = 0; i < 4; i++)
        v.x += i;
    return v.x;
}
