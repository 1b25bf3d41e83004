//! Losing nothing: resuming, a second instance, kills at any moment, a full disk, a target that always crashes.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::PathBuf,
    process::{Command, Stdio},
    time::Duration,
};

use waypoint_tests::{Run, Scratch};

/// Climbs byte by byte; reaching the end takes longer than one short campaign.
const CLIMB: &str = r#"
#include <stddef.h>
#include <stdint.h>
static volatile int sink;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char goal[] = "waypoint-resume!";
  for (size_t i = 0; i < size && i < sizeof goal - 1; i++) {
    if (data[i] != (uint8_t)goal[i]) return 0;
    switch (i) { case 0: sink = 1; break; case 1: sink = 2; break; case 2: sink = 3; break; case 3: sink = 4; break;
                 case 4: sink = 5; break; case 5: sink = 6; break; case 6: sink = 7; break; default: sink = 9; }
  }
  return 0;
}
"#;

fn queue(scratch: &Scratch) -> BTreeMap<PathBuf, Vec<u8>> {
    scratch
        .files("out/default/queue")
        .into_iter()
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect()
}

#[test]
fn the_same_output_goes_on_where_it_ended() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(CLIMB);
    scratch.run(&fuzzer, ["-o", "out", "--no-trace", "--seed", "1", "--runs", "30000"]).expect(0);
    let first = queue(&scratch);
    let edges = scratch.stat("edges_found");

    let again = scratch
        .run(&fuzzer, ["-i", "-", "-o", "out", "--no-trace", "--seed", "2", "--runs", "300000"])
        .expect(0);
    assert!(
        again.stderr.contains(&format!("resuming the campaign in {}", scratch.path("out/default").display()))
    );
    let second = queue(&scratch);
    assert!(first.iter().all(|(path, bytes)| second.get(path) == Some(bytes)), "every input is still there");
    assert!(second.len() > first.len() && scratch.stat("edges_found") > edges, "and it went on");
    let number = |path: &PathBuf| path.file_name().unwrap().to_string_lossy()[3..9].parse::<usize>().unwrap();
    let numbers: Vec<usize> = second.keys().map(number).collect();
    assert_eq!(numbers, (0..second.len()).collect::<Vec<_>>(), "numbers go on too");

    // After a rebuild the counters are others; the inputs are replayed.
    let rebuilt = scratch.fuzzer(&CLIMB.replace("sink = 9", "sink = 10"));
    scratch.write("more/seed", "zzz");
    scratch.run(&rebuilt, ["-i", "more", "-o", "out", "--seed", "3", "--runs", "2000"]).expect(0);
    assert!(scratch.stat("edges_found") > edges, "what was reached before is known again");
}

#[test]
fn what_another_target_made_is_not_gone_on_with() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(CLIMB);
    scratch.run(&fuzzer, ["-o", "out", "--runs", "1000"]).expect(0);
    let (before, runs) = (queue(&scratch), scratch.stat("execs_done"));
    let other = scratch.path("other");
    fs::copy(&fuzzer, &other).unwrap();
    for seeds in [&["-i", "-"][..], &[]] {
        let run = scratch.run(&other, seeds.iter().chain(&["-o", "out", "--runs", "1000"])).expect(1);
        assert_eq!(
            run.stderr,
            "waypoint: out/default was made by target, and this is other; give another -o, or another --name\n"
        );
    }
    assert!(queue(&scratch) == before && scratch.stat("execs_done") == runs, "all is as it was");
    scratch.run(&other, ["-o", "out", "--name", "other", "--runs", "1000"]).expect(0);
    // A rebuilt target may be elsewhere.
    fs::create_dir(scratch.path("elsewhere")).unwrap();
    let moved = scratch.path("elsewhere/target");
    fs::rename(&fuzzer, &moved).unwrap();
    scratch.run(&moved, ["-o", "out", "--runs", "1000"]).expect(0);
    assert_eq!(scratch.stat("execs_done"), runs + 1000);
}

