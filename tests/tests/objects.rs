//! Counters of several objects: archives, shared libraries, and one that is loaded in the middle of a run.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::process::Command;

use waypoint_tests::{Scratch, program};

/// A library whose branches the fuzzer must climb.
const LIBRARY: &str = r#"
#include <stdlib.h>
__attribute__((noinline)) static void inside_library(void) { abort(); }
int check(const unsigned char *data, unsigned long size) {
  if (size < 3) return 0;
  if (data[0] != 'l') return 0;
  if (data[1] != 'i') return 0;
  if (data[2] != 'b') return 0;
  inside_library();
  return 1;
}
"#;

const CALLER: &str = r#"
#include <stdint.h>
#include <stddef.h>
int check(const unsigned char *, unsigned long);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return check(data, size) * 0; }
"#;

#[track_caller]
fn finds_the_bug_in_the_library(scratch: &Scratch, fuzzer: &std::path::Path) {
    let run = scratch
        .run(fuzzer, ["-o", "out", "--seed", "1", "--runs", "2000000", "--stop-on-finding"])
        .expect(77);
    assert!(run.stderr.contains("in inside_library"), "{}", run.stderr);
}

#[test]
fn a_static_archive() {
    let scratch = Scratch::new();
    let library = scratch.write("library.c", LIBRARY);
    let object = scratch.build("library.o", &library, ["-c", "-O2"]);
    assert!(
        Command::new("ar").arg("rcs").args([&scratch.path("library.a"), &object]).status().unwrap().success()
    );
    let caller = scratch.write("caller.c", CALLER);
    let fuzzer = scratch.build("target", &caller, ["-O2", "-fsanitize=fuzzer", "library.a"]);
    finds_the_bug_in_the_library(&scratch, &fuzzer);
}

#[test]
fn a_shared_library_linked_without_undefined_symbols() {
    let scratch = Scratch::new();
    let library = scratch.write("library.c", LIBRARY);
    scratch.build("libchecked.so", &library, ["-shared", "-fPIC", "-O2", "-Wl,-z,defs"]);
    let caller = scratch.write("caller.c", CALLER);
    let flags = ["-O2", "-fsanitize=fuzzer", "-L.", "-lchecked", "-Wl,-rpath,$ORIGIN"];
    let fuzzer = scratch.build("target", &caller, flags);
    finds_the_bug_in_the_library(&scratch, &fuzzer);
}

#[test]
fn a_shared_library_loaded_and_unloaded_in_every_run() {
    let scratch = Scratch::new();
    let library = scratch.write("library.c", LIBRARY);
    let path = scratch.build("libplugin.so", &library, ["-shared", "-fPIC", "-O2"]);
    let caller = scratch.write(
        "caller.c",
        format!(
            r#"#include <dlfcn.h>
            #include <stdint.h>
            #include <stddef.h>
            int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {{
              if (size < 2 || data[0] != 'l') return 0;
              void *library = dlopen("{}", RTLD_NOW);
              if (!library) return 0;
              int (*check)(const unsigned char *, unsigned long) =
                  (int (*)(const unsigned char *, unsigned long))dlsym(library, "check");
              check(data, size);
              dlclose(library);
              return 0;
            }}"#,
            path.display()
        ),
    );
    let fuzzer = scratch.build("target", &caller, ["-O2", "-fsanitize=fuzzer", "-ldl"]);
    finds_the_bug_in_the_library(&scratch, &fuzzer);
}

#[test]
fn the_engine_as_a_library_for_another_linker() {
    let scratch = Scratch::new();
    let library = scratch.write("library.c", LIBRARY);
    let caller = scratch.write("caller.c", CALLER);
    scratch.build("library.o", &library, ["-c", "-O2", "-fsanitize=fuzzer-no-link"]);
    scratch.build("caller.o", &caller, ["-c", "-O2", "-fsanitize=fuzzer-no-link"]);
    let fuzzer = scratch.path("target");
    let mut link = Command::new("cc");
    link.args(["caller.o", "library.o"]).arg(program("libwaypoint_engine.a")).args([
        "-o",
        "target",
        "-lm",
        "-ldl",
        "-lpthread",
    ]);
    let linked = link.current_dir(scratch.path("")).output().unwrap();
    assert!(linked.status.success(), "{}", String::from_utf8_lossy(&linked.stderr));
    finds_the_bug_in_the_library(&scratch, &fuzzer);
}

#[test]
fn the_lines_of_every_counter_can_be_listed() {
    let scratch = Scratch::new();
    let library = scratch.write("library.c", LIBRARY);
    let shared = scratch.build("library.so", &library, ["-shared", "-fPIC", "-O2"]);
    let listed = scratch.run(&program("waypoint"), ["counters".as_ref(), shared.as_os_str()]).expect(0);
    for line in ["library.c:4", "5", "6", "7", "8", "9"] {
        assert!(listed.stdout.contains(line), "line {line} of the library is missing:\n{}", listed.stdout);
    }
    let counters = listed.stdout.lines().filter(|line| line.starts_with(' '));
    assert!(
        counters.clone().count() >= 5 && counters.clone().all(|line| line.contains("library.c:")),
        "{}",
        listed.stdout
    );
}
