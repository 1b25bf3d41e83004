//! Methods and attributes: finds the type's own, with trees standing for the value they are worth.
use super::error::{REFUSED, Res, raise};
use super::native::{Args, Method as M};
use super::trees::{Nature, nature};
use super::value::{TreeRef, Value};
use super::vm::Vm;
use crate::ir::SymbolId;
use crate::tree::{Index, Kind};

impl Vm<'_> {
    /// `value.name(args)`
    pub fn method(&mut self, value: &Value, name: M, args: Args) -> Res {
        match value {
            Value::Str(text) => self.str_method(&text.clone(), name, &args),
            Value::Bytes(_) => self.bytes_method(value, name, &args),
            Value::ByteArray(_) => self.bytearray_method(value, name, &args),
            Value::List(_) => self.list_method(value, name, &args),
            Value::Tuple(items) => match name {
                M::count | M::index => self.list_method(&Value::list(items.to_vec()), name, &args),
                _ => missing(value, name),
            },
            Value::Dict(_) => self.dict_method(value, name, &args),
            Value::Set(_) => self.set_method(value, name, &args),
            Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::Float(_) => {
                self.number_method(value, name, &args)
            }
            Value::Tree(_) | Value::Trees(_) => self.tree_method(value, name, args),
            Value::Object(_) => self.object_method(value, name, args),
            Value::Native(native) => self.type_method(native.name, name, &args),
            Value::Missing(reason) => raise(REFUSED, reason.to_string()),
            _ => missing(value, name),
        }
    }

    /// `value.name`
    pub fn attribute(&mut self, value: &Value, name: M) -> Res {
        match (value, name) {
            (Value::Tree(at), _) => {
                if let Some(result) = self.tree_attribute(*at, name)? {
                    return Ok(result);
                }
            }
            (Value::Object(_), _) => {
                if let Some(result) = self.object_attribute(value, name)? {
                    return Ok(result);
                }
            }
            (Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Big(_), M::real | M::numerator) => {
                return Ok(value.clone());
            }
            (_, M::__class__) => return Ok(Value::str(value.type_name())),
            (Value::Native(native), M::__name__) => return Ok(Value::str(native.name)),
            (Value::Str(text), M::__name__) => return Ok(Value::Str(text.clone())),
            (Value::Missing(reason), _) => return raise(REFUSED, reason.to_string()),
            _ => {}
        }
        Ok(Value::Bound(std::rc::Rc::new((value.clone(), name))))
    }

    fn tree_attribute(&mut self, at: TreeRef, name: M) -> Res<Option<Value>> {
        let tree = self.trees[at.tree as usize];
        Ok(Some(match name {
            M::children | M::_children => Value::list(
                tree.children(at.at).map(|child| Value::Tree(TreeRef { tree: at.tree, at: child })).collect(),
            ),
            M::sources | M::_sources => Value::list(Vec::new()),
            M::parent => match tree.parent(at.at) {
                Some(parent) => Value::Tree(TreeRef { tree: at.tree, at: parent }),
                None => Value::None,
            },
            M::is_terminal => Value::Bool(tree.node(at.at).is_terminal()),
            M::is_non_terminal => Value::Bool(!tree.node(at.at).is_terminal()),
            M::symbol | M::nonterminal => match tree.node(at.at).kind() {
                Kind::Symbol(symbol) => super::modules::Object::symbol(&self.grammar.symbol(symbol).name),
                _ => super::modules::Object::symbol(&self.natural(&Value::Tree(at))?.repr()),
            },
            M::sender | M::recipient => Value::None,
            _ => return Ok(None),
        }))
    }

    fn tree_method(&mut self, value: &Value, name: M, args: Args) -> Res {
        let Value::Tree(at) = value else {
            let inner = self.natural(value)?;
            return self.method(&inner, name, args);
        };
        let tree = self.trees[at.tree as usize];
        let refer = |index| Value::Tree(TreeRef { tree: at.tree, at: index });
        let below = |from: u32| {
            (from..tree.end(at.at))
                .filter(|index| !tree.node(*index).is_control())
                .map(refer)
                .collect::<Vec<_>>()
        };
        let named = |vm: &Self, args: &Args| -> Res<Option<SymbolId>> {
            let name = match args.need(0, "symbol")? {
                Value::Object(object) => object.text(),
                other => vm.text_of(other)?.into_owned(),
            };
            Ok(vm.grammar.find(&name))
        };
        Ok(match name {
            M::value | M::to_value => self.natural(value)?,
            M::to_string | M::__str__ => Value::str(self.tree_text(*at)?),
            M::to_bytes | M::__bytes__ if args.pos.len() < 2 => Value::bytes(self.tree_bytes(*at)?),
            M::to_int | M::__int__ => self.tree_int(*at)?,
            M::__len__ => Value::Int(self.len(value)?),
            M::to_bits => {
                let bits = match nature(self.grammar, tree, at.at) {
                    Nature::Bits => tree.text_of(at.at).iter().map(|bit| char::from(b'0' + bit)).collect(),
                    _ => self.tree_bytes(*at)?.iter().map(|byte| format!("{byte:08b}")).collect::<String>(),
                };
                Value::str(bits)
            }
            M::descendants => Value::list(below(at.at + 1)),
            M::flattened => Value::list(below(at.at)),
            M::children_values | M::descendant_values => {
                let items = if name == M::children_values { self.items(value)? } else { below(at.at + 1) };
                Value::list(items.iter().map(|item| self.natural(item)).collect::<Res<_>>()?)
            }
            M::find_subtrees | M::find_all_trees => {
                let symbol = named(self, &args)?;
                let found = (at.at..tree.end(at.at))
                    .filter(|index| symbol.is_some_and(|symbol| tree.node(*index).is_symbol(symbol)));
                Value::list(found.map(refer).collect())
            }
            M::find_direct_trees => {
                let symbol = named(self, &args)?;
                let found = tree
                    .children(at.at)
                    .filter(|index| symbol.is_some_and(|symbol| tree.node(*index).is_symbol(symbol)));
                Value::list(found.map(refer).collect())
            }
            M::size => Value::Int(below(at.at).len() as i64),
            M::count_terminals => Value::Int(
                (at.at..tree.end(at.at)).filter(|index| tree.node(*index).is_terminal()).count() as i64,
            ),
            M::get_root => refer(0),
            M::get_path => {
                let mut path = vec![value.clone()];
                let mut here = at.at;
                while let Some(parent) = tree.parent(here) {
                    path.push(refer(parent));
                    here = parent;
                }
                path.reverse();
                Value::list(path)
            }
            M::get_index => match args.need(0, "target")? {
                Value::Tree(target) => Value::Int(self.index_within(*at, *target)),
                _ => Value::Int(-1),
            },
            M::contains_bits => {
                let bits = (at.at..tree.end(at.at)).any(|index| match tree.node(index).kind() {
                    Kind::Terminal(node) => matches!(self.grammar.node(node), crate::ir::Node::Bit(_)),
                    _ => false,
                });
                Value::Bool(bits)
            }
            M::contains_bytes | M::should_be_serialized_to_bytes => {
                Value::Bool(matches!(nature(self.grammar, tree, at.at), Nature::Bytes | Nature::Bits))
            }
            M::children | M::parent | M::symbol | M::is_terminal | M::is_non_terminal => {
                let attribute = self.attribute(value, name)?;
                // Older specs call what are properties now.
                if matches!(attribute, Value::Object(_)) {
                    attribute
                } else {
                    return self.call(&attribute, args);
                }
            }
            _ => {
                // A method of text, bytes or numbers: the first argument says which is meant.
                let inner = match args.pos.first() {
                    Some(Value::Bytes(_) | Value::ByteArray(_)) => Value::bytes(self.tree_bytes(*at)?),
                    Some(Value::Str(_)) => Value::str(self.tree_text(*at)?),
                    _ if matches!(
                        name,
                        M::encode | M::format | M::isidentifier | M::casefold | M::isdecimal
                    ) =>
                    {
                        Value::str(self.tree_text(*at)?)
                    }
                    _ if matches!(name, M::decode) => Value::bytes(self.tree_bytes(*at)?),
                    _ if matches!(name, M::bit_length | M::bit_count | M::to_bytes) => self.tree_int(*at)?,
                    _ => self.natural(value)?,
                };
                return self.method(&inner, name, args);
            }
        })
    }

    /// The position of the first node below `within` that equals `target`, counting visible nodes; -1 if none does.
    pub fn index_within(&self, within: TreeRef, target: TreeRef) -> i64 {
        let tree = self.trees[within.tree as usize];
        match self.first_within(within, target, tree.end(within.at)) {
            Some(at) => (within.at..at).filter(|index| !tree.node(*index).is_control()).count() as i64,
            None => -1,
        }
    }

    /// Whether the first node below `within` that equals `a` stands before the first that equals `b`.
    pub fn is_before(&self, within: TreeRef, a: TreeRef, b: TreeRef) -> bool {
        let end = self.trees[within.tree as usize].end(within.at);
        let Some(first) = self.first_within(within, a, end) else { return false };
        // Mostly `b` itself stands there: then only what is before `a` decides.
        let there = b.tree == within.tree && (within.at..end).contains(&b.at);
        self.first_within(within, b, first + 1).is_none()
            && (there || self.first_within(within, b, end).is_some())
    }

    /// The first visible node below `within` and before `end` that equals `target`.
    fn first_within(&self, within: TreeRef, target: TreeRef, end: Index) -> Option<Index> {
        let tree = self.trees[within.tree as usize];
        let other = self.trees[target.tree as usize];
        let kind = other.node(target.at).kind();
        (within.at..end).find(|index| {
            tree.node(*index).kind() == kind
                && (within.tree == target.tree && *index == target.at || tree.same(*index, other, target.at))
        })
    }

    fn type_method(&mut self, type_name: &'static str, name: M, args: &Args) -> Res {
        match (type_name, name) {
            ("int", M::from_bytes) => {
                let value = args.need(0, "bytes")?;
                let bytes = match value {
                    Value::List(_) => {
                        let made = self.make_bytes(value)?;
                        self.bytes_of(&made)?.into_owned()
                    }
                    other => self.bytes_of(other)?.into_owned(),
                };
                let little =
                    matches!(args.get(1, "byteorder"), Some(Value::Str(order)) if &**order == "little");
                let signed = match args.named("signed") {
                    Some(value) => self.truth(value)?,
                    None => false,
                };
                Ok(Value::big(match (little, signed) {
                    (true, true) => num_bigint::BigInt::from_signed_bytes_le(&bytes),
                    (false, true) => num_bigint::BigInt::from_signed_bytes_be(&bytes),
                    (true, false) => num_bigint::BigInt::from_bytes_le(num_bigint::Sign::Plus, &bytes),
                    (false, false) => num_bigint::BigInt::from_bytes_be(num_bigint::Sign::Plus, &bytes),
                }))
            }
            ("bytes" | "bytearray", M::fromhex) => {
                let text = self.want_text(args.need(0, "string")?)?;
                let digits: String = text.chars().filter(|c| !c.is_whitespace()).collect();
                super::bytes::unhex(digits.as_bytes()).map(Value::bytes)
            }
            ("str", M::maketrans) => {
                let mut table = super::value::Dict::default();
                let from = self.want_text(args.need(0, "x")?)?;
                let to = self.want_text(args.need(1, "y")?)?;
                for (a, b) in from.chars().zip(to.chars()) {
                    table.insert(super::value::Key(Value::Int(a as i64)), Value::str(b.to_string()));
                }
                Ok(Value::dict(table))
            }
            ("str", _) => {
                let text = self.want_text(args.need(0, "self")?)?;
                let rest = Args::of(args.pos[1..].iter().cloned());
                self.str_method(&text, name, &rest)
            }
            ("dict", M::keys | M::values | M::items | M::get) => {
                let dict = args.need(0, "self")?.clone();
                self.method(&dict, name, Args::of(args.pos[1..].iter().cloned()))
            }
            ("datetime" | "date" | "time", _) => super::modules::datetime_class(self, type_name, name, args),
            _ => raise(REFUSED, format!("`{type_name}.{}` is not supported", name.name())),
        }
    }
}

/// The error for a method that a type does not have.
pub fn missing<T>(value: &Value, name: M) -> Res<T> {
    raise("AttributeError", format!("'{}' object has no attribute '{}'", value.type_name(), name.name()))
}
