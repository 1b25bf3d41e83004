//! Whose turn it is: the domain that has had the least effort is next, so that none starves another, however many keys
//! it has.
use crate::{guidance::Choice, shared::Control};

/// A domain for which nothing was kept in so many turns is dry for the time being.
const TURNS_IN_VAIN: u32 = 256;

/// How many times as much a run costs a domain that is dry while another one is not.
const DRY_COST: u64 = 4;

/// How many times as much a run costs a domain about changes at most: if every entry reaches one, coverage serves it.
const SERVED_COST: f64 = 64.0;

/// What one domain has had.
#[derive(Debug, Clone, Copy)]
struct Account {
    /// How many domains share what one alone would get: those that one of them brought, and itself.
    sharers: u64,
    /// What its turns have cost.
    spent: u64,
    /// Its turns since an input was kept for it.
    in_vain: u32,
}

/// Shares effort between the domains.
#[derive(Debug)]
pub struct Turns {
    accounts: Vec<Account>,
    /// The domains that guide.
    guiding: Vec<usize>,
    /// The one whose turn it is.
    current: usize,
    /// What the campaign had cost when the current turn began.
    began: u64,
    /// How many entries there are, and how many of them reach a change.
    entries: u64,
    reaching: u64,
    /// The domain about changes.
    of_changes: Option<usize>,
}

impl Turns {
    /// For these domains, of which some guide; the first one has its turn.
    pub fn new(control: &Control, chosen: &[Choice]) -> Self {
        let account = |choice: &Choice| {
            let others = chosen.iter().filter(|other| other.guides && other.belongs_to(choice));
            Account { sharers: 1 + others.count() as u64, spent: 0, in_vain: 0 }
        };
        Self {
            accounts: chosen.iter().map(account).collect(),
            guiding: (0..chosen.len()).filter(|n| chosen[*n].guides).collect(),
            current: 0,
            began: control.effort(),
            entries: 0,
            reaching: 0,
            of_changes: None,
        }
    }

    /// The domains that guide.
    pub fn guiding(&self) -> &[usize] {
        &self.guiding
    }

    /// The domain whose turn it is.
    pub fn current(&self) -> usize {
        self.current
    }

    /// An input was kept for these domains, one bit each.
    pub fn found(&mut self, domains: u32) {
        for (n, account) in self.accounts.iter_mut().enumerate() {
            if domains >> n & 1 != 0 {
                account.in_vain = 0;
            }
        }
    }

    /// An entry came that reaches a change or not, which this domain is about.
    pub fn count_reaching(&mut self, of_changes: usize, reaches: bool) {
        self.of_changes = Some(of_changes);
        self.entries += 1;
        self.reaching += u64::from(reaches);
    }

    /// Whether nothing comes of a domain's turns, while something comes of another's.
    fn is_dry(&self, domain: usize) -> bool {
        let is_dry = |domain: usize| self.accounts[domain].in_vain > TURNS_IN_VAIN;
        is_dry(domain) && !self.guiding.iter().all(|other| is_dry(*other))
    }

    /// What so much effort is charged to a domain as.
    fn charged(&self, domain: usize, effort: u64) -> u64 {
        let dry = if self.is_dry(domain) { DRY_COST } else { 1 };
        let served = if self.of_changes == Some(domain) { self.served_cost() } else { 1.0 };
        dry * self.accounts[domain].sharers * (effort as f64 * served) as u64
    }

    /// How many times as much a run costs the domain about changes: what is left of the entries that do not reach one
    /// counts twice, once as what coverage spends elsewhere and once as how much remains to be led to a change.
    fn served_cost(&self) -> f64 {
        let elsewhere = (self.entries - self.reaching) as f64 / self.entries as f64;
        (1.0 / (elsewhere * elsewhere)).min(SERVED_COST)
    }

    /// Charges what was spent since the last turn began, when the campaign has cost so much, to the domain whose turn it
    /// was.
    pub fn end(&mut self, effort: u64) {
        // A turn without a run counts too, lest it be repeated for ever.
        let charged = self.charged(self.current, (effort - self.began).max(1));
        let account = &mut self.accounts[self.current];
        account.spent += charged;
        account.in_vain = account.in_vain.saturating_add(1);
        self.began = effort;
    }

