//! Hostile corpora: what is no plain file, too large, unreadable or oddly named is skipped with one line.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::{
    ffi::OsStr,
    fs::{self, File},
    os::unix::{
        ffi::OsStrExt,
        fs::{PermissionsExt, symlink},
    },
    process::{Command, Stdio},
    time::Duration,
};

use waypoint_tests::Scratch;

const TARGET: &str = "#include <stddef.h>\n#include <stdint.h>\nstatic volatile int sink;\n\
    int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) { if (n > 2 && d[0] == 'g') sink++; return 0; }";

#[test]
fn only_plain_files_of_a_sane_size_are_seeds() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(TARGET);
    scratch.write("seeds/good", "good");
    scratch.write("elsewhere/secret", "not a seed");
    scratch.write("seeds/folder/below", "not looked at");
    symlink(scratch.path("elsewhere/secret"), scratch.path("seeds/link")).unwrap();
    symlink("/dev/zero", scratch.path("seeds/endless")).unwrap();
    symlink("nowhere", scratch.path("seeds/dangling")).unwrap();
    assert!(Command::new("mkfifo").arg(scratch.path("seeds/fifo")).status().unwrap().success());
    File::create(scratch.path("seeds/huge")).unwrap().set_len(1 << 40).unwrap();
    let odd: [&[u8]; 4] = [b"-o", b"new\nline;rm -rf *", b"\xff\xfe not text", &[b'n'; 250]];
    for name in odd {
        fs::write(scratch.path("seeds").join(OsStr::from_bytes(name)), [b"go", name].concat()).unwrap();
    }
    let unreadable = scratch.write("seeds/unreadable", "go away");
    fs::set_permissions(&unreadable, fs::Permissions::from_mode(0o0)).unwrap();

    let run = scratch.run(&fuzzer, ["-i", "seeds", "-o", "out", "--runs", "300"]).expect(0);
    for skipped in ["link", "endless", "dangling", "fifo"] {
        let line =
            format!("skipped the seed {}: not a regular file", scratch.path("seeds").join(skipped).display());
        assert_eq!(run.stderr.matches(&line).count(), 1, "{skipped}:\n{}", run.stderr);
    }
    assert!(
        run.stderr.contains("seeds/huge: 1099511627776 bytes are more than --max-len 1048576"),
        "{}",
        run.stderr
    );
    assert!(!run.stderr.contains("not a seed") && !run.stderr.contains("folder"), "{}", run.stderr);
    let names: Vec<String> = scratch
        .files("out/default/queue")
        .iter()
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert!(
        names.iter().all(|name| !name.contains([';', '\n', '*', '\u{fffd}']) && name.len() < 200),
        "{names:?}"
    );
    assert!(names.iter().any(|name| name.contains("orig:")), "{names:?}");
}

#[test]
fn a_fuzzer_opens_no_socket() {
    let scratch = Scratch::new();
    let fuzzer = scratch.fuzzer(TARGET);
    let mut fuzzing = Command::new(&fuzzer);
    let fuzzing = fuzzing.args(["-o", "out"]).current_dir(scratch.path("")).stderr(Stdio::null());
    let mut fuzzing = fuzzing.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    while !scratch.path("out/default/fuzzer_stats").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(200));
    let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", fuzzing.id())).unwrap();
    let worker = children.split_whitespace().next().unwrap().to_owned();
    let open = |process: &str| -> Vec<String> {
        let links = fs::read_dir(format!("/proc/{process}/fd"))
            .unwrap()
            .filter_map(|fd| fs::read_link(fd.unwrap().path()).ok());
        links.map(|link| link.display().to_string()).collect()
    };
    let all = [open(&fuzzing.id().to_string()), open(&worker)].concat();
    fuzzing.kill().unwrap();
    fuzzing.wait().unwrap();
    assert!(!all.is_empty() && all.iter().all(|link| !link.contains("socket:")), "{all:?}");
}
