//! Objects of instrumented code link however a project links them, and register once each.
mod kit;

use kit::{Kit, with_each_clang};

const LINKERS: [&str; 2] = ["bfd", "lld"];

fn write_cxx(kit: &Kit) {
    let shared = "#include <stdexcept>\n#include <string>\n#include <vector>\n\
        template <class T> T largest(const std::vector<T> &all) {\n\
          if (all.empty()) throw std::runtime_error(\"empty\");\n\
          T best = all[0];\n\
          for (const T &one : all) if (best < one) best = one;\n\
          return best;\n}\n\
        inline int twice(int a) { return a > 5 ? a * 2 : a + a; }\n\
        int other();\n";
    kit.write("shared.h", shared);
    kit.write(
        "one.cc",
        "#include \"shared.h\"\n#include <cstdio>\nint main() {\n  int caught = 0;\n\
         try { largest(std::vector<int>()); } catch (const std::exception &e) { caught = 1; }\n\
         std::printf(\"%d %d %d %d\\n\", caught, largest(std::vector<int>{1, 5, 3}), other(), twice(7));\n}\n",
    );
    kit.write(
        "two.cc",
        "#include \"shared.h\"\nint other() { return largest(std::vector<int>{2, 9}) + twice(3); }\n\
         int unused(int a) { return a ? 3 : 4; }\n",
    );
}

#[test]
fn templates_and_exceptions_across_units() {
    with_each_clang(|kit| {
        write_cxx(kit);
        kit.observer();
        for linker in LINKERS {
            for sections in ["", "-ffunction-sections -fdata-sections -Wl,--gc-sections"] {
                for optimisation in ["-O0", "-O2"] {
                    let setting = format!("-fuse-ld={linker} {sections} {optimisation}");
                    kit.cxx(&format!(
                        "{optimisation} {sections} -c one.cc two.cc -Wno-unused-command-line-argument"
                    ));
                    kit.cxx(&format!("{setting} one.o two.o observer.o -o both"));
                    let seen = kit.observe("both");
                    assert_eq!(seen.said, ["1 5 15 14"], "{setting}");
                    let (counters, functions) = seen.objects[0];
                    assert_eq!(functions, seen.functions.len());
                    // In step: records and counters were kept or dropped together, and each template once.
                    let total: usize = seen.functions.iter().map(|function| function.1 as usize).sum();
                    assert_eq!(total, counters, "{setting}");
                    let mut names: Vec<&String> = seen.functions.iter().map(|function| &function.0).collect();
                    names.sort();
                    let all = names.len();
                    names.dedup();
                    assert_eq!(names.len(), all, "{setting}: a function is there twice");
                }
            }
        }
    });
}

#[test]
fn shared_objects_and_archives_register() {
    with_each_clang(|kit| {
        kit.write("lib.c", "#include <stdlib.h>\nint lib(int a) { return a > 1 ? abs(a) : 7; }\n");
        kit.write("main.c", "int lib(int);\nint main(int c, char **v) { (void)v; return lib(c) - 7; }\n");
        kit.observer();
        for linker in LINKERS {
            kit.cc(&format!("-O2 -fPIC -shared -Wl,-z,defs -fuse-ld={linker} lib.c -o liblib.so"));
            kit.cc(&format!(
                "-O2 main.c observer.o -fuse-ld={linker} -L. -llib -Wl,-rpath,$ORIGIN -o dynamic -rdynamic"
            ));
            let mut objects = kit.observe("dynamic").objects;
            objects.sort_unstable();
            assert_eq!(objects, [(1, 1), (3, 1)], "{linker}");

            kit.cc("-O2 -c lib.c");
            kit::quiet_success(&mut kit.command("ar", "rcs liblib.a lib.o"));
            kit.cc(&format!("-O2 main.c observer.o -fuse-ld={linker} liblib.a -o static"));
            assert_eq!(kit.observe("static").objects, [(4, 2)], "{linker}");

            kit.cc("-O2 -c main.c");
            kit.cc(&format!("-r -fuse-ld={linker} -nostdlib main.o lib.o -o merged.o"));
            kit.cc(&format!("merged.o observer.o -fuse-ld={linker} -o merged"));
            assert_eq!(kit.observe("merged").objects, [(4, 2)], "{linker}");
        }
    });
}

#[test]
fn every_link_has_a_build_id() {
    with_each_clang(|kit| {
        kit.write("a.c", "int main(void) { return 0; }\n");
        for line in ["a.c -o a", "-shared -fPIC a.c -o a", "-static a.c -o a"] {
            kit.cc(line);
            let notes = kit::stdout(&mut kit.command("readelf", "-n a"));
            assert!(notes.contains("Build ID"), "{line}:\n{notes}");
        }
    });
}

#[test]
fn without_the_plugin_the_same_is_registered() {
    with_each_clang(|kit| {
        kit.write("sample.c", include_str!("data/sample.c"));
        kit.write("lib.c", "int lib(int a) { return a > 1 ? a * 3 : 7; }\n");
        kit.observer();
        kit.cc("-O2 sample.c observer.o -o inlined");
        let inlined = kit.observe("inlined one abc");
        let slow = |line: &str| {
            let mut command = kit.wrapper("waypoint-cc", line);
            command.env("WAYPOINT_NO_PLUGIN", "1");
            command
        };
        let said = kit::stderr(&mut slow("-O2 -c sample.c"));
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.contains("recorded by calls") && said.contains("unset WAYPOINT_NO_PLUGIN"), "{said}");
        // And never again.
        kit::quiet_success(&mut slow("-O2 -Werror sample.c observer.o -o called"));
        let called = kit.observe("called one abc");
        assert_eq!(called.said, inlined.said);
        assert_eq!(called.counters, inlined.counters);
        assert_eq!(called.objects, [(inlined.counters.len(), 0)]);

        kit::quiet_success(&mut slow("-O2 -fPIC -shared -Wl,-z,defs lib.c -o lib.so"));
        kit::quiet_success(&mut slow("-O2 -fsanitize=address,undefined sample.c observer.o -o checked"));
        assert_eq!(kit.observe("checked one abc").said, inlined.said);
        kit::quiet_success(&mut slow("-O2 sample.c -o alone"));
        assert_eq!(kit.observe("alone one abc").said, inlined.said);
    });
}
