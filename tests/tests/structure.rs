//! Structure of inputs by a grammar: parsed, mutated, kept beside the queue, and rebuilt when it is not there.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::{fs, path::Path};

use waypoint_tests::{Scratch, repository};

/// Has something to reach for every depth of brackets that match; allocates by it; dies of "DIE".
const TARGET: &str = r#"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static volatile int sink;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int depth = 0, deepest = 0;
  for (size_t i = 0; i < size; i++) {
    switch (data[i]) {
      case '[': case '{': depth++; break;
      case ']': case '}': depth--; break;
      case ':': sink = 1; break;
      case '"': sink = 2; break;
    }
    if (depth > deepest) deepest = depth;
  }
  if (size > 2 && memcmp(data, "DIE", 3) == 0) abort();
  if (depth != 0) return 0;
  for (int i = 0; i < deepest; i++) sink = i;
  void *volatile block = malloc((size_t)deepest * 64);
  free(block);
  return 0;
}
"#;

#[test]
fn without_seeds_the_grammar_makes_them_and_names_say_the_operator() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(TARGET);
    let run = scratch
        .run(
            &fuzzer,
            ["-o", "out", "--grammar", "json", "--seed", "1", "--runs", "20000", "--domain", "cmp,mem"],
        )
        .expect(0);
    assert!(run.stderr.contains("no seeds: starting from"), "{}", run.stderr);
    assert!(run.stderr.contains("inputs of the grammar json"), "{}", run.stderr);
    assert!(run.stderr.contains("grammar json: "), "{}", run.stderr);
    let names: Vec<String> = scratch
        .files("out/default/queue")
        .iter()
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert!(names.iter().any(|name| name.contains("orig:json-")), "{names:?}");
    let by_trees = ["regrow", "splice", "cross", "nest", "resize", "duplicate", "insert", "switch"];
    let is_by_a_tree = |name: &String| by_trees.iter().any(|op| name.contains(&format!("op:{op}")));
    assert!(names.iter().any(is_by_a_tree), "{names:?}");
    assert!(names.iter().any(|name| name.contains("+mem")), "domains guide as ever: {names:?}");
    assert!(scratch.stat("structure_entries") > 0 && scratch.stat("structure_mutants") > 100);
    assert!(scratch.stats().keys().any(|key| key.starts_with("op_splice_")), "{:?}", scratch.stats());
}

#[test]
fn seeds_that_do_not_fit_are_fuzzed_as_bytes_and_counted() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(TARGET);
    scratch.write("seeds/fits", "[1, {\"a\": true}]");
    scratch.write("seeds/does-not", "[1, {\"a\": true}");
    let run = scratch
        .run(&fuzzer, ["-i", "seeds", "-o", "out", "--grammar", "json", "--seed", "1", "--runs", "20000"])
        .expect(0);
    assert!(
        run.stderr.contains("grammar json: 1 of 2 seeds fit it; the others are fuzzed as bytes"),
        "{}",
        run.stderr
    );
    let stats = scratch.stats();
    assert!(stats["structure_unparsed"] != "0" && stats["structure_entries"] != "0", "{stats:?}");
    // A grammar that has nothing to do with the target does no harm.
    scratch
        .run(&fuzzer, ["-i", "seeds", "-o", "misfit", "--grammar", "png", "--seed", "1", "--runs", "5000"])
        .expect(0);
    let stats = fs::read_to_string(scratch.path("misfit/default/fuzzer_stats")).unwrap();
    assert!(stats.contains("structure_entries : 0"), "{stats}");
    assert!(!stats.contains("structure_unparsed: 0\n"), "{stats}");
    assert!(stats.contains("execs_done        : 5000\n"), "{stats}");
}

