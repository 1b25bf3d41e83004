//! Lowers expressions.

use super::*;

impl Lowerer {
    /// Lowers an expression.
    pub fn expr(&mut self, expr: &Expr) -> Lowered {
        Ok(match expr {
            Expr::Name(name) => self.name(name)?,
            Expr::NumberLiteral(number) => Ex::Const(match &number.value {
                Number::Int(int) => match int.as_i64() {
                    Some(value) => Value::Int(value),
                    None => crate::python::trees::parse_int(&int.to_string(), 0).unwrap_or_default(),
                },
                Number::Float(value) => Value::Float(*value),
                Number::Complex { .. } => return self.refuse(number, "complex numbers are not supported"),
            }),
            Expr::StringLiteral(text) => Ex::Const(Value::str(text.value.to_str())),
            Expr::BytesLiteral(bytes) => Ex::Const(Value::bytes(bytes.value.bytes().collect::<Vec<u8>>())),
            Expr::BooleanLiteral(value) => Ex::Const(Value::Bool(value.value)),
            Expr::NoneLiteral(_) | Expr::EllipsisLiteral(_) => Ex::Const(Value::None),
            Expr::FString(text) => {
                let mut pieces = Vec::new();
                for part in &text.value {
                    match part {
                        ast::FStringPart::Literal(literal) => {
                            pieces.push(Piece::Text((&*literal.value).into()));
                        }
                        ast::FStringPart::FString(text) => self.pieces(&text.elements, &mut pieces)?,
                    }
                }
                Ex::Format(pieces)
            }
            Expr::BoolOp(op) => {
                let mut parts =
                    op.values.iter().map(|value| self.expr(value)).collect::<Lowered<Vec<_>>>()?;
                let mut result = parts.pop().unwrap_or(Ex::Const(Value::None));
                while let Some(part) = parts.pop() {
                    let pair = Box::new((part, result));
                    result = if op.op == ast::BoolOp::And { Ex::And(pair) } else { Ex::Or(pair) };
                }
                result
            }
            Expr::Named(named) => {
                let value = self.expr(&named.value)?;
                let target = self.target(&named.target)?;
                Ex::Named(Box::new(target), Box::new(value))
            }
            Expr::BinOp(op) => {
                let pair = Box::new((self.expr(&op.left)?, self.expr(&op.right)?));
                Ex::Bin(self.operator(op, op.op)?, pair)
            }
            Expr::UnaryOp(op) => {
                let inner = self.expr(&op.operand)?;
                match (op.op, inner) {
                    (ast::UnaryOp::Not, inner) => Ex::Not(Box::new(inner)),
                    (ast::UnaryOp::USub, Ex::Const(Value::Int(value))) => Ex::Const(Value::Int(-value)),
                    (ast::UnaryOp::USub, Ex::Const(Value::Float(value))) => Ex::Const(Value::Float(-value)),
                    (ast::UnaryOp::USub, inner) => Ex::Neg(Box::new(inner)),
                    (ast::UnaryOp::UAdd, inner) => inner,
                    (ast::UnaryOp::Invert, inner) => Ex::Invert(Box::new(inner)),
                }
            }
            Expr::Compare(compare) => {
                let first = self.expr(&compare.left)?;
                let mut rest = Vec::new();
                for (op, right) in compare.ops.iter().zip(&compare.comparators) {
                    rest.push((comparison(*op), self.expr(right)?));
                }
                if rest.len() == 1
                    && let Some((cmp, right)) = rest.pop()
                {
                    Ex::Compare(cmp, Box::new((first, right)))
                } else {
                    Ex::Chain(Box::new(first), rest)
                }
            }
            Expr::If(choice) => Ex::If(Box::new((
                self.expr(&choice.test)?,
                self.expr(&choice.body)?,
                self.expr(&choice.orelse)?,
            ))),
            Expr::Lambda(lambda) => self.lambda(lambda)?,
            Expr::List(list) => Ex::List(self.items(&list.elts)?),
            Expr::Tuple(tuple) => Ex::Tuple(self.items(&tuple.elts)?),
            Expr::Set(set) => Ex::Set(self.items(&set.elts)?),
            Expr::Dict(dict) => {
                let mut items = Vec::new();
                for item in &dict.items {
                    let key = item.key.as_ref().map(|key| self.expr(key)).transpose()?;
                    items.push((key, self.expr(&item.value)?));
                }
                Ex::Dict(items)
            }
            Expr::ListComp(comp) => {
                self.comprehension(Collection::List, &comp.elt, None, &comp.generators)?
            }
            Expr::SetComp(comp) => self.comprehension(Collection::Set, &comp.elt, None, &comp.generators)?,
            Expr::Generator(comp) => {
                self.comprehension(Collection::Generator, &comp.elt, None, &comp.generators)?
            }
            Expr::DictComp(comp) => match &comp.key {
                Some(key) => {
                    self.comprehension(Collection::Dict, key, Some(&comp.value), &comp.generators)?
                }
                None => return self.refuse(comp, "`**` in a comprehension is not supported"),
            },
            Expr::Call(call) => self.call(call)?,
            Expr::Attribute(attribute) => self.attribute(attribute)?,
            Expr::Subscript(subscript) => {
                let value = self.expr(&subscript.value)?;
                match &*subscript.slice {
                    Expr::Slice(slice) => {
                        let mut part =
                            |part: &Option<Box<Expr>>| part.as_ref().map(|ex| self.expr(ex)).transpose();
                        let parts = [part(&slice.lower)?, part(&slice.upper)?, part(&slice.step)?];
                        Ex::Slice(Box::new((value, parts)))
                    }
                    index => Ex::Index(Box::new((value, self.expr(index)?))),
                }
            }
            Expr::Starred(starred) => return self.refuse(starred, "`*` cannot stand here"),
            Expr::Yield(node) => return self.refuse(node, "generator functions (`yield`) are not supported"),
            other => return self.refuse(other, "this kind of expression is not supported"),
        })
    }

