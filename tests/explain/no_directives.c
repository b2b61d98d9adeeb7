// Nothing to tell.
// launches: 0
int main(void)
{
    return 0;
}
