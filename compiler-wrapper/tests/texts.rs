//! The texts among a program's constants, as the engine is told of them.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod kit;

use kit::{Kit, stdout, with_each_clang};

const C: &str = r#"
#include <stdio.h>
#include <string.h>
#include <waypoint_abi.h>

static const char *const kWords[] = {"while", "until"};
static struct { char name[8]; int value; } table[] = {{"begin", 1}, {"finish", 2}};
static const char kPool[] = "alpha\0beta";

void __waypoint_register(const struct waypoint_object *object) {
  for (const char *text = object->texts_start; text < object->texts_stop; text += strlen(text) + 1) puts(text);
}

int main(int argc, char **argv) {
  const char *word = argc > 1 ? argv[argc] : kWords[argc & 1];
  return word && argc > 9 ? table[argc & 1].value + kPool[argc] : 0;
}
"#;

fn texts(kit: &Kit, flags: &str) -> Vec<String> {
    kit.cc(&format!("-w {flags} texts.c -o texts"));
    stdout(&mut kit.command(kit.path("texts"), "")).lines().map(str::to_owned).collect()
}

#[test]
fn texts_are_noted_wherever_they_stand_and_outlive_the_linker() {
    with_each_clang(|kit| {
        kit.write("texts.c", C);
        for flags in [
            "-O0",
            "-O2",
            "-O1 -fsanitize=address,undefined",
            "-O2 -ffunction-sections -fdata-sections -Wl,--gc-sections",
            "-O2 -fuse-ld=lld -ffunction-sections -fdata-sections -Wl,--gc-sections",
        ] {
            let found = texts(kit, flags);
            for text in ["while", "until", "begin", "finish", "alpha", "beta"] {
                assert!(found.iter().any(|one| one == text), "{flags}: {text} is not in {found:?}");
            }
            let sorted = found.windows(2).all(|pair| pair[0] < pair[1]);
            assert!(sorted, "{flags}: each once and in order: {found:?}");
        }
        assert_eq!(texts(kit, "-O2 --events=edge"), Vec::<String>::new());
    });
}
