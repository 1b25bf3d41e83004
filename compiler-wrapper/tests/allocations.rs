//! Event `alloc`: what every call site allocates, the peak of live memory, and refusals.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod kit;

use kit::recorded::{ALLOC, BLOCKS, OFF, On, Recorded};
use kit::{Kit, OPTIMISATIONS, quiet_success, stdout, with_each_clang};

const C: &str = include_str!("data/allocations.c");
const CXX: &str = include_str!("data/allocations.cc");
const SANITIZERS: [&str; 2] = ["", "-fsanitize=address,undefined"];

fn build_c(kit: &Kit, flags: &str) {
    kit.write("allocations.c", C);
    kit.stand_in();
    kit.cc(&format!("-w {flags} allocations.c on.o -o c"));
}

fn build_cxx(kit: &Kit, flags: &str) {
    kit.write("allocations.cc", CXX);
    kit.stand_in();
    kit.cxx(&format!("-std=c++17 -w {flags} allocations.cc on.o -o cxx"));
}

/// What the program prints without us.
fn plain(kit: &Kit, file: &str, argument: &str) -> Vec<String> {
    let name = if file.ends_with(".cc") { "-std=c++17 -lstdc++ -lm" } else { "" };
    quiet_success(&mut kit.plain(&format!("-O1 -w {file} {name} -o plain")));
    stdout(&mut kit.command(kit.path("plain"), argument)).lines().map(str::to_owned).collect()
}

/// The numbers of the lines with a mark, and the mark.
fn marks(source: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(source.lines()).filter_map(|(number, line)| {
        let (_, mark) = line.split_once("/* by_")?;
        Some((number, mark.trim_end_matches(" */")))
    })
}

fn places_are_right(seen: &Recorded, file: &str, source: &str) {
    for (number, mark) in marks(source) {
        let places: Vec<&str> = seen
            .allocs
            .iter()
            .filter(|site| site.0 == format!("by_{mark}") && site.1.starts_with(file))
            .map(|site| site.1.as_str())
            .collect();
        let wanted = format!("{file}:{number}");
        assert!(!places.is_empty() && places.iter().all(|place| *place == wanted), "{mark}: {places:?}");
    }
}

#[test]
fn every_way_of_c_counts_its_bytes() {
    with_each_clang(|kit| {
        kit.write("allocations.c", C);
        let wanted = plain(kit, "allocations.c", "1024");
        for sanitizer in SANITIZERS {
            for optimisation in OPTIMISATIONS {
                build_c(kit, &format!("{optimisation} {sanitizer}"));
                for on in [ALLOC, BLOCKS, On { limit: 0, ..BLOCKS }, On { limit: 0, ..ALLOC }] {
                    let seen = kit.record("c", &["1024"], on);
                    assert_eq!(seen.said, wanted, "{optimisation} {sanitizer} {on:?}");
                    let sums = [
                        ("by_malloc", 1024 + 16),
                        ("by_calloc", 1024),
                        ("by_aligned_alloc", 1024),
                        ("by_memalign", 1024),
                        ("by_posix_memalign", 1024),
                        ("by_strdup", 1024),
                        ("by_strndup", 4),
                        ("by_asprintf", 100),
                        ("by_vasprintf", 50),
                        ("by_hook", 1024),
                        ("by_pointer", 1024),
                    ];
                    for (function, bytes) in sums {
                        assert_eq!(
                            seen.bytes(function),
                            bytes,
                            "{function} {optimisation} {sanitizer} {on:?}"
                        );
                    }
                    // Only growth, and up to sixteen bytes of a block are the library's own.
                    for (function, bytes) in [("by_realloc", 256 + 768), ("by_reallocarray", 768)] {
                        let found = seen.bytes(function);
                        assert!((bytes - 16..=bytes).contains(&found), "{function}: {found}");
                    }
                    assert!(seen.bytes("by_hook_again") <= 16);
                    assert!(seen.refused.is_empty());
                    places_are_right(&seen, "allocations.c", C);
                    if on.blocks {
                        // The text, and what `main` allocates on the way.
                        assert_eq!(seen.live, 1024, "all but the text was freed");
                        assert_eq!(seen.peak, 2048, "{optimisation} {sanitizer}");
                    }
                }
                let off = kit.record("c", &["1024"], OFF);
                assert_eq!(off.said, wanted, "{optimisation} {sanitizer}");
                assert!(off.allocs.iter().all(|site| site.2 == 0));
                assert_eq!(off.counters, kit.record("c", &["1024"], ALLOC).counters);
            }
        }
    });
}

