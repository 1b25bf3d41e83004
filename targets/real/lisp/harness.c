// A small Lisp: reads the input as expressions and evaluates each (numbers, symbols, lists, lambda, define, let, if).
#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { kDepth = 100, kSteps = 5000, kNameLimit = 32, kBlock = 256 };

enum kind { NIL, NUMBER, SYMBOL, PAIR, CLOSURE, BUILTIN };

struct value;
typedef struct value *ref;
typedef ref builtin(ref arguments);

struct value {
  enum kind kind;
  union {
    int64_t number;
    char name[kNameLimit];
    struct {
      ref head, tail;
    } pair;
    struct {
      ref parameters, body, scope;
    } closure;
    builtin *call;
  } as;
};

// Values are never freed one by one; all go at the end of a run.
struct block {
  struct block *next;
  size_t used;
  struct value values[kBlock];
};

static struct value nil_value = {NIL, {0}};
#define NIL_REF (&nil_value)

static struct block *blocks;
static int depth, steps, failed;

static ref fail(void) {
  failed = 1;
  return NIL_REF;
}

static ref make(enum kind kind) {
  if (blocks == NULL || blocks->used == kBlock) {
    struct block *block = malloc(sizeof *block);
    if (block == NULL) return fail();
    block->next = blocks;
    block->used = 0;
    blocks = block;
  }
  ref value = &blocks->values[blocks->used++];
  memset(value, 0, sizeof *value);
  value->kind = kind;
  return value;
}

static ref number(int64_t n) {
  ref value = make(NUMBER);
  if (value->kind == NUMBER) value->as.number = n;
  return value;
}

static ref cons(ref head, ref tail) {
  ref value = make(PAIR);
  if (value->kind == PAIR) {
    value->as.pair.head = head;
    value->as.pair.tail = tail;
  }
  return value;
}

static ref head(ref value) { return value->kind == PAIR ? value->as.pair.head : fail(); }
static ref tail(ref value) { return value->kind == PAIR ? value->as.pair.tail : fail(); }
static int is_symbol(ref value, const char *name) { return value->kind == SYMBOL && strcmp(value->as.name, name) == 0; }

// The reader.

static ref symbol(const char *name, size_t length) {
  if (length >= kNameLimit) return fail();
  ref value = make(SYMBOL);
  if (value->kind == SYMBOL) memcpy(value->as.name, name, length);
  return value;
}

static void skip(const char **at, const char *end) {
  while (*at < end && (isspace((unsigned char)**at) || **at == ';')) {
    if (**at == ';') {
      while (*at < end && **at != '\n') ++*at;
    } else {
      ++*at;
    }
  }
}

static ref read_value(const char **at, const char *end);

static ref read_list(const char **at, const char *end) {
  ref first = NIL_REF, *place = &first;
  for (;;) {
    skip(at, end);
    if (*at == end || failed) return fail();
    if (**at == ')') {
      ++*at;
      return first;
    }
    if (**at == '.' && *at + 1 < end && isspace((unsigned char)(*at)[1]) && first != NIL_REF) {
      ++*at;
      *place = read_value(at, end);
      skip(at, end);
      if (*at == end || **at != ')') return fail();
      ++*at;
      return first;
    }
    ref pair = cons(read_value(at, end), NIL_REF);
    if (pair->kind != PAIR) return fail();
    *place = pair;
    place = &pair->as.pair.tail;
  }
}

static ref read_value(const char **at, const char *end) {
  skip(at, end);
  if (*at == end || **at == ')' || depth >= kDepth) return fail();
  depth++;
  ref value;
  const char *start = *at;
  if (*start == '(') {
    ++*at;
    value = read_list(at, end);
  } else if (*start == '\'') {
    ++*at;
    ref quoted = read_value(at, end);
    value = cons(symbol("quote", 5), cons(quoted, NIL_REF));
  } else {
    while (*at < end && !isspace((unsigned char)**at) && strchr("()';", **at) == NULL) ++*at;
    size_t length = (size_t)(*at - start), digits = *start == '-' && length > 1;
    uint64_t magnitude = 0;
    for (size_t i = digits; i < length && isdigit((unsigned char)start[i]); i++, digits++) {
      magnitude = magnitude * 10 + (uint64_t)(start[i] - '0');
    }
    if (length == 0) {
      value = fail();
    } else if (digits == length) {
      value = number((int64_t)(*start == '-' ? 0 - magnitude : magnitude));
    } else {
      value = symbol(start, length);
    }
  }
  depth--;
  return value;
}

// Builtins.

static int64_t integer(ref value) { return value->kind == NUMBER ? value->as.number : fail()->as.number; }

static ref add(ref arguments) {
  uint64_t total = 0;
  for (; arguments->kind == PAIR; arguments = tail(arguments)) total += (uint64_t)integer(head(arguments));
  return number((int64_t)total);
}

static ref multiply(ref arguments) {
  uint64_t total = 1;
  for (; arguments->kind == PAIR; arguments = tail(arguments)) total *= (uint64_t)integer(head(arguments));
  return number((int64_t)total);
}

static ref subtract(ref arguments) {
  uint64_t first = (uint64_t)integer(head(arguments));
  if (tail(arguments)->kind == NIL) return number((int64_t)(0 - first));
  for (ref rest = tail(arguments); rest->kind == PAIR; rest = tail(rest)) first -= (uint64_t)integer(head(rest));
  return number((int64_t)first);
}

static ref truth(int is_true) { return is_true ? number(1) : NIL_REF; }
static ref less(ref arguments) { return truth(integer(head(arguments)) < integer(head(tail(arguments)))); }

