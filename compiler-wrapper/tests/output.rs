//! Event `out`: how many bytes are written to each descriptor.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod kit;

use kit::recorded::{OFF, OUT};
use kit::with_each_clang;

#[test]
fn every_way_of_c_counts_its_bytes() {
    with_each_clang(|kit| {
        kit.write("output.c", include_str!("data/output.c"));
        kit.stand_in();
        for flags in ["-O0", "-O2", "-Os", "-O0 -fsanitize=address,undefined", "-O2 -fsanitize=address"] {
            kit.cc(&format!("-w {flags} output.c on.o -o c"));
            let seen = kit.record("c", &["100"], OUT);
            assert_eq!(seen.said, ["hello", "number 0", "!"], "{flags}");
            let to_file = 100 * (1 + 1 + 2 + 1 + 1 + 1 + 1 + 2) + 32 + 2 + 1 + 2;
            let outs = [(1, 17), (2, 3), (7, to_file), (9, 400), (255, 100)];
            assert_eq!(seen.outs, outs, "{flags}");
            let off = kit.record("c", &["100"], OFF);
            assert_eq!((off.outs.len(), off.counters), (0, seen.counters), "{flags}");
        }
    });
}

#[test]
fn the_streams_of_cxx_count_texts() {
    with_each_clang(|kit| {
        kit.write("output.cc", include_str!("data/output.cc"));
        kit.stand_in();
        for flags in ["-O0", "-O2 -fsanitize=address"] {
            kit.cxx(&format!("-w {flags} output.cc on.o -o cxx"));
            let seen = kit.record("cxx", &[], OUT);
            assert_eq!(seen.said, ["xxxxxxxxxx", "four", "printed"], "{flags}");
            // A line feed by std::endl is seen only where the call is direct.
            let endl = seen.out(1) - (10 + 1 + 4 + 8);
            assert!(endl <= 1, "{flags}: {:?}", seen.outs);
            assert_eq!(seen.out(2), 4, "{flags}");
        }
    });
}