#[test]
fn a_kept_input_that_cannot_be_read_is_skipped() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(CLIMB);
    scratch.run(&fuzzer, ["-o", "out", "--runs", "1000"]).expect(0);
    let kept = scratch.files("out/default/queue");
    fs::set_permissions(&kept[0], fs::Permissions::from_mode(0o000)).unwrap();
    // Root may read all the same unless it has given that up.
    let mut command = match fs::metadata(&kept[0]).unwrap().uid() {
        0 => {
            let mut command = Command::new("setpriv");
            command.arg("--bounding-set=-dac_override,-dac_read_search").arg(&fuzzer);
            command
        }
        _ => Command::new(&fuzzer),
    };
    let run = Run::of(command.args(["-o", "out", "--runs", "1000"]).current_dir(scratch.path(""))).expect(0);
    let path = kept[0].canonicalize().unwrap();
    let skipped = format!("skipped the kept input {}: Permission denied", path.display());
    assert!(run.stderr.contains(&skipped), "{}", run.stderr);
    assert!(scratch.files("out/default/queue").starts_with(&kept), "it stays where it is");
}

#[test]
fn statistics_go_on() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(
        "#include <stdint.h>\n#include <stdlib.h>\n\
         int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) { if (n > 1 && d[0] == 'x') abort(); return 0; }",
    );
    let keys = ["execs_done", "cycles_done", "run_time", "workers_died", "op_havoc_execs", "corpus_found"];
    let mut before = [0; 6];
    let mut last_crash = 0;
    for seed in 1..=3 {
        scratch.run(&fuzzer, ["-o", "out", "--seed", &seed.to_string(), "--runs", "30000"]).expect(0);
        let now = keys.map(|key| scratch.stat(key));
        assert_eq!(now[0], before[0] + 30000, "runs are added up");
        assert!(now[1] > before[1] && now[2] >= before[2] && now[3] > before[3], "{before:?} {now:?}");
        assert!(now[4] > before[4] && now[5] >= before[5], "{before:?} {now:?}");
        before = now;
        assert!(
            seed == 1 || scratch.stat("last_crash") == last_crash,
            "no crash was saved since the first campaign"
        );
        last_crash = scratch.stat("last_crash");
        assert!(last_crash > 0 && scratch.stat("execs_since_crash") < now[0]);
    }
    let plot = fs::read_to_string(scratch.path("out/default/plot_data")).unwrap();
    let column = |n: usize| -> Vec<u64> {
        plot.lines().skip(1).map(|line| line.split(", ").nth(n).unwrap().parse().unwrap()).collect()
    };
    assert!(column(0).is_sorted() && column(1).is_sorted() && column(11).is_sorted(), "{plot}");
    assert_eq!(column(11).last(), Some(&90000), "{plot}");
    let without_corpus = column(3).iter().filter(|corpus| **corpus == 0).count();
    assert_eq!(without_corpus, 1, "only the first campaign begins with nothing: {plot}");
}

#[test]
fn a_known_finding_is_not_saved_again_by_a_resumed_campaign() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(
        "#include <stdint.h>\n#include <stdlib.h>\n\
         int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) { if (n > 1 && d[0] == 'x') abort(); return 0; }",
    );
    for seed in ["1", "2"] {
        scratch.run(&fuzzer, ["-o", "out", "--seed", seed, "--runs", "30000"]).expect(0);
        assert_eq!(scratch.files("out/default/crashes").len(), 1);
    }
}

