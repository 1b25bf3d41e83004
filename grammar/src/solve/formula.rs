//! Constraints as formulas: quantifiers, connectives, comparisons and tests, each over slots of one frame.
use ruff_python_ast::{self as ast, Expr};
use ruff_text_size::Ranged;

use crate::front::selector::{Masked, mask};
use crate::front::source::{Problem, Span};
use crate::front::split::nonterminal_end;
use crate::python::code::{Cmp, Ex};
use crate::python::lower::{Lone, Lowerer, Meaning, comparison};
use crate::select::Selector;

/// A formula.
#[derive(Debug, Clone)]
pub enum Formula {
    /// The body holds for every match.
    Forall(u32, Selector, Box<Formula>),
    /// The body holds for some match.
    Exists(u32, Selector, Box<Formula>),
    /// All of them hold.
    And(Vec<Formula>),
    /// One of them holds.
    Or(Vec<Formula>),
    /// A comparison, for every combination of matches.
    Compare(Box<Comparison>),
    /// An expression that counts as true, for every combination of matches.
    Test(Box<Test>),
}

/// `left cmp right`
#[derive(Debug, Clone)]
pub struct Comparison {
    /// How.
    pub cmp: Cmp,
    /// The left side.
    pub left: Ex,
    /// The right side.
    pub right: Ex,
    /// Selectors and the slots their matches go to.
    pub selectors: Vec<(u32, Selector)>,
    /// Where its results are kept: a number, and the one quantified slot they depend on.
    pub memo: Option<(u32, u32)>,
    /// Where it stands.
    pub span: Span,
}

/// An expression as a condition.
#[derive(Debug, Clone)]
pub struct Test {
    /// The expression.
    pub ex: Ex,
    /// Selectors and the slots their matches go to.
    pub selectors: Vec<(u32, Selector)>,
    /// Where it stands.
    pub span: Span,
}

/// A `where` of the spec.
#[derive(Debug, Clone)]
pub struct Constraint {
    /// What must hold.
    pub formula: Formula,
    /// Slots it needs.
    pub frame: u32,
    /// Where it stands.
    pub span: Span,
}

/// A `maximizing` or `minimizing` of the spec.
#[derive(Debug, Clone)]
pub struct Goal {
    /// The value.
    pub value: Lone,
    /// Greater is better.
    pub maximize: bool,
}

/// Reads a constraint.
pub fn read(source: &str, span: Span, lowerer: &mut Lowerer) -> Result<Constraint, Problem> {
    let mut reader = Reader { source, lowerer, frame: 0 };
    let mut formula = reader.quantified(trimmed(source, span), &mut Vec::new())?;
    let frame = reader.frame;
    super::memo::assign(&mut formula, lowerer);
    Ok(Constraint { formula, frame, span: trimmed(source, span) })
}

/// Reads a goal.
pub fn read_goal(source: &str, span: Span, maximize: bool, lowerer: &mut Lowerer) -> Result<Goal, Problem> {
    let masked = mask(source, trimmed(source, span))?;
    let expr = parse(&masked)?;
    lowerer.begin(&masked, Meaning::Each, &[], 0);
    Ok(Goal { value: lowerer.lone(&expr)?, maximize })
}

/// The expression of masked text.
pub fn parse(masked: &Masked) -> Result<Expr, Problem> {
    match ruff_python_parser::parse_expression(&masked.text) {
        Ok(parsed) => Ok(parsed.into_expr()),
        Err(error) => {
            let range = error.range();
            let start = masked.span.start + u32::from(range.start());
            let span =
                Span { file: masked.span.file, start, end: masked.span.start + u32::from(range.end()) };
            Err(Problem::new(span, format!("this is no Python expression: {}", error.error)))
        }
    }
}

/// `span` without blanks, comments and a last `;`.
fn trimmed(source: &str, span: Span) -> Span {
    let text = &source[span.start as usize..span.end as usize];
    let start = span.start as usize + (text.len() - text.trim_start().len());
    let end = start + text.trim().trim_end_matches(';').trim_end().len();
    Span::new(span.file, start..end)
}

struct Reader<'a> {
    source: &'a str,
    lowerer: &'a mut Lowerer,
    frame: u32,
}

