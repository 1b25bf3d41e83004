//! An installed wrapper finds its files beside itself, and links the engine for `-fsanitize=fuzzer`.

#![allow(clippy::unwrap_used, reason = "these are tests")]
mod kit;

use kit::{Kit, output, quiet_success, stderr, stdout, with_each_clang};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
const HARNESS: &str = "#include <stddef.h>\n#include <stdint.h>\nint engine_extra(void);\n\
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {\n\
      return size && data[0] == 'x' ? engine_extra() : 1;\n}\n";

/// Installs a wrapper in `prefix`, with a small archive in place of the engine if wanted.
fn install(kit: &Kit, engine: bool) {
    let lib = kit.path("prefix/lib/waypoint");
    fs::create_dir_all(&lib).unwrap();
    fs::create_dir_all(kit.path("prefix/bin")).unwrap();
    fs::copy(env!("CARGO_BIN_EXE_waypoint-cc"), kit.path("prefix/bin/waypoint-cc")).unwrap();
    symlink("waypoint-cc", kit.path("prefix/bin/waypoint-c++")).unwrap();
    let paths = stdout(&mut kit.wrapper("waypoint-cc", "--waypoint-paths"));
    let built = |key: &str| {
        let line = paths.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
        std::path::PathBuf::from(line.unwrap())
    };
    for key in ["plugin", "recorders"] {
        let file = built(key);
        fs::copy(&file, lib.join(file.file_name().unwrap())).unwrap();
    }
    let include = built("include");
    symlink(&include, lib.join("include")).unwrap();
    if engine {
        for unit in ["engine", "engine_extra"] {
            let line = format!("-O1 -fPIC -I {} -c {DATA}/{unit}.c -o {unit}.o", include.display());
            quiet_success(&mut kit.plain(&line));
        }
        let archive = lib.join("libwaypoint_engine.a");
        quiet_success(&mut kit.command("ar", &format!("rcs {} engine.o engine_extra.o", archive.display())));
    }
}

fn installed(kit: &Kit, name: &str, line: &str) -> Command {
    let mut command = kit.command(kit.path("prefix/bin").join(name), line);
    command.env("WAYPOINT_CLANG", format!("clang-{}", kit.major));
    command
}

#[test]
fn an_installed_wrapper_uses_what_lies_beside_it() {
    with_each_clang(|kit| {
        install(kit, true);
        let paths = stdout(&mut installed(kit, "waypoint-c++", "--waypoint-paths"));
        assert!(paths.contains(&format!("clang++-{}", kit.major)), "{paths}");
        let prefix = fs::canonicalize(kit.path("prefix")).unwrap();
        for key in ["plugin", "engine", "recorders"] {
            assert!(paths.contains(&format!("{key}: {}/lib/waypoint/", prefix.display())), "{paths}");
        }
    });
}

#[test]
fn fuzzer_links_the_engine_into_programs() {
    with_each_clang(|kit| {
        install(kit, true);
        kit.write("h.c", HARNESS);
        for line in [
            "-fsanitize=fuzzer h.c -o h",
            "-fsanitize=fuzzer -fuse-ld=lld h.c -o h",
            "-fsanitize=fuzzer,address h.c -o h",
            "-fsanitize=address,undefined,fuzzer -O2 h.c -o h",
            "-fsanitize=fuzzer -x c h.c -o h",
            "-fsanitize=fuzzer -static h.c -o h",
            "-fsanitize=fuzzer -o h -- h.c",
        ] {
            quiet_success(&mut installed(kit, "waypoint-cc", &format!("-Werror {line}")));
            let said = stdout(&mut kit.command(kit.path("h"), ""));
            assert_eq!(said, "registered 1\nharness said 42\n", "{line}");
            let checked = kit.symbols("h").contains("__asan_init");
            assert_eq!(checked, line.contains("address"), "{line}");
        }
        // Objects that are loaded later find the engine by name.
        quiet_success(&mut installed(kit, "waypoint-cc", "-fsanitize=fuzzer h.c -o h"));
        let exported = stdout(&mut kit.command("nm", "-D h"));
        assert!(
            exported.contains(" __waypoint_register") && !exported.contains("w __waypoint"),
            "{exported}"
        );
    });
}

#[test]
fn without_an_engine_only_linking_it_fails() {
    with_each_clang(|kit| {
        install(kit, false);
        kit.write("h.c", HARNESS);
        quiet_success(&mut installed(kit, "waypoint-cc", "-fsanitize=fuzzer -c h.c"));
        let done = output(&mut installed(kit, "waypoint-cc", "-fsanitize=fuzzer h.o -o h"));
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(1));
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.contains("libwaypoint_engine.a"), "{said}");
    });
}

#[test]
fn a_misspelt_variable_is_mentioned_when_the_engine_is_linked() {
    with_each_clang(|kit| {
        install(kit, true);
        kit.write("h.c", HARNESS);
        let with_typo = |line: &str| {
            let mut command = installed(kit, "waypoint-cc", line);
            command.env("WAYPOINT_EVENT", "edge");
            stderr(&mut command)
        };
        assert_eq!(with_typo("-c h.c"), "");
        assert_eq!(
            with_typo("-fsanitize=fuzzer h.c -o h"),
            "waypoint-cc: warning: there is no variable `WAYPOINT_EVENT` (did you mean `WAYPOINT_EVENTS`?)\n"
        );
    });
}