#[test]
fn a_constraint_that_is_too_hard_to_repair_drops_mutants_and_the_campaign_goes_on() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(TARGET);
    // Hardly any word has this sum, and nothing tells how near one comes.
    let spec = "import zlib\n<start> ::= '[' <word> ']' <rest>*\n<word> ::= r'[a-z]{1,9}'\n<rest> ::= '{' <rest>* '}' | ':'\n\
                where zlib.crc32(bytes(<word>)) % 100003 == SUM\n";
    scratch.write("hard.fan", spec.replace("SUM", "71719"));
    scratch.write("seeds/one", "[waypoint]:");
    scratch
        .run(&fuzzer, ["-i", "seeds", "-o", "out", "--grammar", "hard.fan", "--seed", "1", "--runs", "10000"])
        .expect(0);
    assert_eq!(scratch.stat("execs_done"), 10000);
    let (made, dropped) = (scratch.stat("structure_mutants"), scratch.stat("structure_dropped"));
    assert!(dropped > 100 && dropped < made, "{dropped} of {made}");
    assert!(scratch.stat("op_nest_execs") > 0, "what the constraint does not see is mutated as ever");
}

#[test]
fn structure_lies_beside_the_queue_and_is_rebuilt_when_it_is_gone_or_wrong() {
    let scratch = Scratch::new();
    // There is nothing to reach, so the seed is the only entry and has its turn again and again.
    let fuzzer =
        scratch.fuzzer("int LLVMFuzzerTestOneInput(const char *data, unsigned long size) { return 0; }");
    scratch.write("seeds/one", "[1, {\"a\": true}]");
    let start = ["-i", "seeds", "-o", "out", "--grammar", "json", "--seed", "1", "--runs", "3000"];
    scratch.run(&fuzzer, start).expect(0);
    let path = scratch.path("out/default/structure/trees");
    let good = fs::read(&path).unwrap();
    assert!(good.len() > 32, "{good:?}");
    // The queue holds plain bytes and nothing else.
    assert_eq!(fs::read(&scratch.files("out/default/queue")[0]).unwrap(), b"[1, {\"a\": true}]");
    // Damaged, missing and foreign ones are rebuilt as they were.
    let resume = ["-i", "-", "-o", "out", "--grammar", "json", "--seed", "2", "--runs", "3000"];
    for damage in [Some(&b"rubbish"[..]), None, Some(&good[..good.len() - 1])] {
        match damage {
            Some(bytes) => fs::write(&path, bytes).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        scratch.run(&fuzzer, resume).expect(0);
        assert_eq!(fs::read(&path).unwrap(), good);
    }
    // Another grammar has another opinion, and takes the place.
    scratch
        .run(&fuzzer, ["-i", "-", "-o", "out", "--grammar", "csv", "--seed", "3", "--runs", "3000"])
        .expect(0);
    assert_ne!(fs::read(&path).unwrap()[..16], good[..16]);
}

#[test]
fn a_worker_that_dies_takes_no_structure_with_it() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(TARGET);
    let spec = scratch.write(
        "word.fan",
        "<start> ::= <word>+\n<word> ::= '[' <word>* ']' | 'DIE' | '\"' r'[a-z]{1,4}' '\"'\n",
    );
    scratch.write("seeds/one", "[[\"a\"]]");
    let spec = spec.to_str().unwrap();
    let run = scratch
        .run(&fuzzer, ["-i", "seeds", "-o", "out", "--grammar", spec, "--seed", "1", "--runs", "3000"])
        .expect(0);
    assert!(run.stderr.contains("found: crash (SIGABRT)"), "{}", run.stderr);
    assert!(scratch.stat("workers_died") > 5);
    assert!(scratch.stat("structure_entries") <= scratch.stat("corpus_count"), "each counts once");
    assert!(scratch.stat("op_regrow_execs") > 0);
}

#[test]
fn what_cannot_be_used_is_told_in_a_sentence() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(TARGET);
    let run = scratch.run(&fuzzer, ["-o", "out", "--grammar", "jsno"]).expect(1);
    assert!(run.stderr.contains("there is no grammar `jsno`; did you mean `json`?"), "{}", run.stderr);
    assert!(!scratch.path("out").exists(), "nothing is left behind");
    scratch.write("broken.fan", "<start> ::= <a\n");
    let run = scratch.run(&fuzzer, ["-o", "out", "--grammar", "broken.fan"]).expect(1);
    assert!(run.stderr.contains("broken.fan:1:"), "{}", run.stderr);
    let run = scratch.run(&fuzzer, ["-o", "out", "--grammar", "json", "--grammar-invalid", "5"]).expect(1);
    assert!(run.stderr.contains("is not a share; write one from 0% to 100%, e.g. 5%"), "{}", run.stderr);
    let run = scratch.run(&fuzzer, ["-o", "out", "--grammar-invalid", "5%"]).expect(1);
    assert!(run.stderr.contains("--grammar"), "{}", run.stderr);
    // Constraints that contradict each other: there is nothing to start from but bytes.
    scratch.write("never.fan", "<start> ::= r'[0-9]+'\nwhere int(<start>) > 5\nwhere int(<start>) < 3\n");
    let run = scratch
        .run(&fuzzer, ["-o", "out", "--grammar", "never.fan", "--seed", "1", "--runs", "2000"])
        .expect(0);
    assert!(run.stderr.contains("no input that satisfies its constraints and has at most"), "{}", run.stderr);
}

