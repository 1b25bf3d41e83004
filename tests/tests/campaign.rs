//! Campaigns from the outside: what is repeatable, what is written, what stays after a kill.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use waypoint_tests::Scratch;

const BRANCHY: &str = r#"
#include <stddef.h>
#include <stdint.h>
static volatile int sink;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  for (size_t i = 0; i + 1 < size && i < 40; i++) {
    if (data[i] == '(') sink++;
    if (data[i] == '<' && data[i + 1] == '!') sink += 2;
    switch (data[i] % 7) { case 1: sink += 3; break; case 2: sink += 5; break; case 4: if (data[i + 1] > 200) sink = 0; }
  }
  return 0;
}
"#;

/// What identifies a kept input but for the time: its number, origin and bytes.
fn contents(queue: &[PathBuf]) -> Vec<(String, Vec<u8>)> {
    let without_time = |path: &Path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.split(',').filter(|part| !part.starts_with("time:")).collect::<Vec<_>>().join(",")
    };
    queue.iter().map(|path| (without_time(path), fs::read(path).unwrap())).collect()
}

#[test]
fn the_same_seed_and_runs_give_the_same_inputs_in_the_same_order() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(BRANCHY);
    scratch.write("seeds/b", "hello (");
    scratch.write("seeds/a", "hello <");
    let campaign = |out: &str, seed: &str| {
        scratch.run(&fuzzer, ["-i", "seeds", "-o", out, "--runs", "40000", "--seed", seed]).expect(0);
        contents(&scratch.files(&format!("{out}/default/queue")))
    };
    let first = campaign("out", "7");
    assert_eq!(scratch.stat("execs_done"), 40000, "--runs is exact");
    assert!(first.len() > 10, "{} inputs kept", first.len());
    assert_eq!(first[0].0, "id:000000,execs:2,orig:a");
    assert_eq!(first, campaign("again", "7"));
    assert_ne!(first, campaign("other", "8"), "another seed takes another way");
}

#[test]
fn what_is_written_is_what_afl_would_write() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(BRANCHY);
    scratch.run(&fuzzer, ["-o", "out", "--runs", "20000", "--name", "default"]).expect(0);
    let queue = scratch.files("out/default/queue");
    assert_eq!(queue.len() as u64, scratch.stat("corpus_count"));
    let name = queue.last().unwrap().file_name().unwrap().to_string_lossy().into_owned();
    let keys: Vec<&str> = name.split(',').map(|part| part.split(':').next().unwrap()).collect();
    assert_eq!(keys, ["id", "src", "time", "execs", "op", "rep", "+cov"], "{name}");
    assert!(scratch.stat("edges_found") > 5 && scratch.stat("edges_found") <= scratch.stat("total_edges"));
    assert_eq!(scratch.stats()["stability"], "100.00%");
    assert!(scratch.files("out/default/.tmp").is_empty(), "no half-written file stays");
    let private = |path: &PathBuf| {
        use std::os::unix::fs::PermissionsExt;
        path.metadata().unwrap().permissions().mode() & 0o077 == 0
    };
    assert!(queue.iter().all(private), "inputs are their owner's business");
}

#[test]
fn stopping_on_a_finding_says_so_in_the_exit_code() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(
        "#include <stdint.h>\n#include <stdlib.h>\n\
         int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) { if (n > 1 && d[0] == 'x') abort(); return 0; }",
    );
    let run = scratch.run(&fuzzer, ["-o", "out", "--stop-on-finding", "--runs", "1000000"]).expect(77);
    assert_eq!(scratch.files("out/default/crashes").len(), 1);
    let crash = scratch.files("out/default/crashes")[0].display().to_string();
    assert!(run.stderr.contains(&format!("replay with: {} {crash}", fuzzer.display())), "{}", run.stderr);
    assert!(run.stderr.contains("in LLVMFuzzerTestOneInput"), "{}", run.stderr);

    let harmless = scratch.write("harmless", "ok");
    let both = scratch.run(&fuzzer, [harmless.to_str().unwrap(), &crash]).expect(77);
    assert!(both.stderr.contains("harmless: ok (2 bytes)"), "{}", both.stderr);
    scratch.run(&fuzzer, [harmless]).expect(0);
}

