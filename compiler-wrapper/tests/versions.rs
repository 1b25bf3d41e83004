//! Two versions of a function behave as one: with recording on or off, however the code was compiled and linked.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod kit;

use kit::recorded::{BLOCKS, CMP, DIFF, OFF, On};
use kit::{DATA, Kit, OPTIMISATIONS, quiet_success, stdout, with_each_clang};
use std::collections::BTreeSet;

const ALL: On<'_> = On { events: "cmp,alloc,diff", ..BLOCKS };

/// What a program prints when plain clang made it.
fn plain(kit: &Kit, line: &str) -> Vec<String> {
    quiet_success(&mut kit.plain(&format!("-w {line} -o plain")));
    stdout(&mut kit.command(kit.path("plain"), "")).lines().map(str::to_owned).collect()
}

/// The program runs as without us, and takes the same edges the same number of times with recording on or off.
fn behaves(kit: &Kit, program: &str, wanted: &[String], setting: &str) {
    let off = kit.record(program, &[], OFF);
    assert_eq!(off.said, wanted, "{setting}");
    assert!(off.counters.iter().any(|counter| counter.2 > 0), "{setting}");
    for on in [CMP, DIFF, ALL] {
        let seen = kit.record(program, &[], on);
        assert_eq!(seen.said, wanted, "{setting} {on:?}");
        assert_eq!(seen.counters, off.counters, "{setting} {on:?}");
        assert!(seen.cmps.iter().filter(|cmp| cmp.best > 0).count() > 10, "{setting}: {:?}", seen.cmps);
    }
}

#[test]
fn hard_functions_behave_at_every_optimisation() {
    with_each_clang(|kit| {
        kit.stand_in();
        let wanted = plain(kit, &format!("-O1 {DATA}/versions.c"));
        for optimisation in OPTIMISATIONS {
            kit.cc(&format!("-w {optimisation} {DATA}/versions.c on.o -o hard"));
            behaves(kit, "hard", &wanted, optimisation);
        }
    });
}

#[test]
fn hard_functions_behave_with_every_option() {
    with_each_clang(|kit| {
        kit.stand_in();
        let wanted = plain(kit, &format!("-O1 {DATA}/versions.c"));
        for flags in [
            "-O0 -fsanitize=address",
            "-O2 -fsanitize=address",
            "-O2 -fsanitize=undefined -fno-sanitize-recover=all",
            "-O1 -fsanitize=address,undefined -fstack-protector-all",
            "-O2 -static -fno-pie -no-pie",
            "-O2 -fPIC -fuse-ld=lld -ffunction-sections -fdata-sections -Wl,--gc-sections",
            "-O2 -ffunction-sections -Wl,--gc-sections -fno-optimize-sibling-calls -fno-omit-frame-pointer",
            "-O2 -flto=full -fuse-ld=lld",
            "-O2 -flto=thin -fuse-ld=lld",
        ] {
            kit.cc(&format!("-w {flags} {DATA}/versions.c on.o -o hard"));
            behaves(kit, "hard", &wanted, flags);
        }
    });
}

fn write_units(kit: &Kit) {
    for name in ["versions.cc", "versions_other.cc", "versions.h"] {
        std::fs::copy(format!("{DATA}/{name}"), kit.path(name)).unwrap();
    }
}

#[test]
fn what_units_share_is_there_once() {
    with_each_clang(|kit| {
        write_units(kit);
        kit.stand_in();
        let wanted = plain(kit, "-std=c++20 -O1 versions.cc versions_other.cc -lstdc++ -lm");
        for compile in ["-O0", "-O2 -ffunction-sections -fdata-sections", "-O2 -fsanitize=address,undefined"]
        {
            kit.cxx(&format!("-w -std=c++20 {compile} -c versions.cc versions_other.cc"));
            for link in [
                "-fuse-ld=bfd",
                "-fuse-ld=lld",
                "-fuse-ld=bfd -Wl,--gc-sections",
                "-fuse-ld=lld -Wl,--gc-sections",
            ] {
                let setting = format!("{compile} {link}");
                let sanitizer =
                    if compile.contains("sanitize") { "-fsanitize=address,undefined" } else { "" };
                kit.cxx(&format!("{link} {sanitizer} versions.o versions_other.o on.o -o units"));
                behaves(kit, "units", &wanted, &setting);
                let seen = kit.record("units", &[], ALL);
                for function in ["_Z6sharedi", "_Z7largestIiET_S0_S0_"] {
                    let entries =
                        seen.counters.iter().filter(|counter| counter.0 == function && counter.1 == 0);
                    assert_eq!(entries.count(), 1, "{setting}: {function}");
                }
                // Called from both units, recorded in one slot for each case.
                assert_eq!(seen.cmps_of("_Z6sharedi").len(), 3, "{setting}");
                assert_eq!(seen.best("_Z6sharedi"), u32::MAX, "{setting}");
                assert_eq!(seen.bytes("_Z6copiedPKc"), 6, "{setting}");
            }
        }
    });
}

/// A library that allocates and compares, and a program that uses it.
const LIBRARY: &str = "#include <stdlib.h>\n#include <string.h>\n\
    int library(const char *text) {\n  char *copy = strdup(text);\n  void *(*volatile hook)(size_t) = malloc;\n\
      void *block = hook(strlen(text) * 3);\n  int result = strcmp(copy, \"secret\") ? 1 : 2;\n\
      if (!block || text[0] == 'q') result = 3;\n  free(block);\n  free(copy);\n  return result;\n}\n";