#[test]
fn constraints_are_kept_unless_they_are_to_be_broken() {
    let scratch = Scratch::new();
    // Aborts if the two halves are not of one length. Bytes are left as they are, so that it is a tree if it does.
    let fuzzer = scratch.fuzzer(
        r#"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) { return size; }
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const uint8_t *middle = memchr(data, '=', size);
  if (size < 3 || !middle || data[0] == '=') return 0;
  size_t left = (size_t)(middle - data), right = size - left - 1;
  for (size_t i = 0; i < size; i++) if (data[i] != '=' && (data[i] < 'a' || data[i] > 'z')) return 0;
  if (left != right) abort();
  return 0;
}
"#,
    );
    let spec = "<start> ::= <a> '=' <b>\n<a> ::= r'[a-z]{2,9}'\n<b> ::= r'[a-z]{2,9}'\nwhere len(str(<a>)) == len(str(<b>))\n";
    scratch.write("halves.fan", spec);
    scratch.write("seeds/one", "abc=def");
    let crashes = |out: &str, more: &[&str]| {
        let grammar = ["--grammar", "halves.fan", "--no-trace"];
        let start = ["-i", "seeds", "-o", out, "--seed", "1", "--runs", "3000"];
        scratch.run(&fuzzer, start.iter().chain(&grammar).chain(more)).expect(0);
        scratch.files(&format!("{out}/default/crashes")).len()
    };
    assert_eq!(crashes("kept", &[]), 0);
    assert_eq!(crashes("broken", &["--grammar-invalid", "5%"]), 1);
}

/// Records with their lengths; bytes are left as they are, and every input is written down.
const RECORDS: &str = r#"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) { return size; }
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  FILE *file = fopen("inputs", "ab");
  fwrite(data, 1, size, file);
  fputc('\n', file);
  fclose(file);
  return 0;
}
"#;

const RECORDS_SPEC: &str = "<start> ::= <rec>+\n<rec> ::= <len> ':' <body> ';'\n<len> ::= r'[0-9]+'\n\
    <body> ::= r'[a-z]{0,20}'\nwhere forall <r> in <rec>: int(<r>.<len>) == len(str(<r>.<body>))\n";

#[test]
fn as_many_mutants_break_a_constraint_as_are_asked_for() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(RECORDS);
    scratch.write("records.fan", RECORDS_SPEC);
    scratch.write("seeds/one", "3:abc;5:hello;0:;");
    let is_right = |record: &str| {
        let (len, body) = record.split_once(':').unwrap();
        len.parse() == Ok(body.len())
    };
    for share in [0, 20, 100] {
        let out = format!("out{share}");
        let inputs = scratch.path("inputs");
        fs::remove_file(&inputs).ok();
        let arguments = ["-i", "seeds", "-o", &out, "--seed", "1", "--runs", "4000", "--no-trace"];
        let grammar = ["--grammar", "records.fan", "--grammar-invalid", &format!("{share}%")];
        scratch.run(&fuzzer, arguments.iter().chain(&grammar)).expect(0);
        let stats = fs::read_to_string(scratch.path(format!("{out}/default/fuzzer_stats"))).unwrap();
        let stat = |key: &str| -> f64 {
            let line = stats.lines().find(|line| line.starts_with(key)).unwrap();
            line.split(": ").nth(1).unwrap().trim().parse().unwrap()
        };
        let (made, broken) = (stat("structure_mutants"), stat("structure_broken"));
        assert!(made > 500.0 && (broken / made * 100.0 - f64::from(share)).abs() < 5.0, "{broken} of {made}");
        // By our own count: what is not one of them is the entry as it was.
        let text = fs::read_to_string(&inputs).unwrap();
        let wrong = text.lines().filter(|line| !line.split_terminator(';').all(is_right)).count();
        assert!(wrong as f64 >= broken * 0.95, "{wrong} for {broken}");
    }
}

