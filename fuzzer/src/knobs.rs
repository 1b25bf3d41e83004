//! TEMPORARY knobs for experiments.
use std::sync::OnceLock;
macro_rules! knob {
    ($name:ident, $env:literal, $default:literal) => {
        pub fn $name() -> f64 {
            static K: OnceLock<f64> = OnceLock::new();
            *K.get_or_init(|| std::env::var($env).ok().and_then(|v| v.parse().ok()).unwrap_or($default))
        }
    };
}
knob!(cost_power, "WP_COST", 0.0);
knob!(extend, "WP_EXTEND", 0.0);
knob!(bandit_cost, "WP_BANDIT", 0.0);
