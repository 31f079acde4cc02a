/* A library that is no plugin. */
__attribute__((visibility("default"))) int no_entry(void)
{
    return 0;
}