    pub(super) fn operator(&self, node: &impl Ranged, op: ast::Operator) -> Lowered<Op> {
        Ok(match op {
            ast::Operator::Add => Op::Add,
            ast::Operator::Sub => Op::Sub,
            ast::Operator::Mult => Op::Mul,
            ast::Operator::Div => Op::Div,
            ast::Operator::FloorDiv => Op::FloorDiv,
            ast::Operator::Mod => Op::Mod,
            ast::Operator::Pow => Op::Pow,
            ast::Operator::LShift => Op::Shl,
            ast::Operator::RShift => Op::Shr,
            ast::Operator::BitOr => Op::Or,
            ast::Operator::BitAnd => Op::And,
            ast::Operator::BitXor => Op::Xor,
            ast::Operator::MatMult => return self.refuse(node, "`@` is not supported"),
        })
    }

    pub(super) fn pieces(
        &mut self,
        elements: &ast::InterpolatedStringElements,
        out: &mut Vec<Piece>,
    ) -> Lowered<()> {
        for element in elements {
            match element {
                ast::InterpolatedStringElement::Literal(literal) => {
                    out.push(Piece::Text((&*literal.value).into()));
                }
                ast::InterpolatedStringElement::Interpolation(value) => {
                    let ex = self.expr(&value.expression)?;
                    let mut format = Vec::new();
                    if let Some(spec) = &value.format_spec {
                        self.pieces(&spec.elements, &mut format)?;
                    }
                    out.push(Piece::Value(ex, value.conversion == ast::ConversionFlag::Repr, format));
                }
            }
        }
        Ok(())
    }

    pub(super) fn items(&mut self, items: &[Expr]) -> Lowered<Vec<(Ex, bool)>> {
        items
            .iter()
            .map(|item| match item {
                Expr::Starred(starred) => Ok((self.expr(&starred.value)?, true)),
                other => Ok((self.expr(other)?, false)),
            })
            .collect()
    }

    pub(super) fn comprehension(
        &mut self,
        kind: Collection,
        element: &Expr,
        value: Option<&Expr>,
        generators: &[ast::Comprehension],
    ) -> Lowered {
        let (locals, symbols) = (self.scope().inner.len(), self.bound.len());
        let mut loops = Vec::new();
        for generator in generators {
            let iter = self.expr(&generator.iter)?;
            let target = self.loop_target(&generator.target)?;
            let ifs = generator.ifs.iter().map(|test| self.expr(test)).collect::<Lowered<Vec<_>>>()?;
            loops.push(Loop { target, iter, ifs });
        }
        let element = self.expr(element)?;
        let value = value.map(|value| self.expr(value)).transpose()?;
        self.scope().inner.truncate(locals);
        self.bound.truncate(symbols);
        Ok(Ex::Comprehension(kind, Box::new((element, value)), loops))
    }

    /// The target of a comprehension: fresh variables that hide others.
    pub(super) fn loop_target(&mut self, target: &Expr) -> Lowered<Target> {
        match target {
            Expr::Name(name) => {
                if let Some(written) = self.selectors.get(&u32::from(name.range.start())).cloned() {
                    return Ok(Target::Local(self.bind_symbol(&written.base)));
                }
                Ok(Target::Local(self.bind_local(name.id.as_str())))
            }
            Expr::Tuple(tuple) => self.loop_targets(&tuple.elts),
            Expr::List(list) => self.loop_targets(&list.elts),
            other => self.refuse(other, "this target of a loop is not supported"),
        }
    }

    pub(super) fn loop_targets(&mut self, targets: &[Expr]) -> Lowered<Target> {
        let targets = targets.iter().map(|target| self.loop_target(target)).collect::<Lowered<Vec<_>>>()?;
        Ok(Target::Tuple(targets, None))
    }
}
