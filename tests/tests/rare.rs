//! Rare branches (`--rare`): masked mutations get behind them, and say what they did.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use waypoint_tests::Scratch;

/// Behind a word of eight letters, each a branch, four numbers; then a value that is to grow without losing the word.
const TARGET: &str = r#"
#include <stdint.h>
#include <stdlib.h>
#include <waypoint.h>
static volatile int reached;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static dsf_t sum;
  if (!sum) sum = dsf_new_domain("sum", 2, dsf_max, 0);
  static const char word[] = "RARE-WAY";
  if (size < 16) return 0;
  for (int i = 0; i < 8; i++) if (data[i] != word[i]) return 0;
  reached = 1;
  dsf_maximize(sum, 0, data[8] + data[9] + data[10] + data[11]);
  if (size > 20) reached = 2;
  if (data[12] == 'a') reached = 3;
  if (data[13] == 'b') reached = 4;
  if (size > 40 && data[14] > 200) reached = 5;
  return 0;
}
"#;

const SEED: &str = "RARE-WAY and some more";

fn row(scratch: &Scratch, key: &str) -> u64 {
    scratch.stat(key)
}

#[test]
fn the_mask_keeps_the_branch_and_the_shadow_tells() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(TARGET);
    scratch.write("seed", SEED);
    let options =
        ["-i", "seed", "-o", "out", "--seed", "1", "--runs", "60000", "--no-trace", "--rare-shadow"];
    let run = scratch.run(&fuzzer, options).expect(0);
    assert!(run.stderr.contains("of mutants hit it with the mask, "), "{}", run.stderr);
    assert!(row(&scratch, "rare_masks") > 0);
    for stack in ["", "_afl"] {
        let share = |way: &str| {
            let hits = row(&scratch, &format!("rare_{way}{stack}_hits")) as f64;
            let tried = row(&scratch, &format!("rare_{way}{stack}_execs"));
            assert!(tried > 200, "{way}{stack}: {tried}");
            hits / tried as f64
        };
        let (masked, plain) = (share("masked"), share("plain"));
        assert!(masked > 0.5 && masked > 1.5 * plain, "{stack}: {masked} with the mask, {plain} without");
    }
}

#[test]
fn masked_inputs_are_named_and_a_campaign_can_be_repeated() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(TARGET);
    scratch.write("seed", SEED);
    let names = |out: &str, more: &[&str]| {
        let options = ["-i", "seed", "-o", out, "--seed", "1", "--runs", "40000", "--no-trace"];
        scratch.run(&fuzzer, options.iter().chain(more)).expect(0);
        let files = scratch.files(&format!("{out}/default/queue"));
        // All but the time, which is never the same.
        let clean = |name: &str| {
            let parts = name.split(',').filter(|part| !part.starts_with("time:"));
            parts.collect::<Vec<_>>().join(",")
        };
        files.iter().map(|file| clean(&file.file_name().unwrap().to_string_lossy())).collect::<Vec<_>>()
    };
    let with = names("with", &["--rare", "--domain", "sum"]);
    assert_eq!(with, names("again", &["--rare", "--domain", "sum"]));
    assert!(with.iter().any(|name| name.contains("op:masked") || name.contains("op:mask,")), "{with:?}");
    let seeds = names("seeds", &[]);
    assert!(seeds.iter().any(|name| name.contains("op:mask")), "each seed once: {seeds:?}");
    let without = names("without", &["--no-rare"]);
    assert!(!without.iter().any(|name| name.contains("op:mask")), "{without:?}");
    let stats = std::fs::read_to_string(scratch.path("without/default/fuzzer_stats")).unwrap();
    assert!(!stats.contains("rare_"), "what is off is not told");
}

/// In the turn of a domain the value that an entry holds is what is kept.
#[test]
fn a_held_key_is_held_on_to() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(TARGET);
    scratch.write("seed", SEED);
    let options =
        ["-i", "seed", "-o", "out", "--seed", "1", "--runs", "60000", "--no-trace", "--no-coverage"];
    let more = ["--domain", "sum", "--rare-shadow"];
    scratch.run(&fuzzer, options.iter().chain(&more)).expect(0);
    let share = |way: &str| {
        let hits = row(&scratch, &format!("rare_{way}_hits")) as f64;
        hits / row(&scratch, &format!("rare_{way}_execs")).max(1) as f64
    };
    assert!(row(&scratch, "rare_masked_execs") > 200);
    assert!(share("masked") > 1.5 * share("plain"), "{} and {}", share("masked"), share("plain"));
}

#[test]
fn a_harness_with_its_own_mutator_is_left_alone() {
    let scratch = Scratch::new();
    let own = "size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {\n\
               if (size < most) data[size++] = (uint8_t)seed; return size; }\n";
    let fuzzer = scratch.fuzzer(&format!("{TARGET}{own}"));
    scratch.write("seed", SEED);
    let options = ["-i", "seed", "-o", "out", "--seed", "1", "--runs", "5000", "--no-trace", "--rare"];
    scratch.run(&fuzzer, options).expect(0);
    assert_eq!(row(&scratch, "rare_masks"), 0);
}
