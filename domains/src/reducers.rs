//! The standard reducers: idempotent and order-insensitive, as the conformance tests demand.

/// Union of AFL's hit-count buckets: 1, 2, 3, 4-7, 8-15, 16-31, 32-127 and 128 or more, a bit each.
#[must_use]
pub const fn bucket_union(aggregate: u64, value: u64) -> u64 {
    aggregate | bucket(value)
}

/// The bucket of a count, as the one bit that stands for it; no bit for 0.
#[must_use]
const fn bucket(count: u64) -> u64 {
    match count {
        0 => 0,
        1 => 1,
        2 => 2,
        3 => 4,
        4..=7 => 8,
        8..=15 => 16,
        16..=31 => 32,
        32..=127 => 64,
        _ => 128,
    }
}
