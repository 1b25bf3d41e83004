/* A second member of the archive, which only the target calls. */
int engine_extra(void) { return 42; }
