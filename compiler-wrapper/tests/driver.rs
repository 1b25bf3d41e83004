//! The wrapper is a drop-in clang: whatever is not about instrumentation behaves exactly as without us.
mod kit;

use kit::{output, with_each_clang};

#[test]
fn questions_are_answered_by_clang() {
    with_each_clang(|kit| {
        kit.write("a.c", "#include <stdio.h>\nint main(void) { return 0; }\n");
        kit.write("a.s", ".globl f\nf: ret\n");
        for line in [
            "--version",
            "-dumpmachine",
            "-dumpversion",
            "-print-prog-name=ld",
            "-print-search-dirs",
            "-print-file-name=libc.so",
            "-E -dM -x c /dev/null",
            "-M a.c",
            "-MM a.c",
            "-fsyntax-only -Werror a.c",
            "-Werror -c a.s -o /dev/null",
            "",
            "-no-such-option",
            "-c no-such-file.c",
        ] {
            let (ours, theirs) =
                (output(&mut kit.wrapper("waypoint-cc", line)), output(&mut kit.plain(line)));
            assert_eq!(ours.status.code(), theirs.status.code(), "{line}: {ours:?}");
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            // By which headers tell.
            let said = text(&ours.stdout).replace("#define __WAYPOINT__ 1\n", "");
            assert_eq!(said, text(&theirs.stdout), "{line}");
            assert_eq!(text(&ours.stderr), text(&theirs.stderr), "{line}");
        }
    });
}

#[test]
fn no_flag_of_ours_is_unused() {
    with_each_clang(|kit| {
        kit.write("a.c", "int main(void) { return 0; }\n");
        kit.write("asm.s", ".globl f\nf: ret\n.section .note.GNU-stack,\"\",@progbits\n");
        kit.write(
            "cpp.S",
            "#define NAME g\n.globl NAME\nNAME: ret\n.section .note.GNU-stack,\"\",@progbits\n",
        );
        kit.write("a.h", "int header;\n");
        for line in [
            "-c a.c",
            "-S a.c -o /dev/null",
            "-E a.c -o /dev/null",
            "-c asm.s",
            "-c cpp.S",
            "-c -x assembler asm.s",
            "-x c-header a.h -o a.pch",
            "a.o asm.o cpp.o -o a",
            "a.c asm.s -o a",
            "-shared -fPIC asm.o -o a.so",
            "-fsanitize=fuzzer -c a.c",
            "-fsanitize=fuzzer-no-link a.c -o a",
            "-fsanitize=fuzzer -shared -fPIC a.c -o a.so",
            "-std=c17 -pedantic -Wall -Wextra -Weverything -Wno-missing-prototypes -O2 -c a.c",
        ] {
            kit.cc(&format!("-Werror {line}"));
        }
    });
}

#[test]
fn assembly_made_by_clang_assembles_again() {
    with_each_clang(|kit| {
        kit.write(
            "a.c",
            "int f(int a) { return a ? 3 : 4; }\nint main(int c, char **v) { (void)v; return f(c) - 3; }\n",
        );
        for debug in ["-g", ""] {
            kit.cc(&format!("-Werror {debug} -S a.c"));
            kit.cc(&format!("-Werror {debug} a.s -o a"));
            kit::quiet_success(&mut kit.command(kit.path("a"), ""));
        }
    });
}

#[test]
fn standard_input_and_response_files_are_inputs() {
    with_each_clang(|kit| {
        kit.write("a.c", "int main(void) { return 0; }\n");
        kit.write("args", "-O2 'a.c' -o \"a b\"");
        kit.cc("@args");
        kit::quiet_success(&mut kit.command(kit.path("a b"), ""));
        let mut piped = kit.wrapper("waypoint-cc", "-Werror -x c - -o piped");
        piped.stdin(std::fs::File::open(kit.path("a.c")).unwrap());
        kit::quiet_success(&mut piped);
        kit::quiet_success(&mut kit.command(kit.path("piped"), ""));
    });
}

#[test]
fn waypoint_h_is_found_but_hides_nothing() {
    with_each_clang(|kit| {
        kit.write("a.c", "#include <waypoint_abi.h>\nint version = WAYPOINT_ABI_VERSION;\n");
        kit.cc("-Werror -c a.c");
        std::fs::create_dir(kit.path("own")).unwrap();
        kit.write(
            "own/waypoint_abi.h",
            "#define WAYPOINT_ABI_VERSION own_version\nextern int own_version;\n",
        );
        for flag in ["-I", "-isystem"] {
            let own = kit::stdout(&mut kit.wrapper("waypoint-cc", &format!("-E -P a.c {flag} own")));
            assert!(own.contains("own_version"), "{flag}: {own}");
        }
    });
}

#[test]
fn wrong_settings_are_one_sentence() {
    with_each_clang(|kit| {
        kit.write("a.c", "int main(void) { return 0; }\n");
        let fails = |set: &[(&str, &str)], line: &str, wanted: &str| {
            let mut command = kit.wrapper("waypoint-cc", line);
            command.envs(set.iter().copied());
            let done = output(&mut command);
            let said = String::from_utf8(done.stderr).unwrap();
            assert_eq!(done.status.code(), Some(1), "{said}");
            assert_eq!(said.lines().count(), 1, "{said}");
            assert!(said.starts_with("waypoint-cc: ") && said.contains(wanted), "{said}");
        };
        fails(&[], "--events=edges a.c", "there is no event `edges`");
        fails(&[("WAYPOINT_EVENTS", "egde")], "a.c", "did you mean `edge`?");
        fails(&[("WAYPOINT_CLANG", "/nowhere/clang")], "a.c", "is not there");
        fails(&[("WAYPOINT_CLANG", "/bin/true")], "a.c", "not a clang");
        fails(&[("WAYPOINT_CLANG", env!("CARGO_BIN_EXE_waypoint-cc"))], "a.c", "the wrapper itself");
        kit.cc("--events=edge -c a.c");
        kit::quiet_success(kit.wrapper("waypoint-cc", "--events=edge -c a.c").env("WAYPOINT_EVENTS", "egde"));
    });
}

#[test]
fn an_old_clang_is_refused() {
    with_each_clang(|kit| {
        let old = kit.path("clang");
        kit.write("clang", "#!/bin/sh\necho 'Debian clang version 14.0.6'\n");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&old, mode).unwrap();
        let said = kit::stderr(kit.wrapper("waypoint-cc", "-c a.c").env("WAYPOINT_CLANG", &old));
        assert!(said.contains("clang 14") && said.contains("19 to 22"), "{said}");
    });
}

#[test]
fn the_files_in_use_can_be_asked_for() {
    with_each_clang(|kit| {
        let paths = kit::stdout(&mut kit.wrapper("waypoint-c++", "--waypoint-paths"));
        let keys: Vec<&str> = paths.lines().filter_map(|line| line.split(':').next()).collect();
        assert_eq!(keys, ["clang", "plugin", "engine", "include", "recorders"]);
        assert!(paths.contains(&format!("clang: /usr/lib/llvm-{}/bin/clang++\n", kit.major)), "{paths}");
        assert!(paths.contains(&format!("waypoint-plugin-{}.so", kit.major)), "{paths}");
        let help = kit::stdout(&mut kit.wrapper("waypoint-cc", "--waypoint-help"));
        for word in ["--events=LIST", "edge", "WAYPOINT_CLANG", "-fsanitize=fuzzer"] {
            assert!(help.contains(word), "{help}");
        }
    });
}