#[test]
fn a_refused_allocation_fails_as_if_there_were_no_memory() {
    with_each_clang(|kit| {
        for sanitizer in SANITIZERS {
            for optimisation in ["-O0", "-O2"] {
                build_c(kit, &format!("{optimisation} {sanitizer}"));
                for blocks in [false, true] {
                    let seen = kit.record("c", &["1000000"], On { limit: 5000, blocks, ..ALLOC });
                    let wanted = [
                        "malloc ENOMEM",
                        "calloc ENOMEM",
                        "aligned_alloc ENOMEM",
                        "memalign ENOMEM",
                        "posix_memalign ENOMEM 1",
                        "strdup yes",
                        "strndup yes",
                        "asprintf yes",
                        "vasprintf yes",
                        "realloc ENOMEM",
                        "still a a",
                        "reallocarray ENOMEM",
                        "still a a",
                        "standard 1 0",
                        "hook ENOMEM",
                        "hook again ENOMEM",
                        "pointer ENOMEM",
                        "own yes",
                    ];
                    assert_eq!(seen.said, wanted, "{optimisation} {sanitizer} {blocks}");
                    assert_eq!(seen.refused, [1_000_000; 10], "{optimisation} {sanitizer} {blocks}");
                    // What was refused is recorded all the same.
                    assert_eq!(seen.bytes("by_malloc"), 1_000_000 + 16);
                    assert_eq!(seen.bytes("by_hook"), 1_000_000);
                }
            }
        }
    });
}

#[test]
fn sums_do_not_overflow_and_an_overflow_is_refused() {
    with_each_clang(|kit| {
        kit.write(
            "huge.c",
            "#include <stdio.h>\n#include <stdlib.h>\nstatic void *volatile kept;\n\
             __attribute__((noinline)) void *by(size_t n, size_t size) { return kept = calloc(n, size); }\n\
             int main(int argc, char **argv) {\n  size_t n = -1, one = argc;\n\
               printf(\"%d\\n\", by(n / 2, 8 * one) == 0);\n  printf(\"%d\\n\", by(n / 2, 8 * one) == 0);\n\
               printf(\"%d\\n\", by(6000, one) == 0);\n  printf(\"%d\\n\", by(60, one) == 0);\n  return 0;\n}\n",
        );
        kit.stand_in();
        kit.cc("-O2 huge.c on.o -o huge");
        let seen = kit.record("huge", &[], On { limit: 5000, ..BLOCKS });
        assert_eq!(seen.said, ["1", "1", "1", "0"]);
        assert_eq!(seen.bytes("by"), u64::MAX);
        assert_eq!(seen.refused, [u64::MAX, u64::MAX, 6000]);
    });
}

#[test]
fn every_way_of_cxx_counts_its_bytes() {
    with_each_clang(|kit| {
        kit.write("allocations.cc", CXX);
        let wanted = plain(kit, "allocations.cc", "1024");
        for sanitizer in SANITIZERS {
            for optimisation in ["-O0", "-O2"] {
                build_cxx(kit, &format!("{optimisation} {sanitizer}"));
                for on in [ALLOC, BLOCKS] {
                    let seen = kit.record("cxx", &["1024"], on);
                    assert_eq!(seen.said, wanted, "{optimisation} {sanitizer}");
                    for function in
                        ["by_new_array", "by_operator", "by_nothrow", "by_aligned", "by_aligned_nothrow"]
                    {
                        assert_eq!(seen.bytes(function), 1024, "{function} {optimisation} {sanitizer}");
                    }
                    assert_eq!((seen.bytes("by_new"), seen.bytes("by_throwing")), (8, 1));
                    assert_eq!(seen.bytes("by_throwing_nothrow"), 1);
                    // Its characters are allocated by code that was compiled elsewhere.
                    assert!(seen.allocs.iter().any(|site| site.2 == 32), "a string: {:?}", seen.allocs);
                    // A vector's, wherever it was inlined.
                    let is_vectors = |site: &(String, String, u64)| {
                        site.1.starts_with("new_allocator.h:") && site.2 == 1024
                    };
                    assert!(seen.allocs.iter().any(is_vectors), "{:?}", seen.allocs);
                    if on.blocks {
                        assert_eq!((seen.live, seen.peak), (0, 1024), "{optimisation} {sanitizer}");
                    }
                }
                assert_eq!(kit.record("cxx", &["1024"], OFF).said, wanted);
            }
        }
    });
}

#[test]
fn cxx_is_refused_by_bad_alloc() {
    with_each_clang(|kit| {
        let mut flags = vec!["", "-static-libstdc++", "-fsanitize=address"];
        let includes = format!("/usr/lib/llvm-{}/include/c++/v1", kit.major);
        if std::path::Path::new(&includes).is_dir() {
            flags.push("-stdlib=libc++");
        }
        for flag in flags {
            for optimisation in ["-O0", "-O2"] {
                build_cxx(kit, &format!("{optimisation} {flag}"));
                let seen = kit.record("cxx", &["1000000"], On { limit: 5000, ..ALLOC });
                let wanted = [
                    "new yes",
                    "new[] bad_alloc",
                    "operator new bad_alloc",
                    "nothrow null",
                    "aligned bad_alloc",
                    "aligned nothrow null",
                    "vector bad_alloc",
                    "throwing constructor",
                    "throwing nothrow constructor",
                    "unique yes",
                ];
                assert_eq!(seen.said, wanted, "{optimisation} {flag}");
                assert!(
                    seen.refused.len() == 6 && seen.refused.iter().all(|size| *size >= 999_936),
                    "{:?}",
                    seen.refused
                );
            }
        }
    });
}