#[test]
fn a_second_fuzzer_on_the_same_output_is_refused() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(CLIMB);
    let mut first = Command::new(&fuzzer);
    let mut first =
        first.args(["-o", "out"]).current_dir(scratch.path("")).stderr(Stdio::null()).spawn().unwrap();
    while !scratch.path("out/default/fuzzer_stats").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let second = scratch.run(&fuzzer, ["-o", "out", "--runs", "10"]);
    let other = scratch.run(&fuzzer, ["-o", "out", "--runs", "10", "--name", "other"]);
    first.kill().unwrap();
    first.wait().unwrap();
    let second = second.expect(1);
    assert!(second.stderr.contains(&format!("another fuzzer (process {})", first.id())), "{}", second.stderr);
    other.expect(0);
    scratch.run(&fuzzer, ["-o", "out", "--runs", "10"]).expect(0);
}

#[test]
fn killed_at_any_moment_nothing_is_cut_off_or_lost() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(CLIMB);
    let mut known = BTreeMap::new();
    for round in 0..15u64 {
        let mut fuzzing = Command::new(&fuzzer);
        let fuzzing = fuzzing.args(["-o", "out", "--seed", &round.to_string()]).current_dir(scratch.path(""));
        let mut fuzzing = fuzzing.stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(3 + 7 * round));
        fuzzing.kill().unwrap();
        fuzzing.wait().unwrap();
        if !scratch.path("out/default/queue").exists() {
            continue;
        }
        let now = queue(&scratch);
        assert!(known.iter().all(|(path, bytes)| now.get(path) == Some(bytes)), "round {round}");
        known = now;
    }
    // Empty only if the empty seed is meant.
    let empty = known.iter().filter(|(_, bytes)| bytes.is_empty()).map(|(path, _)| path);
    assert!(
        empty.clone().all(|path| path.to_string_lossy().ends_with("orig:tiny")),
        "{:?}",
        empty.collect::<Vec<_>>()
    );
    scratch.run(&fuzzer, ["-o", "out", "--runs", "100"]).expect(0);
    assert!(scratch.files("out/default/.tmp").is_empty());
}

/// Runs the fuzzer with a limit on the size of files, which is what a full disk looks like to it.
fn with_file_limit(scratch: &Scratch, fuzzer: &std::path::Path, blocks: u32, arguments: &str) -> Run {
    let script = format!("ulimit -f {blocks}; exec {} {arguments}", fuzzer.display());
    Run::of(Command::new("bash").args(["-c", &script]).current_dir(scratch.path("")))
}

#[test]
fn a_finding_that_cannot_be_stored_is_printed() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(
        "#include <stdint.h>\n#include <stdlib.h>\n\
         int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) { if (n > 4999 && d[0] == 'x') abort(); return 0; }",
    );
    let input = "x".repeat(5000);
    scratch.write("seeds/long", &input);
    let run = with_file_limit(&scratch, &fuzzer, 4, "-i seeds -o out --runs 1000").expect(1);
    assert!(run.stderr.contains("could not be saved; in base64 it is eHh4eHh4"), "{}", run.stderr);
    assert!(run.stderr.contains("cannot write"), "{}", run.stderr);
    assert!(scratch.files("out/default/crashes").is_empty() && scratch.files("out/default/.tmp").is_empty());
}

#[test]
fn no_room_for_the_queue_is_a_loud_error() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(CLIMB);
    scratch.write("seeds/long", format!("w{}", "y".repeat(5000)));
    let run = with_file_limit(&scratch, &fuzzer, 4, "-i seeds -o out --runs 1000").expect(1);
    assert!(run.stderr.contains("cannot write") && run.stderr.contains("queue/id:000000"), "{}", run.stderr);
    assert!(scratch.files("out/default/queue").is_empty() && scratch.files("out/default/.tmp").is_empty());
}

#[test]
fn a_target_that_always_crashes_is_given_up_with_a_sentence() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(
        "#include <stdint.h>\n#include <stdlib.h>\n\
         int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) { (void)d; (void)n; abort(); }",
    );
    let run = scratch.run(&fuzzer, ["-o", "out"]).expect(1);
    assert!(run.stderr.contains("every seed is a finding"), "{}", run.stderr);
    assert_eq!(scratch.files("out/default/crashes").len(), 1, "the same crash is saved once");
}