#[test]
fn crashing_and_hanging_seeds_are_findings_and_the_others_are_used() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(
        "#include <stdint.h>\n#include <stdlib.h>\n\
         int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {\n\
           volatile int on = 1;\n\
           if (n == 3 && d[0] == 'c') abort();\n\
           if (n == 4 && d[0] == 'h') while (on) {}\n\
           if (n == 5 && d[0] == 'g') on = 2;\n\
           return 0; }",
    );
    scratch.write("seeds/crashes", "cra");
    scratch.write("seeds/hangs", "hang");
    scratch.write("seeds/works", "g___y");
    let run =
        scratch.run(&fuzzer, ["-i", "seeds", "-o", "out", "--runs", "5000", "--timeout", "300ms"]).expect(0);
    let crashes = scratch.files("out/default/crashes");
    assert!(crashes[0].to_string_lossy().ends_with(",orig:crashes"), "{crashes:?}\n{}", run.stderr);
    assert_eq!(fs::read(&crashes[0]).unwrap(), b"cra");
    let hangs = scratch.files("out/default/hangs");
    assert!(hangs[0].to_string_lossy().ends_with(",orig:hangs"), "{hangs:?}\n{}", run.stderr);
    let queue = scratch.files("out/default/queue");
    assert!(queue[0].to_string_lossy().ends_with(",orig:works"), "{queue:?}");
}

/// Processes whose command line contains `marker`.
fn processes(marker: &str) -> BTreeSet<u32> {
    let ids =
        fs::read_dir("/proc").unwrap().filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok());
    ids.filter(|id: &u32| {
        let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(marker)
    })
    .collect()
}

/// Waits until something holds; a minute is a failure on any machine.
fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "never: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn nothing_stays_behind_when_the_supervisor_is_killed() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(BRANCHY);
    let marker = scratch.path("out").display().to_string();
    let mut supervisor = Command::new(&fuzzer).args(["-o", &marker]).stderr(Stdio::null()).spawn().unwrap();
    eventually("two processes", || processes(&marker).len() == 2);
    supervisor.kill().unwrap();
    supervisor.wait().unwrap();
    eventually("no process", || processes(&marker).is_empty());
}

#[test]
fn a_killed_worker_is_replaced_and_ctrl_c_ends_cleanly() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(BRANCHY);
    let marker = scratch.path("out").display().to_string();
    let supervisor = Command::new(&fuzzer).args(["-o", &marker]).stderr(Stdio::null()).spawn().unwrap();
    let workers = || processes(&marker).into_iter().filter(|id| *id != supervisor.id()).collect::<Vec<_>>();
    eventually("a worker", || workers().len() == 1);
    let first = workers()[0];
    eventually("a kept input", || scratch.path("out/default/queue").read_dir().unwrap().next().is_some());
    let signal =
        |signal: &str, id: u32| Command::new("kill").args([signal, &id.to_string()]).status().unwrap();
    signal("-KILL", first);
    eventually("another worker", || workers().first().is_some_and(|id| *id != first));
    signal("-INT", supervisor.id());
    let mut supervisor = supervisor;
    assert_eq!(supervisor.wait().unwrap().code(), Some(0));
    assert!(scratch.stat("execs_done") > 0);
}

