//! What lowering needs besides: names of exceptions, comparisons, likeness of names, and `eval`.
use super::*;

/// The name of the exception type that `expr` names.
pub(super) fn exception_name(expr: &Expr) -> Rc<str> {
    match expr {
        Expr::Name(name) => name.id.as_str().into(),
        Expr::Attribute(attribute) => match &*attribute.value {
            Expr::Name(module) => format!("{}.{}", module.id, attribute.attr).into(),
            _ => attribute.attr.as_str().into(),
        },
        _ => "Exception".into(),
    }
}

/// Python's comparison as ours.
pub fn comparison(op: ast::CmpOp) -> Cmp {
    match op {
        ast::CmpOp::Eq => Cmp::Eq,
        ast::CmpOp::NotEq => Cmp::Ne,
        ast::CmpOp::Lt => Cmp::Lt,
        ast::CmpOp::LtE => Cmp::Le,
        ast::CmpOp::Gt => Cmp::Gt,
        ast::CmpOp::GtE => Cmp::Ge,
        ast::CmpOp::Is => Cmp::Is,
        ast::CmpOp::IsNot => Cmp::IsNot,
        ast::CmpOp::In => Cmp::In,
        ast::CmpOp::NotIn => Cmp::NotIn,
    }
}

/// Edits between two names.
pub(super) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut last = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let next = (last + usize::from(x != *y)).min(row[j] + 1).min(row[j + 1] + 1);
            last = row[j + 1];
            row[j + 1] = next;
        }
    }
    row[b.len()]
}

/// `eval(text)`: an expression over literals and builtins.
pub fn evaluate(vm: &mut Vm<'_>, text: &str) -> Res {
    let parsed = match ruff_python_parser::parse_expression(text.trim()) {
        Ok(parsed) => parsed,
        Err(error) => return raise("SyntaxError", error.error.to_string()),
    };
    let mut lowerer =
        Lowerer { scopes: vec![Scope { is_function: true, ..Scope::default() }], ..Lowerer::default() };
    let ex = match lowerer.expr(&parsed.into_expr()) {
        Ok(ex) => ex,
        Err(problem) if problem.message.contains("not known") => return raise("NameError", problem.message),
        Err(problem) => return raise(REFUSED, problem.message),
    };
    let (old, frame) = (vm.base, lowerer.scope().frame);
    vm.base = vm.state.stack.len();
    vm.reserve(frame);
    let result = vm.eval(&ex);
    vm.state.stack.truncate(vm.base);
    vm.base = old;
    result
}
