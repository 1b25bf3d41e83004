//! Leaks: found where LeakSanitizer is linked and may work, saved and replayed like any other finding.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::PathBuf;

use waypoint_tests::Scratch;

/// Loses memory if the input begins with `N`; what it allocates in its initialisation is lost too, but no input's fault.
const LOSES: &str = r#"
#include <stdint.h>
#include <stdlib.h>
static void *volatile block;
int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  block = malloc(100);
  block = NULL;
  return 0;
}
static __attribute__((noinline)) void lose(size_t size) {
  block = malloc(size + 16);
  block = NULL;
}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 2 && data[0] == 'N') lose(size);
  return 0;
}
"#;

/// Forbids ptrace, as a container may.
const IN_A_CONTAINER: &str = r#"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
__attribute__((constructor)) static void forbid_ptrace(void) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
"#;

fn with_asan(scratch: &Scratch, source: &str) -> PathBuf {
    let source = scratch.write("target.c", source);
    scratch.build("target", &source, ["-g", "-O2", "-fsanitize=fuzzer,address"])
}

#[test]
fn a_leak_is_saved_once_and_replayed() {
    let scratch = Scratch::new();
    let fuzzer = with_asan(&scratch, LOSES);
    for seed in ["1", "2"] {
        scratch.run(&fuzzer, ["-o", "out", "--seed", seed, "--runs", "20000"]).expect(0);
        let saved = scratch.files("out/default/crashes");
        assert_eq!(saved.len(), 1, "{saved:?}");
        assert!(saved[0].to_string_lossy().contains("id:000000,leak,"), "{saved:?}");
    }
    let file = scratch.files("out/default/crashes").remove(0);
    let file = file.to_str().unwrap();
    let replay = scratch.run(&fuzzer, [file]).expect(77);
    assert!(replay.stderr.contains("ERROR: LeakSanitizer: detected memory leaks"), "{}", replay.stderr);
    assert!(replay.stderr.contains(": leak of ") && replay.stderr.contains("#0 lose ("), "{}", replay.stderr);
    assert!(!replay.stderr.contains("100 byte"), "no leak of the initialisation: {}", replay.stderr);
    scratch.run(&fuzzer, [file, "--no-leaks"]).expect(0);
    scratch.run(&fuzzer, ["minimize", file, "-o", "small"]).expect(0);
    let small = std::fs::read(scratch.path("small")).unwrap();
    assert_eq!((small.len(), small[0]), (3, b'N'));
    scratch.run(&fuzzer, ["small"]).expect(77);
}

#[test]
fn leaks_can_be_left_alone() {
    let scratch = Scratch::new();
    let fuzzer = with_asan(&scratch, LOSES);
    scratch.write("seeds/a", "Nabc");
    scratch.run(&fuzzer, ["-i", "seeds", "-o", "out", "--runs", "2000", "--no-leaks"]).expect(0);
    assert!(scratch.files("out/default/crashes").is_empty());
    let mut command = std::process::Command::new(&fuzzer);
    command.args(["seeds/a"]).env("ASAN_OPTIONS", "detect_leaks=0").current_dir(scratch.path(""));
    waypoint_tests::Run::of(&mut command).expect(0);
}

#[test]
fn libfuzzers_names_and_codes() {
    let scratch = Scratch::new();
    let fuzzer = with_asan(&scratch, LOSES);
    scratch.write("corpus/a", "Nabc");
    scratch.run(&fuzzer, ["corpus", "-runs=1000", "-detect_leaks=0"]).expect(0);
    let run = scratch.run(&fuzzer, ["corpus", "-runs=1000"]).expect(77);
    let leaks: Vec<_> = scratch
        .files("")
        .into_iter()
        .filter(|file| file.file_name().unwrap().to_string_lossy().starts_with("leak-"))
        .collect();
    assert_eq!(leaks.len(), 1, "{}", run.stderr);
    let leak = leaks[0].to_str().unwrap();
    scratch.run(&fuzzer, [leak]).expect(77);
    scratch.run(&fuzzer, ["-detect_leaks=0", leak]).expect(0);
}

#[test]
fn where_leaks_cannot_be_found_it_says_so_once_and_goes_on() {
    let scratch = Scratch::new();
    let fuzzer = with_asan(&scratch, &format!("{IN_A_CONTAINER}{LOSES}"));
    let run = scratch.run(&fuzzer, ["-o", "out", "--seed", "1", "--runs", "20000"]).expect(0);
    assert_eq!(run.stderr.matches("LeakSanitizer cannot look for leaks here").count(), 1, "{}", run.stderr);
    assert!(scratch.files("out/default/crashes").is_empty());
    assert!(scratch.stat("execs_done") >= 20000);
    scratch.write("input", "Nabc");
    let replay = scratch.run(&fuzzer, ["input"]).expect(0);
    assert!(replay.stderr.contains("LeakSanitizer cannot look for leaks here"), "{}", replay.stderr);
}
