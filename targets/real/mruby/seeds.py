"""Seeds of the mruby harness: definitions, control and strings."""

SEEDS: dict[str, bytes] = {
    "class.rb": b"class A < B\n  def f(a, *b, c: 1, **d, &e)\n    @g ||= a&.h(*b) rescue nil\n  end\nend\n",
    "control.rb": b"if a then b elsif !c and d\n e while f\nelse\n case x when 1..2 then y end\nend\n[1].each { |i| p i }\n",
    "strings.rb": b"# a\nx = \"b#{c}\" + 'd' + %w[e f].g(:h => ->(i) { i ** 2 })\n$j = <<K\n l\nK\n",
}