#[test]
fn repairs_in_vain_are_given_up() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(TARGET);
    // An odd number is an even one: searched for again and again, wherever there is a record.
    let never = "where forall <r> in <rec>: len(str(<r>.<body>)) * 2 + 1 == 2 * len(str(<r>.<len>))\n";
    scratch.write("never.fan", format!("{RECORDS_SPEC}{never}"));
    scratch.write("seeds/one", "3:abc;5:hello;");
    let run = ["-i", "seeds", "-o", "out", "--grammar", "never.fan", "--seed", "1", "--runs", "50000"];
    scratch.run(&fuzzer, run).expect(0);
    let (made, dropped) = (scratch.stat("structure_mutants"), scratch.stat("structure_dropped"));
    assert_eq!(made, dropped);
    // There were as many as runs.
    assert!(dropped > 0 && dropped < 2000, "{dropped} in 50000 runs");
}

#[test]
fn libfuzzers_command_line_knows_grammars_too() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(TARGET);
    fs::create_dir(scratch.path("corpus")).unwrap();
    let run = scratch
        .run(
            &fuzzer,
            ["corpus", "-grammar=json", "-grammar_invalid=5%", "-runs=3000", "-seed=1", "-ignore_crashes=1"],
        )
        .expect(0);
    assert!(run.stderr.contains("inputs of the grammar json"), "{}", run.stderr);
    let plain = |path: &Path| path.file_name().unwrap().len() == 40;
    assert!(scratch.files("corpus").iter().all(|path| plain(path)), "nothing but inputs lies there");
}

#[test]
fn puzzles_of_structure_need_it() {
    for name in ["structured_names", "structured_twins", "structured_chunks"] {
        let puzzles = repository().join("targets/puzzles");
        let file = |ending: &str| puzzles.join(format!("{name}.{ending}")).display().to_string();
        let scratch = Scratch::new();
        let fuzzer = scratch.build("puzzle", Path::new(&file("c")), ["-g", "-O2", "-fsanitize=fuzzer"]);
        let seeds = file("seeds");
        for seed in ["11", "12"] {
            let start = ["-i", &seeds, "--seed", seed, "--stop-on-finding", "--quiet"];
            let with = ["-o", &format!("with-{seed}"), "--runs", "20000", "--grammar", &file("fan")];
            scratch.run(&fuzzer, start.iter().chain(&with)).expect(77);
            let without = ["-o", &format!("without-{seed}"), "--runs", "200000"];
            scratch.run(&fuzzer, start.iter().chain(&without)).expect(0);
        }
    }
}

#[test]
fn minimising_leaves_out_parts_first() {
    let scratch = Scratch::new();
    // Brackets must match, so no block of bytes that holds one of a pair alone can go.
    let fuzzer = scratch.fuzzer(
        r#"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int depth = 0;
  for (size_t i = 0; i < size; i++) {
    depth += data[i] == '[';
    depth -= data[i] == ']';
    if (depth == 0 && i + 1 < size) return 0;
  }
  if (size > 0 && data[0] == '[' && depth == 0 && memmem(data, size, "true", 4)) abort();
  return 0;
}
"#
        .replacen('\n', "\n#define _GNU_SOURCE\n", 1)
        .as_str(),
    );
    let input = format!("[[1,[2,[3]]],{}[\"a\",[[true]]],[4,[5]]]", "[[6],[7]],".repeat(20));
    scratch.write("crash", &input);
    let run = scratch.run(&fuzzer, ["minimize", "crash", "--grammar", "json", "-o", "small"]).expect(0);
    assert_eq!(fs::read_to_string(scratch.path("small")).unwrap(), "[true]", "{}", run.stderr);
    scratch.write("misfit", "[true ,]");
    let run = scratch.run(&fuzzer, ["minimize", "misfit", "--grammar", "json", "-o", "smaller"]).expect(0);
    assert!(
        run.stderr.contains("misfit does not fit the grammar, so only bytes are left out"),
        "{}",
        run.stderr
    );
}
