// default(none) and a variable that a loop reduces without a clause: nothing is implied.
int main(void)
{
    int b[10] = {0}, s = 0;
#pragma acc parallel loop default(none) copyin(b)
    for (int i = 0; i < 10; i++)
        s += b[i];
    return s;
}
