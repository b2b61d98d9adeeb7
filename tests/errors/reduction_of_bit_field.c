// Reduction of a struct with a bit-field.
struct s {
    unsigned x : 5;
};

int main(void)
{
    struct s v = {0};
#pragma acc parallel loop reduction(+:v)
    for (int i = 0; i < 4; i++)
        v.x += i;
    return v.x;
}
