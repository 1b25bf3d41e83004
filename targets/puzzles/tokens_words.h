// The words of those token puzzles that look them up in a plain list; included behind the parser.
static enum kind listed_word(const char *start, size_t length) {
  static const char *const kWords[] = {"when", "then", "end", "halt"};
  for (int i = 0; i < 4; i++) {
    if (strlen(kWords[i]) == length && memcmp(kWords[i], start, length) == 0) return (enum kind)(WHEN + i);
  }
  return NAME;
}