impl Reader<'_> {
    /// `forall <x> in <selector>: ..`, `exists ..`, or an expression.
    fn quantified(&mut self, span: Span, bound: &mut Vec<(String, u32)>) -> Result<Formula, Problem> {
        let text = &self.source[span.start as usize..span.end as usize];
        let all = match text.split_whitespace().next() {
            Some("forall") => true,
            Some("exists") => false,
            _ => return self.expression(span, bound),
        };
        let problem = || Problem::new(span, "a quantifier is written `forall <name> in selector: formula`");
        let open = text.find('<').ok_or_else(problem)?;
        let close = nonterminal_end(text.as_bytes(), open).ok_or_else(problem)?;
        let name = text[open..close].to_owned();
        let rest = text[close..].trim_start();
        let rest = rest.strip_prefix("in").ok_or_else(problem)?;
        let selector_at = text.len() - rest.len();
        let colon = selector_at + find_colon(rest).ok_or_else(problem)?;
        let part = |from: usize, to: usize| {
            trimmed(self.source, Span::new(span.file, span.start as usize + from..span.start as usize + to))
        };
        let (selector_span, body_span) = (part(selector_at, colon), part(colon + 1, text.len()));
        let masked = mask(self.source, selector_span)?;
        let written = match &masked.selectors[..] {
            [(0, written)] => written,
            _ => return Err(Problem::new(selector_span, "a quantifier ranges over a selector")),
        };
        self.lowerer.begin(&masked, Meaning::Each, bound, self.frame);
        let selector = self.lowerer.resolve(written)?;
        let slot = self.frame;
        self.frame += 1;
        bound.push((name, slot));
        let body = self.quantified(body_span, bound);
        bound.pop();
        let body = Box::new(body?);
        Ok(if all { Formula::Forall(slot, selector, body) } else { Formula::Exists(slot, selector, body) })
    }

    fn expression(&mut self, span: Span, bound: &[(String, u32)]) -> Result<Formula, Problem> {
        let masked = mask(self.source, span)?;
        let expr = parse(&masked)?;
        self.lowerer.begin(&masked, Meaning::Each, bound, self.frame);
        let formula = self.formula(&expr, span)?;
        self.frame = self.frame.max(self.lowerer.module_frame());
        Ok(formula)
    }

    fn formula(&mut self, expr: &Expr, whole: Span) -> Result<Formula, Problem> {
        match expr {
            Expr::BoolOp(op) => {
                let parts = op
                    .values
                    .iter()
                    .map(|value| self.formula(value, whole))
                    .collect::<Result<Vec<_>, _>>()?;
                Ok(if op.op == ast::BoolOp::And { Formula::And(parts) } else { Formula::Or(parts) })
            }
            Expr::Call(call) => match self.quantifier_call(call, whole)? {
                Some(formula) => Ok(formula),
                None => self.test(expr),
            },
            Expr::Compare(compare) => {
                let ordinary = compare.ops.iter().all(|op| {
                    !matches!(op, ast::CmpOp::In | ast::CmpOp::NotIn | ast::CmpOp::Is | ast::CmpOp::IsNot)
                });
                if !ordinary {
                    return self.test(expr);
                }
                let mut parts = Vec::new();
                let mut left = &*compare.left;
                for (op, right) in compare.ops.iter().zip(&compare.comparators) {
                    // Both sides together, so that one selector on both is one match.
                    let pair = Expr::Compare(ast::ExprCompare {
                        node_index: ast::AtomicNodeIndex::default(),
                        range: ruff_text_size::TextRange::new(left.start(), right.end()),
                        left: Box::new(left.clone()),
                        ops: Box::new([*op]),
                        comparators: Box::new([right.clone()]),
                    });
                    let lone = self.lowerer.lone(&pair)?;
                    let Ex::Compare(_, sides) = lone.ex else { continue };
                    let (left_ex, right_ex) = *sides;
                    parts.push(Formula::Compare(Box::new(Comparison {
                        cmp: comparison(*op),
                        left: left_ex,
                        right: right_ex,
                        selectors: lone.selectors,
                        memo: None,
                        span: lone.span,
                    })));
                    left = right;
                }
                Ok(if parts.len() == 1 { parts.remove(0) } else { Formula::And(parts) })
            }
            _ => self.test(expr),
        }
    }

    fn test(&mut self, expr: &Expr) -> Result<Formula, Problem> {
        let lone = self.lowerer.lone(expr)?;
        Ok(Formula::Test(Box::new(Test { ex: lone.ex, selectors: lone.selectors, span: lone.span })))
    }

    /// `any(formula for x in *selector)` and `all(..)`.
    fn quantifier_call(&mut self, call: &ast::ExprCall, whole: Span) -> Result<Option<Formula>, Problem> {
        let all = match &*call.func {
            Expr::Name(name) if name.id.as_str() == "all" => true,
            Expr::Name(name) if name.id.as_str() == "any" => false,
            _ => return Ok(None),
        };
        let (element, generators) = match &call.arguments.args[..] {
            [Expr::Generator(comp)] => (&comp.elt, &comp.generators),
            [Expr::ListComp(comp)] => (&comp.elt, &comp.generators),
            [Expr::SetComp(comp)] => (&comp.elt, &comp.generators),
            _ => return Ok(None),
        };
        let [generator] = &generators[..] else { return Ok(None) };
        let Some(written) = self.lowerer.masked(&generator.iter).cloned() else { return Ok(None) };
        if !written.star || !generator.ifs.is_empty() {
            return Ok(None);
        }
        let selector = self.lowerer.resolve(&written)?;
        let target = self.lowerer.masked(&generator.target).map(|target| target.base.clone());
        let slot = match (&target, &generator.target) {
            (Some(symbol), _) => self.lowerer.bind_symbol(symbol),
            (None, Expr::Name(name)) => self.lowerer.bind_local(name.id.as_str()),
            _ => return Ok(None),
        };
        let body = self.formula(element, whole);
        match target {
            Some(_) => self.lowerer.unbind_symbol(),
            None => self.lowerer.unbind_local(),
        }
        let body = Box::new(body?);
        Ok(Some(if all {
            Formula::Forall(slot, selector, body)
        } else {
            Formula::Exists(slot, selector, body)
        }))
    }
}

/// The first `:` outside of brackets and symbols.
fn find_colon(text: &str) -> Option<usize> {
    let (bytes, mut at, mut depth) = (text.as_bytes(), 0, 0);
    while at < bytes.len() {
        if let Some(end) = nonterminal_end(bytes, at) {
            at = end;
            continue;
        }
        match bytes[at] {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b':' if depth == 0 => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}
