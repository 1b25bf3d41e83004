//! `waypoint check`: what a spec is, and what is wrong with it.
use anyhow::{Result, bail};

use super::common::SpecArgs;
use crate::coverage::KPaths;
use crate::ir::{Bound, Node, UNPRODUCTIVE};
use crate::solve::lint::lint;
use crate::solve::plan::{Class, Plan};

/// Check a `.fan` spec: errors, lint, sizes, and how each constraint is met
#[derive(Debug, clap::Args)]
pub struct Check {
    #[command(flatten)]
    spec: SpecArgs,
    /// Count chains of so many symbols
    #[arg(long, default_value_t = 4, value_name = "K")]
    coverage: u8,
    /// Trees that the lint looks at
    #[arg(long, default_value_t = 2000, value_name = "N")]
    samples: u32,
}

impl Check {
    /// Runs it.
    pub fn run(&self) -> Result<()> {
        if self.coverage == 0 {
            bail!("`--coverage 0` asks for chains of no symbols; give a length of at least 1, as 4");
        }
        let spec = self.spec.load()?;
        let grammar = &spec.grammar;
        let start = grammar.symbol(grammar.start);
        let least = grammar.least(start.rule);
        println!("{}", self.spec.spec.display());
        println!("  symbols     {}", grammar.symbols.len());
        println!("  rule nodes  {}", grammar.nodes.len());
        if least != UNPRODUCTIVE {
            println!(
                "  least input {} bytes, {} tree nodes, {} symbols deep",
                least.bits / 8,
                least.nodes,
                least.depth + 1
            );
        }
        let paths = KPaths::new(grammar, self.coverage);
        println!("  {}-paths     {}", self.coverage, paths.total());
        let generators = grammar.symbols.iter().filter(|symbol| symbol.generator.is_some()).count();
        let computed = grammar.nodes.iter().filter(|node| {
            matches!(
                node,
                Node::Repeat { min: Bound::Expr(_), .. } | Node::Repeat { max: Bound::Expr(_), .. }
            )
        });
        println!("  generators  {generators}");
        println!("  computed repetitions {}", computed.count());
        let plan = Plan::new(&spec);
        for (index, constraint) in spec.constraints.iter().enumerate() {
            let how = match plan.known[index].class {
                Class::Computed => "computed",
                Class::Copied => "copied",
                Class::Searched => "searched",
            };
            let text: Vec<&str> = spec.sources.slice(constraint.span).split_whitespace().collect();
            println!("  {how:9} {}: {}", spec.sources.place(constraint.span), text.join(" "));
        }
        for goal in &spec.goals {
            let how = if goal.maximize { "maximised" } else { "minimised" };
            println!(
                "  {how} {}: {}",
                spec.sources.place(goal.value.span),
                spec.sources.slice(goal.value.span)
            );
        }
        #[cfg(feature = "python")]
        for expr in &spec.program.foreign.exprs {
            println!("  CPython   {}: {}", spec.sources.place(expr.span), expr.reason);
        }
        #[cfg(not(feature = "python"))]
        println!("  nothing needs CPython");
        let warnings = lint(&spec, &plan, self.samples, self.spec.seed);
        for warning in &warnings {
            println!("warning: {warning}");
        }
        if warnings.is_empty() {
            println!("  no warnings");
        }
        Ok(())
    }
}