const USER: &str = "#include <stdio.h>\n#include <stdlib.h>\nint library(const char *text);\n\
    int main(int argc, char **argv) {\n  char *volatile own = malloc(argc + 99);\n\
      printf(\"%d %d %d\\n\", own != 0, library(\"secret\"), library(\"question\"));\n  free(own);\n  return 0;\n}\n";

#[test]
fn without_an_engine_everything_runs() {
    with_each_clang(|kit| {
        kit.write("library.c", LIBRARY);
        kit.write("user.c", USER);
        let wanted = "1 2 3\n";
        for flags in [
            "-O0",
            "-O2",
            "-O2 -static",
            "-O2 -no-pie -fno-pie",
            "-O1 -fsanitize=address,undefined",
            "-O2 -fuse-ld=lld",
        ] {
            kit.cc(&format!("{flags} library.c user.c -o alone"));
            assert_eq!(stdout(&mut kit.command(kit.path("alone"), "")), wanted, "{flags}");
        }
        for linker in ["bfd", "lld"] {
            kit.cc(&format!("-O2 -fPIC -shared -Wl,-z,defs -fuse-ld={linker} library.c -o liblibrary.so"));
            for (compiler, line) in [("instrumented", true), ("plain", false)] {
                let line_of = "-O2 user.c -L. -llibrary -Wl,-rpath,$ORIGIN -o shared";
                if line {
                    kit.cc(line_of);
                } else {
                    quiet_success(&mut kit.plain(line_of));
                }
                assert_eq!(stdout(&mut kit.command(kit.path("shared"), "")), wanted, "{linker} {compiler}");
            }
        }
        // Loaded later, by a program that knows nothing of us.
        kit.write(
            "loads.c",
            "#include <dlfcn.h>\n#include <stdio.h>\nint main(void) {\n  void *lib = dlopen(\"./liblibrary.so\", RTLD_NOW);\n\
             int (*f)(const char *) = lib ? (int (*)(const char *))dlsym(lib, \"library\") : 0;\n\
             printf(\"%d\\n\", f ? f(\"secret\") : -1);\n  return 0;\n}\n",
        );
        quiet_success(&mut kit.plain("-O1 loads.c -o loads -ldl"));
        assert_eq!(stdout(&mut kit.command(kit.path("loads"), "")), "2\n");
    });
}

#[test]
fn shared_objects_record_on_their_own_sides() {
    with_each_clang(|kit| {
        kit.write("library.c", LIBRARY);
        kit.write("user.c", USER);
        kit.stand_in();
        for linker in ["bfd", "lld"] {
            kit.cc(&format!("-O2 -fPIC -shared -Wl,-z,defs -fuse-ld={linker} library.c -o liblibrary.so"));
            kit.cc(&format!(
                "-O2 user.c on.o -fuse-ld={linker} -L. -llibrary -Wl,-rpath,$ORIGIN -rdynamic -o shared"
            ));
            let seen = kit.record("shared", &[], ALL);
            assert_eq!(seen.said, ["1 2 3"], "{linker}");
            assert_eq!(seen.bytes("main"), 100, "{linker}");
            // Two copies, and three times the length by the hook.
            assert_eq!(seen.bytes("library"), 7 + 9 + 3 * (6 + 8), "{linker}: {:?}", seen.allocs);
            assert_eq!(seen.best("library"), u32::MAX, "{linker}");
            assert_eq!((seen.live, seen.peak), (0, 100 + 9 + 24), "{linker}");
        }
        kit.cc("-O2 -c library.c user.c");
        for linker in ["bfd", "lld"] {
            kit.cc(&format!("-r -fuse-ld={linker} -nostdlib library.o user.o -o merged.o"));
            kit.cc(&format!("merged.o on.o -fuse-ld={linker} -o merged"));
            assert_eq!(kit.record("merged", &[], ALL).bytes("library"), 7 + 9 + 3 * (6 + 8), "{linker}");
        }
    });
}

#[test]
fn a_constructor_has_one_version_and_compares() {
    with_each_clang(|kit| {
        kit.write(
            "early.cc",
            "#include <cstdio>\n#include <cstdlib>\nstatic volatile int given = 5;\n\
             struct Early { int value; Early() : value(given == 4321 ? 1 : 2) {} } early;\n\
             __attribute__((constructor)) static void first() { if (given == 777777) std::abort(); }\n\
             int main() { std::printf(\"%d\\n\", early.value); }\n",
        );
        kit.stand_in();
        for flags in ["-O0", "-O2", "-O2 -fsanitize=address", "-O0 -fsanitize=address"] {
            kit.cxx(&format!("{flags} early.cc on.o -o early"));
            assert_eq!(kit.record("early", &[], CMP).said, ["2"], "{flags}");
        }
    });
}

#[test]
fn other_sanitizers_accept_the_recorders() {
    with_each_clang(|kit| {
        kit.write("library.c", LIBRARY);
        kit.write("user.c", USER);
        for sanitizer in ["memory", "thread"] {
            kit.cc(&format!("-O2 -fsanitize={sanitizer} -c library.c user.c"));
            let symbols = ["library.o", "user.o"].map(|file| kit.symbols(file)).concat();
            let names: BTreeSet<&str> =
                symbols.lines().filter_map(|line| line.split(' ').next_back()).collect();
            assert!(names.contains("waypoint_strdup") && names.contains("waypoint_strings"), "{names:?}");
        }
    });
}
