"""Seeds of the AngelScript harness: declarations, classes and control."""

SEEDS: dict[str, bytes] = {
    "class.as": b"shared interface I { void g(); }\nclass B { int x = 0xFF; B(int y) {} }\nclass A : B {\n"
    b"  A(const int &in y) { super(y); this.x = y; }\n"
    b"  float f { get const { return 1.5f; } set { x += int(value); } }\n"
    b"  private void g(A@ a = null) final { @a = cast<A>(a); }\n}\n",
    "control.as": b"int f(int a) {\n  for (int i = 0; i < a; i++) { if (i == 1 || not (i != 2)) continue; else break; }\n"
    b"  while (a > 0) a--;\n  switch (a) { case 1: return 2; default: break; }\n  return a > 3 ? -a : a << 2;\n}\n",
    "others.as": b"namespace n { enum E { x = 1, y } funcdef void F(int &out); }\nimport void f() from \"m\"; // a\n"
    b"n::F@ g = function(a) { a = 1; }; /* c */\n",
}
