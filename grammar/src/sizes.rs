//! The least that any word of a rule node costs, as a fixed point over the grammar.
use std::rc::Rc;

use crate::ir::{Bound, Grammar, Least, Node, NodeId, UNPRODUCTIVE};

/// Fills [`Grammar::least`]; a node without a finite word keeps [`UNPRODUCTIVE`].
pub fn compute(grammar: &mut Grammar) {
    let mut least = vec![UNPRODUCTIVE; grammar.nodes.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for index in (0..grammar.nodes.len()).rev() {
            let now = of_node(grammar, &least, NodeId(index as u32));
            if now.nodes < least[index].nodes
                || now.depth < least[index].depth
                || now.bits < least[index].bits
            {
                let old = least[index];
                least[index] = Least {
                    nodes: now.nodes.min(old.nodes),
                    depth: now.depth.min(old.depth),
                    bits: now.bits.min(old.bits),
                };
                changed = true;
            }
        }
    }
    grammar.least = least;
}

/// Per rule node, what its cheapest word costs if some nodes cost what `own` says and every tree node above them 1;
/// `u32::MAX` if there is none. Texts without a cost of their own cost 1.
pub fn cheapest(grammar: &Grammar, own: impl Fn(NodeId, &Node) -> Option<u32>) -> Rc<[u32]> {
    let mut costs = vec![u32::MAX; grammar.nodes.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for index in (0..costs.len()).rev() {
            let (id, node) = (NodeId(index as u32), &grammar.nodes[index]);
            let now = own(id, node).unwrap_or_else(|| {
                let cost = |id: &NodeId| costs[id.0 as usize];
                match node {
                    Node::Alternative(range) => {
                        grammar.list(range).iter().map(cost).min().unwrap_or(u32::MAX)
                    }
                    Node::Sequence(range) | Node::Permutation(range) => {
                        grammar.list(range).iter().map(cost).fold(0, u32::saturating_add)
                    }
                    Node::Repeat { min: Bound::Const(0), .. } => 1,
                    Node::Repeat { body, min, .. } => match (cost(body), min) {
                        (u32::MAX, _) => u32::MAX,
                        (body, Bound::Const(count)) => body.saturating_mul(*count).saturating_add(1),
                        (_, _) => 1,
                    },
                    Node::NonTerminal(symbol) => cost(&grammar.symbol(*symbol).rule).saturating_add(1),
                    Node::Literal(_) | Node::Regex(_) | Node::Bit(_) => 1,
                }
            });
            if now < costs[index] {
                costs[index] = now;
                changed = true;
            }
        }
    }
    costs.into()
}

fn of_node(grammar: &Grammar, least: &[Least], id: NodeId) -> Least {
    let get = |id: NodeId| least[id.0 as usize];
    let sum = |items: &[NodeId]| {
        items.iter().map(|item| get(*item)).fold(Least { nodes: 0, depth: 0, bits: 0 }, |a, b| Least {
            nodes: a.nodes.saturating_add(b.nodes),
            depth: a.depth.max(b.depth),
            bits: a.bits.saturating_add(b.bits),
        })
    };
    // A control node above costs one more tree node.
    let wrap = |cost: Least| Least { nodes: cost.nodes.saturating_add(1), ..cost };
    match grammar.node(id) {
        Node::Alternative(range) => {
            let branches = grammar.list(range).iter().map(|branch| get(*branch));
            wrap(branches.fold(UNPRODUCTIVE, |a, b| Least {
                nodes: a.nodes.min(b.nodes),
                depth: a.depth.min(b.depth),
                bits: a.bits.min(b.bits),
            }))
        }
        Node::Sequence(range) => sum(grammar.list(range)),
        Node::Permutation(range) => wrap(sum(grammar.list(range))),
        Node::Repeat { body, min, .. } => match min {
            Bound::Const(0) | Bound::Expr(_) | Bound::Open => Least { nodes: 1, depth: 0, bits: 0 },
            Bound::Const(count) => {
                let body = get(*body);
                let times = |cost: u32| if cost == u32::MAX { cost } else { cost.saturating_mul(*count) };
                wrap(Least { nodes: times(body.nodes), depth: body.depth, bits: times(body.bits) })
            }
        },
        Node::NonTerminal(symbol) => {
            let rule = get(grammar.symbol(*symbol).rule);
            Least {
                nodes: rule.nodes.saturating_add(1),
                depth: rule.depth.saturating_add(1),
                bits: rule.bits,
            }
        }
        Node::Literal(literal) => {
            Least { nodes: 1, depth: 0, bits: 8 * (literal.range.end - literal.range.start) }
        }
        Node::Regex(index) => match grammar.regexes[*index as usize].least_len() {
            Some(len) => Least { nodes: 1, depth: 0, bits: len.saturating_mul(8) },
            None => UNPRODUCTIVE,
        },
        Node::Bit(_) => Least { nodes: 1, depth: 0, bits: 1 },
    }
}
