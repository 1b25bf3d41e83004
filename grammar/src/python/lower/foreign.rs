//! Hands an expression that the engine's own Python lacks to CPython.
use super::*;
use crate::python::foreign::Foreign;

impl Lowerer {
    /// The code that evaluates `expr` in CPython, which `problem` keeps from being lowered.
    pub(super) fn foreign(&mut self, expr: &Expr, problem: &Problem) -> Lowered {
        let (start, end) = (u32::from(expr.range().start()), u32::from(expr.range().end()));
        let mut text = self.text[start as usize..end as usize].to_owned();
        let mut written: Vec<(u32, selector::Selector)> =
            self.selectors.iter().map(|(at, found)| (*at, found.clone())).collect();
        written.retain(|(at, _)| (start..end).contains(at));
        written.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        let (mut names, mut args) = (Vec::new(), Vec::new());
        // From the back, so that places before stay what they are.
        for (at, selector) in written {
            let name = format!("_selected_{at}");
            let from = (at - start) as usize;
            let len = (selector.span.end - selector.span.start) as usize;
            text.replace_range(from..from + len, &name);
            args.push(self.select(&selector)?);
            names.push(name);
        }
        let used = crate::python::names::used_expr(expr);
        for (name, found) in self.scope().inner.clone() {
            if let (Name::Local(slot), true) = (found, used.all.contains(&name)) {
                args.push(Ex::Local(slot));
                names.push(name);
            }
        }
        let steady = self.meaning == Some(Meaning::Each);
        let (span, reason) = (self.span(expr.range()), problem.message.clone());
        self.program.foreign.exprs.push(Foreign { text, names, steady, span, reason });
        Ok(Ex::Foreign(self.program.foreign.exprs.len() as u32 - 1, args))
    }
}