#[test]
fn a_run_that_is_killed_from_outside_is_no_finding() {
    let scratch = Scratch::new();
    // Waits at the first run of the seed, until it is killed.
    let fuzzer = scratch.fuzzer(
        "#include <fcntl.h>\n#include <stdint.h>\n#include <string.h>\n#include <unistd.h>\n\
         int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {\n\
           if (n != 4 || memcmp(d, \"wait\", 4) || access(\"go\", F_OK) == 0) return 0;\n\
           close(open(\"here\", O_CREAT | O_WRONLY, 0600));\n\
           for (;;) pause(); }",
    );
    scratch.write("seeds/wait", "wait");
    let marker = scratch.path("out").display().to_string();
    let supervisor = Command::new(&fuzzer)
        .args(["-i", "seeds", "--runs", "1000", "--timeout", "1h", "-o", &marker])
        .current_dir(scratch.path(""))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    eventually("a run that waits", || scratch.path("here").exists());
    scratch.write("go", "");
    let worker = processes(&marker).into_iter().find(|id| *id != supervisor.id()).unwrap();
    Command::new("kill").args(["-KILL", &worker.to_string()]).status().unwrap();
    let output = supervisor.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert_eq!(said.matches("a worker was killed from outside").count(), 1, "{said}");
    assert!(said.contains("no findings") && scratch.files("out/default/crashes").is_empty(), "{said}");
    let queue = scratch.files("out/default/queue");
    assert!(queue[0].to_string_lossy().ends_with(",orig:wait"), "the seed is not lost: {queue:?}");
}

#[test]
fn a_sanitizers_own_word_for_a_finding_is_told() {
    let scratch = Scratch::new();
    let source = scratch.write(
        "target.c",
        "#include <stdint.h>\n#include <stdlib.h>\n\
         int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {\n\
           volatile char *block = malloc(4);\n  if (n > 3 && d[0] == 'o') block[n] = 1;\n\
           free((void *)block);\n  return 0; }",
    );
    let fuzzer = scratch.build("target", &source, ["-g", "-O1", "-fsanitize=fuzzer,address"]);
    let run = scratch.run(&fuzzer, ["-o", "out", "--runs", "1000000", "--stop-on-finding"]).expect(77);
    assert!(run.stderr.contains("crash (heap-buffer-overflow) in LLVMFuzzerTestOneInput"), "{}", run.stderr);
}

#[test]
fn a_debugger_sees_where_a_replayed_file_goes_wrong() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(
        "#include <stddef.h>\n#include <stdint.h>\nstatic volatile int *nowhere;\n\
         static __attribute__((noinline)) void writes(int n) { *nowhere = n; }\n\
         int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) { if (n && d[0] == 'x') writes(d[0]); return 0; }",
    );
    scratch.write("bad", "x");
    scratch.write("good", "y");
    let gdb = |file: &str| {
        let fuzzer = fuzzer.to_str().unwrap();
        let script = ["-q", "-nx", "-batch", "-ex", "run", "-ex", "backtrace", "--args", fuzzer, file];
        scratch.run(Path::new("gdb"), script).stdout
    };
    let bad = gdb("bad");
    assert!(bad.contains("received signal SIGSEGV") && bad.contains("writes (n=120)"), "{bad}");
    let good = gdb("good");
    assert!(good.contains("exited normally"), "{good}");
}

/// Allocates as much as the first byte says, in GiB, and writes to it.
const ALLOCATES: &str = r#"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
static char *volatile block;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  block = malloc((size_t)(data[0] - '0') << 30);
  block[0] = 1;
  free(block);
  return 0;
}
"#;

#[test]
fn a_replay_goes_on_behind_what_cannot_be_read_and_says_what_was_refused() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(ALLOCATES);
    let [small, large] = ["1", "3"].map(|input| scratch.write(input, input));
    let [small, large] = [&small, &large].map(|path| path.to_str().unwrap());
    let run = scratch.run(&fuzzer, ["missing", small, large]).expect(77);
    let lines = |text: &str| run.stderr.contains(text);
    assert!(lines("cannot read missing") && lines("1: ok (1 bytes)"), "{}", run.stderr);
    assert!(lines("SIGSEGV") && lines("after an allocation of 3.0 GiB was refused"), "{}", run.stderr);
    scratch.run(&fuzzer, ["missing", small]).expect(1);
    scratch.run(&fuzzer, [large, "--malloc-limit", "4G"]).expect(0);
    scratch.run(&fuzzer, [large, "--rss-limit", "4G"]).expect(0);
}
