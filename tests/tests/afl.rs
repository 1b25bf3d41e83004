//! AFL's own tools, as Debian packages them, on what a campaign wrote.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use waypoint_tests::{Run, Scratch};

const TARGET: &str = r#"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
static volatile int sink;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  for (size_t i = 0; i + 1 < size && i < 40; i++) {
    if (data[i] == '(') sink++;
    if (data[i] == '<' && data[i + 1] == '!') sink += 2;
  }
  if (size > 2 && data[0] == 'c' && data[1] == 'r') abort();
  return 0;
}
"#;

/// A campaign that goes on until it is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn tool(name: &str) -> Command {
    let mut command = Command::new(name);
    command.env("TERM", "xterm");
    command
}

/// What a tool complained about, but for the colours that its terminal lacks.
fn complaints(run: &Run) -> Vec<&str> {
    run.stderr.lines().filter(|line| !line.starts_with("tput:")).collect()
}

/// Waits for something that must come, however busy the machine is.
fn wait_for(what: &str, mut is_there: impl FnMut() -> bool) {
    for _ in 0..600 {
        if is_there() {
            return;
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("{what} never came");
}

#[test]
fn afl_whatsup_sums_up_a_running_campaign() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(TARGET);
    scratch.write("seeds/a", "hello (");
    let mut command = Command::new(&fuzzer);
    command.args(["-i", "seeds", "-o", "out"]).current_dir(scratch.path("")).stderr(Stdio::null());
    let running = Running(command.spawn().unwrap());
    let stats = scratch.path("out/default/fuzzer_stats");
    wait_for("fuzzer_stats", || stats.exists());
    assert!(scratch.stat("corpus_count") > 0, "AFL's tools divide by it");

    let summary = Run::of(tool("afl-whatsup").arg("-s").arg(scratch.path("out"))).expect(0);
    assert!(complaints(&summary).is_empty(), "{}", summary.stderr);
    assert!(summary.stdout.contains("Fuzzers alive : 1"), "{}", summary.stdout);
    assert!(summary.stdout.contains("Pending items : "), "{}", summary.stdout);

    let details = Run::of(tool("afl-whatsup").arg(scratch.path("out"))).expect(0);
    assert!(complaints(&details).is_empty(), "{}", details.stderr);
    let pid = running.0.id();
    assert!(
        details.stdout.contains(&format!(">>> target (0 days, 0 hrs) fuzzer PID: {pid} <<<")),
        "{details:?}"
    );
    assert!(details.stdout.contains("cycles_wo_finds : "), "{details:?}");
    drop(running);
    let dead = Run::of(tool("afl-whatsup").arg("-s").arg(scratch.path("out"))).expect(0);
    assert!(dead.stdout.contains("Dead or remote : 1"), "{}", dead.stdout);
}

#[test]
fn afl_plot_draws_a_finished_campaign() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(TARGET);
    scratch.run(&fuzzer, ["-o", "out", "--runs", "30000"]).expect(0);

    let data = fs::read_to_string(scratch.path("out/default/plot_data")).unwrap();
    let mut lines = data.lines();
    assert_eq!(
        lines.next().unwrap(),
        "# relative_time, cycles_done, cur_item, corpus_count, pending_total, pending_favs, map_size, \
         saved_crashes, saved_hangs, max_depth, execs_per_sec, total_execs, edges_found"
    );
    let last: Vec<&str> = lines.clone().last().unwrap().split(", ").collect();
    assert!(lines.all(|line| line.split(", ").count() == 13), "{data}");
    let stats = scratch.stats();
    for (column, key) in [
        (1, "cycles_done"),
        (3, "corpus_count"),
        (4, "pending_total"),
        (6, "bitmap_cvg"),
        (7, "saved_crashes"),
        (9, "max_depth"),
        (11, "execs_done"),
        (12, "edges_found"),
    ] {
        assert_eq!(last[column], stats[key], "{key} in {data}");
    }

    let plots = scratch.path("plots");
    let run = Run::of(tool("afl-plot").arg(scratch.path("out/default")).arg(&plots)).expect(0);
    assert!(run.stdout.contains("All done"), "{run:?}");
    for image in ["high_freq.png", "low_freq.png", "exec_speed.png", "edges.png"] {
        let bytes = fs::read(plots.join(image)).unwrap();
        assert!(bytes.starts_with(b"\x89PNG"), "{image}");
    }
    assert!(fs::read_to_string(plots.join("index.html")).unwrap().contains("<td>target</td>"));
}

#[test]
fn the_files_beside_the_queue_say_how_to_run_it_again() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(TARGET);
    let read = |name: &str| fs::read_to_string(scratch.path("out/default").join(name)).unwrap();
    scratch.write("seeds/harmless", "x");
    scratch.run(&fuzzer, ["-i", "seeds", "-o", "out", "--runs", "2", "--seed", "5"]).expect(0);
    assert!(
        read("fuzzer_setup").ends_with(" -i seeds -o out --runs 2 --seed 5\n"),
        "{}",
        read("fuzzer_setup")
    );
    assert!(!scratch.path("out/default/crashes/README.txt").exists(), "there is no crash to replay");
    let cmdline = read("cmdline");
    let (program, rest) = cmdline.split_once('\n').unwrap();
    assert!(Path::new(program).is_absolute() && rest == "@@\n", "{cmdline}");

    fs::remove_dir_all(scratch.path("out")).unwrap();
    scratch.write("seeds/crash", "cr!");
    scratch.run(&fuzzer, ["-i", "seeds", "-o", "out", "--stop-on-finding"]).expect(77);
    let readme = read("crashes/README.txt");
    assert!(readme.contains(&format!("{program} FILE")), "{readme}");
    let crash = &scratch.files("out/default/crashes")[0];
    scratch.run(Path::new(program), [crash]).expect(77);
}

#[test]
fn a_name_that_means_something_to_a_shell_is_not_run_by_afl_whatsup() {
    let scratch = Scratch::new();
    let plain = scratch.fuzzer(TARGET);
    let fuzzer = scratch.path("$(touch oops)`touch oops`");
    fs::rename(plain, &fuzzer).unwrap();
    scratch.run(&fuzzer, ["-o", "out", "--runs", "5000", "--dict", "/dev/null"]).expect(0);
    let run = Run::of(tool("afl-whatsup").arg("-d").arg("out").current_dir(scratch.path(""))).expect(0);
    assert!(complaints(&run).is_empty(), "{}", run.stderr);
    assert!(!scratch.path("oops").exists() && !scratch.path("out/oops").exists());
}
