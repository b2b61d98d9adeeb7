// Each gang has a variable of its own, which a gang loop cannot reduce.
int main(void)
{
    int n = 10, out = 0;
#pragma acc parallel copy(out)
    {
        int s = 0;
#pragma acc loop gang vector reduction(+:s)
        for (int i = 0; i < n; i++)
            s += i;
        out = s;
    }
    return out;
}
