# Regular expressions as Python's re compiles them: ranges and counts ascend, references are to groups closed before.

<start> ::= <alternatives>
<alternatives> ::= <sequence> ('|' <sequence>)*
<sequence> ::= <piece>+
<piece> ::= <atom> <quantifier>? | <anchor>
<atom> ::= <character> | '.' | <class> | <group> | <reference> | <escape>
<group> ::= <capture> | '(?:' <alternatives> ')' | '(?=' <alternatives> ')' | '(?!' <alternatives> ')'
<capture> ::= '(' <alternatives> ')'
<reference> ::= '(?:' '\\' <index> ')'
<index> ::= r'[1-9]'
<anchor> ::= '^' | '$' | '\\b' | '\\B' | '\\A' | '\\Z'
<quantifier> ::= ('*' | '+' | '?' | '{' <count> '}' | '{' <count> ',}' | <counts>) '?'?
<counts> ::= '{' <least> ',' <most> '}'
<least> ::= <count>
<most> ::= <count>
<count> ::= r'0|[1-9][0-9]?'
<class> ::= '[' '^'? <class_part>+ ']'
<class_part> ::= <plain> | <range> | <escape>
<range> ::= <from> '-' <to>
<from> ::= <plain>
<to> ::= <plain>
<plain> ::= r'[A-Za-z0-9_]'
<character> ::= r'[A-Za-z0-9_ ,:;=!@%&~<>/]'
<escape> ::= '\\' r'[dDsSwWnrtfv.*+?()^$|]' | '\\[' | '\\]' | '\\\\' | '\\x' <hexdigit>{2} | '\\u' <hexdigit>{4}

where forall <r> in <range>:
    ord(str(<r>.<from>)) <= ord(str(<r>.<to>))

where forall <c> in <counts>:
    int(<c>.<least>) <= int(<c>.<most>)

where closed_groups(str(<start>))

def closed_groups(text):
    """Whether every reference is to a group that is closed before it."""
    opened = []
    count = 0
    at = 0
    in_class = False
    done = set()
    while at < len(text):
        c = text[at]
        if c == '\\':
            if text[at + 1] in '123456789' and int(text[at + 1]) not in done:
                return False
            at += 2
            continue
        if in_class:
            if c == ']':
                in_class = False
        elif c == '[':
            in_class = True
        elif c == '(':
            if text[at + 1:at + 2] == '?':
                opened.append(0)
            else:
                count += 1
                opened.append(count)
        elif c == ')':
            number = opened.pop()
            if number:
                done.add(number)
        at += 1
    return True
