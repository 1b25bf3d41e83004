"""What CPython sees of an input: its derivation trees, and which names an expression lacks."""

import ast
import builtins


class DerivationTree:
    """A node; counts as the text, bytes or number it stands for."""

    def __init__(self, nodes, text, at=0, parent=None):
        self._nodes, self._text, self._at, self.parent = nodes, text, at, parent

    @property
    def symbol(self):
        name, _, start, end, _ = self._nodes[self._at]
        return name if name is not None else self._text[start:end]

    @property
    def children(self):
        found, at = [], self._at + 1
        end = self._at + self._nodes[self._at][1]
        while at < end:
            found.append(DerivationTree(self._nodes, self._text, at, self))
            at += self._nodes[at][1]
        return found

    def descendants(self):
        return [below for child in self.children for below in [child, *child.descendants()]]

    def find_all_trees(self, symbol):
        return [tree for tree in [self, *self.descendants()] if tree.symbol == str(symbol)]

    find_subtrees = find_all_trees

    def _kinds(self):
        return {kind for *_, kind in self._nodes[self._at : self._at + self._nodes[self._at][1]] if kind}

    def _raw(self):
        _, _, start, end, _ = self._nodes[self._at]
        return self._text[start:end]

    def value(self):
        kinds = self._kinds()
        if kinds == {"bit"}:
            return int("".join(str(bit) for bit in self._raw()) or "0", 2)
        return bytes(self) if kinds & {"bit", "bytes"} else str(self)

    def __bytes__(self):
        if "bit" not in self._kinds():
            return self._raw()
        bits = ""
        for name, size, start, end, kind in self._nodes[self._at : self._at + self._nodes[self._at][1]]:
            if size == 1 and name is None:
                part = self._text[start:end]
                bits += "".join(str(bit) if kind == "bit" else f"{bit:08b}" for bit in part)
        bits += "0" * (-len(bits) % 8)
        return bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8))

    def __str__(self):
        return bytes(self).decode("utf-8" if self._kinds() <= {"text"} else "latin-1")

    def __int__(self):
        value = self.value()
        return value if isinstance(value, int) else int(value)

    def __float__(self):
        return float(str(self))

    def __repr__(self):
        return repr(self.value())

    def __len__(self):
        return len(self.children)

    def __getitem__(self, item):
        return self.children[item]

    def __iter__(self):
        return iter(self.children)

    def __contains__(self, item):
        return item in self.value()

    def __bool__(self):
        return True

    def __hash__(self):
        return hash(self._raw())

    def _shape(self):
        end = self._at + self._nodes[self._at][1]
        return [(name, size, kind) for name, size, _, _, kind in self._nodes[self._at : end]]

    def __eq__(self, other):
        if isinstance(other, DerivationTree):
            return self._raw() == other._raw() and self._shape() == other._shape()
        return self.value() == other or (isinstance(other, str) and str(self) == other)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.value(), name)


def _natural(thing):
    return thing.value() if isinstance(thing, DerivationTree) else thing


def _operator(name):
    def apply(self, other):
        return getattr(self.value(), name)(_natural(other))

    return apply


for _name in ["lt", "le", "gt", "ge", "add", "sub", "mul", "mod", "floordiv", "and", "or", "xor", "lshift", "rshift"]:
    setattr(DerivationTree, f"__{_name}__", _operator(f"__{_name}__"))


def lacking(text, known, given):
    """The names that an expression uses and nobody has."""
    names = [node for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name)]
    own = {node.id for node in names if not isinstance(node.ctx, ast.Load)} | set(given)
    own |= {node.arg for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.arg)}
    return sorted({n.id for n in names} - own - set(known) - set(dir(builtins)))


def simple(thing):
    """A value that the engine knows: trees become what they stand for."""
    if isinstance(thing, (list, tuple)):
        return type(thing)(simple(item) for item in thing)
    return _natural(thing)