static ref equal(ref arguments) {
  ref a = head(arguments), b = head(tail(arguments));
  if (a->kind != b->kind) return NIL_REF;
  if (a->kind == NUMBER) return truth(a->as.number == b->as.number);
  if (a->kind == SYMBOL) return truth(strcmp(a->as.name, b->as.name) == 0);
  return truth(a == b);
}

static ref make_pair(ref arguments) { return cons(head(arguments), head(tail(arguments))); }
static ref first_of(ref arguments) { return head(head(arguments)); }
static ref rest_of(ref arguments) { return tail(head(arguments)); }
static ref is_empty(ref arguments) { return truth(head(arguments)->kind == NIL); }
static ref make_list(ref arguments) { return arguments; }

static const struct {
  const char *name;
  builtin *call;
} kBuiltins[] = {{"+", add},        {"-", subtract},      {"*", multiply},    {"<", less},           {"=", equal},
                 {"cons", make_pair}, {"car", first_of}, {"cdr", rest_of}, {"null?", is_empty}, {"list", make_list}};

// The evaluator. A scope is a list of pairs of name and value; the outermost starts with a pair that is never found.

static ref lookup(ref name, ref scope) {
  for (; scope->kind == PAIR && !failed; scope = tail(scope)) {
    if (is_symbol(head(head(scope)), name->as.name)) return tail(head(scope));
  }
  for (size_t i = 0; i < sizeof kBuiltins / sizeof *kBuiltins; i++) {
    if (strcmp(name->as.name, kBuiltins[i].name) != 0) continue;
    ref value = make(BUILTIN);
    if (value->kind == BUILTIN) value->as.call = kBuiltins[i].call;
    return value;
  }
  return fail();
}

static ref evaluate(ref value, ref scope);

static ref evaluate_all(ref list, ref scope) {
  if (list->kind != PAIR || failed) return NIL_REF;
  ref first = evaluate(head(list), scope);
  return cons(first, evaluate_all(tail(list), scope));
}

static ref body_of(ref list, ref scope) {
  ref result = NIL_REF;
  for (; list->kind == PAIR && !failed; list = tail(list)) result = evaluate(head(list), scope);
  return result;
}

static ref bind(ref name, ref value, ref scope) {
  return name->kind == SYMBOL ? cons(cons(name, value), scope) : fail();
}

static ref apply(ref function, ref arguments) {
  if (function->kind == BUILTIN) return function->as.call(arguments);
  if (function->kind != CLOSURE) return fail();
  ref scope = function->as.closure.scope;
  ref names = function->as.closure.parameters;
  for (; names->kind == PAIR && !failed; names = tail(names), arguments = tail(arguments)) {
    scope = bind(head(names), head(arguments), scope);
  }
  if (names->kind == SYMBOL) scope = bind(names, arguments, scope);
  return body_of(function->as.closure.body, scope);
}

static ref let(ref form, ref scope) {
  ref inner = scope;
  for (ref list = head(form); list->kind == PAIR && !failed; list = tail(list)) {
    ref value = evaluate(head(tail(head(list))), scope);
    inner = bind(head(head(list)), value, inner);
  }
  return body_of(tail(form), inner);
}

// A definition goes behind the first pair of the scope, where closures that have the scope see it too.
static ref define(ref form, ref scope) {
  ref value = evaluate(head(tail(form)), scope);
  if (failed || scope->kind != PAIR || head(form)->kind != SYMBOL) return fail();
  scope->as.pair.tail = bind(head(form), value, tail(scope));
  return value;
}

static ref special(ref name, ref form, ref scope, int *is_special) {
  *is_special = 1;
  if (is_symbol(name, "quote")) return head(form);
  if (is_symbol(name, "if")) {
    int holds = evaluate(head(form), scope)->kind != NIL;
    ref branches = tail(form);
    if (holds) return evaluate(head(branches), scope);
    return tail(branches)->kind == NIL ? NIL_REF : evaluate(head(tail(branches)), scope);
  }
  if (is_symbol(name, "lambda")) {
    ref closure = make(CLOSURE);
    if (closure->kind != CLOSURE) return fail();
    closure->as.closure.parameters = head(form);
    closure->as.closure.body = tail(form);
    closure->as.closure.scope = scope;
    return closure;
  }
  if (is_symbol(name, "define")) return define(form, scope);
  if (is_symbol(name, "let")) return let(form, scope);
  if (is_symbol(name, "begin")) return body_of(form, scope);
  *is_special = 0;
  return NIL_REF;
}

static ref evaluate(ref value, ref scope) {
  if (failed || ++steps > kSteps || depth >= kDepth) return fail();
  if (value->kind == SYMBOL) return lookup(value, scope);
  if (value->kind != PAIR) return value;
  depth++;
  int is_special;
  ref result = special(head(value), tail(value), scope, &is_special);
  if (!is_special) {
    ref function = evaluate(head(value), scope);
    ref arguments = evaluate_all(tail(value), scope);
    result = failed ? NIL_REF : apply(function, arguments);
  }
  depth--;
  return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *at = (const char *)data, *end = at + size;
  depth = steps = failed = 0;
  ref scope = cons(cons(symbol("", 0), NIL_REF), NIL_REF);
  for (skip(&at, end); at < end && !failed; skip(&at, end)) {
    ref value = read_value(&at, end);
    if (!failed) evaluate(value, scope);
  }
  while (blocks != NULL) {
    struct block *next = blocks->next;
    free(blocks);
    blocks = next;
  }
  return 0;
}