    /// The guiding domains, the one that has spent the least first; among equals the turn goes round.
    pub fn order(&self, turn: usize) -> Vec<usize> {
        let count = self.guiding.len();
        let mut order: Vec<usize> = (0..count).map(|n| self.guiding[(turn + n) % count]).collect();
        order.sort_by_key(|domain| self.accounts[*domain].spent);
        order
    }

    /// Begins the turn of the domain at this place of an order. What those before it could not spend does not wait for
    /// them.
    pub fn begin(&mut self, order: &[usize], place: usize) {
        self.current = order[place];
        let spent = self.accounts[self.current].spent;
        order[..place].iter().for_each(|other| self.accounts[*other].spent = spent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guidance::choose;

    fn turns(control: &Control, domain: &str) -> Turns {
        Turns::new(control, &choose(&[domain.to_owned()], &[], true).unwrap())
    }

    /// What each of two domains gets, if a turn costs `costs[domain]`.
    fn shares(costs: [u64; 2], rounds: usize, each: impl FnMut(&mut Turns)) -> [u64; 2] {
        shares_with("perf", costs, rounds, each)
    }

    /// What coverage, this domain and those that it brings get.
    fn shares_with<const N: usize>(
        domain: &str,
        costs: [u64; N],
        rounds: usize,
        mut each: impl FnMut(&mut Turns),
    ) -> [u64; N] {
        let control = Control::new(16).unwrap();
        let mut turns = turns(control, domain);
        assert_eq!(turns.guiding().len(), N);
        let (mut effort, mut spent) = (control.effort(), [0; N]);
        for round in 0..rounds {
            each(&mut turns);
            let order = turns.order(round);
            turns.begin(&order, 0);
            effort += costs[turns.current()];
            spent[turns.current()] += costs[turns.current()];
            turns.end(effort);
        }
        spent
    }

    #[test]
    fn effort_is_shared_not_turns() {
        let [one, other] = shares([1000, 10], 10_000, |turns| turns.found(0b11));
        assert!(one.abs_diff(other) <= 1000, "{one} {other}");
    }

    #[test]
    fn a_domain_shares_with_those_it_brings() {
        let [coverage, mem, spread] = shares_with("mem", [10; 3], 10_000, |turns| turns.found(0b111));
        assert!(
            mem.abs_diff(spread) <= 20 && coverage.abs_diff(mem + spread) <= 40,
            "{coverage} {mem} {spread}"
        );
    }

    #[test]
    fn a_dry_domain_gets_less() {
        let [dry, lucky] = shares([10, 10], 10_000, |turns| turns.found(0b10));
        assert!(lucky > 2 * dry && dry > lucky / 5, "{dry} {lucky}");
    }

    #[test]
    fn a_domain_about_changes_gets_less_where_all_entries_reach_one() {
        let share = |of_ten: u64| {
            let mut round = 0;
            let [coverage, diff] = shares([10, 10], 1000, |turns| {
                turns.found(0b11);
                turns.count_reaching(1, round % 10 < of_ten);
                round += 1;
            });
            diff as f64 / (coverage + diff) as f64
        };
        assert!((share(0) - 0.5).abs() < 0.02 && (share(10) - 1.0 / 65.0).abs() < 0.02);
        assert!(share(5) < share(1) && share(10) < share(5));
    }

    #[test]
    fn who_cannot_spend_does_not_save_up() {
        let control = Control::new(16).unwrap();
        let mut turns = turns(control, "perf");
        for effort in 1..100 {
            let order = turns.order(0);
            let place = order.iter().position(|domain| *domain == 1).unwrap();
            turns.begin(&order, place);
            turns.end(effort);
        }
        // From now on the first one can spend as well: the two take turns.
        let mut had = [0; 2];
        for effort in 100..120 {
            let order = turns.order(0);
            turns.begin(&order, 0);
            had[turns.current()] += 1;
            turns.end(effort);
        }
        assert!(had[0] <= 11, "{had:?}");
    }
}
