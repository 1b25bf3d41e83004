// Tiny-C: compiles the input, a little language of one-letter integer variables, and runs it on a stack machine.
//
//   program   := statement*
//   statement := "if" "(" expr ")" statement ["else" statement] | "while" "(" expr ")" statement
//              | "do" statement "while" "(" expr ")" ";" | "{" statement* "}" | [expr] ";"
//   expr      := variable "=" expr | sum [("<" | "==") sum]
//   sum       := term (("+" | "-") term)*
//   term      := variable | number | "(" expr ")"
#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { kDepth = 64, kSteps = 10000, kStack = 256 };

// The lexer.

enum token { END, BAD, IF, ELSE, WHILE, DO, VARIABLE, NUMBER, PUNCTUATION };

struct lexer {
  const char *at, *end;
  enum token token;
  char sign;     // of PUNCTUATION; '~' stands for "=="
  int32_t value; // of NUMBER, or the number of the VARIABLE
};

static enum token word_token(struct lexer *lexer, const char *word, size_t length) {
  static const struct {
    const char *word;
    enum token token;
  } kWords[] = {{"if", IF}, {"else", ELSE}, {"while", WHILE}, {"do", DO}};
  for (size_t i = 0; i < sizeof kWords / sizeof *kWords; i++) {
    if (strlen(kWords[i].word) == length && memcmp(kWords[i].word, word, length) == 0) return kWords[i].token;
  }
  lexer->value = *word - 'a';
  return length == 1 ? VARIABLE : BAD;
}

static void next(struct lexer *lexer) {
  while (lexer->at < lexer->end && isspace((unsigned char)*lexer->at)) lexer->at++;
  const char *start = lexer->at;
  lexer->sign = 0;
  if (start == lexer->end) {
    lexer->token = END;
  } else if (islower((unsigned char)*start)) {
    while (lexer->at < lexer->end && islower((unsigned char)*lexer->at)) lexer->at++;
    lexer->token = word_token(lexer, start, (size_t)(lexer->at - start));
  } else if (isdigit((unsigned char)*start)) {
    uint32_t value = 0;
    for (; lexer->at < lexer->end && isdigit((unsigned char)*lexer->at); lexer->at++) {
      value = value * 10 + (uint32_t)(*lexer->at - '0');
    }
    lexer->value = (int32_t)value;
    lexer->token = NUMBER;
  } else if (*start != 0 && strchr("(){};<+-=", *start) != NULL) {
    lexer->token = PUNCTUATION;
    lexer->sign = *lexer->at++;
    if (lexer->sign == '=' && lexer->at < lexer->end && *lexer->at == '=') {
      lexer->sign = '~';
      lexer->at++;
    }
  } else {
    lexer->token = BAD;
  }
}

// The compiler: it emits code while it parses.

enum operation { PUSH, LOAD, STORE, DROP, ADD, SUBTRACT, LESS, EQUAL, JUMP, JUMP_IF_ZERO, HALT };

struct instruction {
  enum operation operation;
  int32_t argument;
};

struct compiler {
  struct lexer lexer;
  struct instruction *code;
  size_t count, capacity;
  int depth, failed;
};

static size_t emit(struct compiler *c, enum operation operation, int32_t argument) {
  if (c->count == c->capacity) {
    size_t capacity = c->capacity ? c->capacity * 2 : 32;
    struct instruction *code = realloc(c->code, capacity * sizeof *code);
    if (code == NULL) {
      c->failed = 1;
      return 0;
    }
    c->code = code;
    c->capacity = capacity;
  }
  c->code[c->count] = (struct instruction){operation, argument};
  return c->count++;
}

static void patch(struct compiler *c, size_t place) {
  if (!c->failed) c->code[place].argument = (int32_t)c->count;
}

static int accept(struct compiler *c, char sign) {
  if (c->lexer.token != PUNCTUATION || c->lexer.sign != sign) return 0;
  next(&c->lexer);
  return 1;
}

static void expect(struct compiler *c, char sign) {
  if (!accept(c, sign)) c->failed = 1;
}

static void expression(struct compiler *c);

static void term(struct compiler *c) {
  if (c->lexer.token == VARIABLE || c->lexer.token == NUMBER) {
    emit(c, c->lexer.token == VARIABLE ? LOAD : PUSH, c->lexer.value);
    next(&c->lexer);
  } else if (accept(c, '(')) {
    expression(c);
    expect(c, ')');
  } else {
    c->failed = 1;
  }
}

