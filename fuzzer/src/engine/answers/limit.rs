//! What answering one entry may cost, half of it for finding out about the entry: what is compared in long runs takes many
//! times what was expected.
use crate::shared::Control;

/// How much effort the campaign will have cost when it is time to stop.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limit {
    asking: u64,
    all: u64,
}

impl Limit {
    /// So many usual runs from now on.
    pub fn new(control: &Control, runs: f64) -> Self {
        let (now, granted) = (control.effort(), (runs * control.usual_effort() as f64) as u64);
        Self { asking: now + granted / 2, all: now + granted }
    }

    /// Whether no more may be found out about the entry.
    pub fn ends_asking(self, control: &Control) -> bool {
        control.effort() >= self.asking
    }

    /// Whether nothing more may be done with the entry.
    pub fn ends(self, control: &Control) -> bool {
        control.effort() >= self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_is_for_asking() {
        let control = Control::new(16).unwrap();
        let limit = Limit::new(control, 100.0);
        assert!(!limit.ends_asking(control) && !limit.ends(control));
        control.add_effort(50 * control.usual_effort());
        assert!(limit.ends_asking(control) && !limit.ends(control));
        control.add_effort(50 * control.usual_effort());
        assert!(limit.ends(control));
    }
}
