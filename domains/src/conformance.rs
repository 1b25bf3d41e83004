//! What every domain of the list must satisfy (equations 4.1 and 4.2 of the FuzzFactory paper, and more).
use proptest::prelude::*;

use crate::{ALL_DOMAINS, find};

/// Values as they occur: mostly small, sometimes anything.
fn value() -> impl Strategy<Value = u64> {
    prop_oneof![0..300u64, any::<u64>()]
}

proptest! {
    #[test]
    fn idempotent_and_order_insensitive(seen in prop::collection::vec(value(), 0..6), x in value(), y in value()) {
        for domain in ALL_DOMAINS {
            let reduce = |a, v| domain.reducer.apply(a, v);
            let aggregate = seen.iter().fold(domain.a0, |a, v| reduce(a, *v));
            prop_assert_eq!(reduce(reduce(aggregate, x), x), reduce(aggregate, x), "{} (4.1)", domain.name);
            prop_assert_eq!(
                reduce(reduce(aggregate, x), y),
                reduce(reduce(aggregate, y), x),
                "{} (4.2)", domain.name
            );
        }
    }

    /// A key that a run did not touch holds a0 in its run map and must not make a waypoint.
    #[test]
    fn an_untouched_key_changes_nothing(seen in prop::collection::vec(value(), 0..6)) {
        for domain in ALL_DOMAINS {
            let aggregate = seen.iter().fold(domain.a0, |a, v| domain.reducer.apply(a, *v));
            prop_assert_eq!(domain.reducer.apply(aggregate, domain.a0), aggregate, "{}", domain.name);
        }
    }
}

proptest! {
    /// Progress is never undone: once an aggregate has moved on, no value brings an earlier one back.
    #[test]
    fn monotone(seen in prop::collection::vec(value(), 1..12)) {
        for domain in ALL_DOMAINS {
            let mut aggregate = domain.a0;
            let mut past = vec![aggregate];
            for v in &seen {
                let next = domain.reducer.apply(aggregate, *v);
                if next != aggregate {
                    prop_assert!(!past.contains(&next), "{}", domain.name);
                    past.push(next);
                }
                aggregate = next;
            }
        }
    }

    /// A key whose goal is met stays as it is.
    #[test]
    fn nothing_lies_beyond_a_goal(v in value()) {
        for domain in ALL_DOMAINS {
            if let Some(goal) = domain.goal {
                prop_assert_eq!(domain.reducer.apply(goal, v.min(goal)), goal, "{}", domain.name);
            }
        }
    }
}

#[test]
fn names_are_unique_and_every_domain_explains_itself() {
    for domain in ALL_DOMAINS {
        assert!(std::ptr::eq(find(domain.name).unwrap(), *domain), "{} is listed twice", domain.name);
        assert!(!domain.help.is_empty() && domain.events.bits() != 0, "{}", domain.name);
        assert!(!domain.maps.is_empty(), "{}", domain.name);
    }
}