static void sum(struct compiler *c) {
  term(c);
  while (!c->failed) {
    enum operation operation = c->lexer.sign == '+' ? ADD : SUBTRACT;
    if (!accept(c, '+') && !accept(c, '-')) return;
    term(c);
    emit(c, operation, 0);
  }
}

static void expression(struct compiler *c) {
  if (c->failed || ++c->depth > kDepth) {
    c->failed = 1;
    return;
  }
  struct lexer before = c->lexer;
  if (c->lexer.token == VARIABLE) {
    int32_t variable = c->lexer.value;
    next(&c->lexer);
    if (accept(c, '=')) {
      expression(c);
      emit(c, STORE, variable);
      c->depth--;
      return;
    }
    c->lexer = before;
  }
  sum(c);
  enum operation operation = c->lexer.sign == '<' ? LESS : EQUAL;
  if (accept(c, '<') || accept(c, '~')) {
    sum(c);
    emit(c, operation, 0);
  }
  c->depth--;
}

static void condition(struct compiler *c) {
  expect(c, '(');
  expression(c);
  expect(c, ')');
}

static void statement(struct compiler *c) {
  if (c->failed || ++c->depth > kDepth) {
    c->failed = 1;
    return;
  }
  enum token token = c->lexer.token;
  if (token == IF) {
    next(&c->lexer);
    condition(c);
    size_t otherwise = emit(c, JUMP_IF_ZERO, 0);
    statement(c);
    if (c->lexer.token == ELSE) {
      next(&c->lexer);
      size_t end = emit(c, JUMP, 0);
      patch(c, otherwise);
      statement(c);
      patch(c, end);
    } else {
      patch(c, otherwise);
    }
  } else if (token == WHILE) {
    next(&c->lexer);
    size_t start = c->count;
    condition(c);
    size_t end = emit(c, JUMP_IF_ZERO, 0);
    statement(c);
    emit(c, JUMP, (int32_t)start);
    patch(c, end);
  } else if (token == DO) {
    next(&c->lexer);
    size_t start = c->count;
    statement(c);
    if (c->lexer.token != WHILE) c->failed = 1;
    next(&c->lexer);
    condition(c);
    expect(c, ';');
    size_t end = emit(c, JUMP_IF_ZERO, 0);
    emit(c, JUMP, (int32_t)start);
    patch(c, end);
  } else if (accept(c, '{')) {
    while (!c->failed && !accept(c, '}')) statement(c);
  } else if (!accept(c, ';')) {
    expression(c);
    emit(c, DROP, 0);
    expect(c, ';');
  }
  c->depth--;
}

// The machine. It ends after a number of steps, since programs need not.

static int32_t run(const struct instruction *code) {
  uint32_t variables[26] = {0}, stack[kStack];
  size_t top = 0, at = 0;
  for (int step = 0; step < kSteps; step++) {
    struct instruction now = code[at++];
    switch (now.operation) {
      case PUSH:
      case LOAD:
        if (top == kStack) return -1;
        stack[top++] = now.operation == PUSH ? (uint32_t)now.argument : variables[now.argument];
        break;
      case STORE: variables[now.argument] = stack[top - 1]; break;
      case DROP: top--; break;
      case ADD: top--, stack[top - 1] += stack[top]; break;
      case SUBTRACT: top--, stack[top - 1] -= stack[top]; break;
      case LESS: top--, stack[top - 1] = (int32_t)stack[top - 1] < (int32_t)stack[top]; break;
      case EQUAL: top--, stack[top - 1] = stack[top - 1] == stack[top]; break;
      case JUMP: at = (size_t)now.argument; break;
      case JUMP_IF_ZERO:
        if (stack[--top] == 0) at = (size_t)now.argument;
        break;
      case HALT: return (int32_t)variables[0];
    }
  }
  return -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct compiler c = {.lexer = {.at = (const char *)data, .end = (const char *)data + size}};
  next(&c.lexer);
  while (!c.failed && c.lexer.token != END) statement(&c);
  emit(&c, HALT, 0);
  if (!c.failed) {
    volatile int32_t result = run(c.code);
    (void)result;
  }
  free(c.code);
  return 0;
}
