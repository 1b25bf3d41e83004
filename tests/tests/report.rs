//! The report of a campaign, looked at in a real browser.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::{fs, process::Command};

use waypoint_tests::{Scratch, program};

/// Allocates as many bytes as the input has, compares, loops, aborts behind "CR", and has a line that nothing reaches.
const TARGET: &str = r#"#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
static volatile int sink;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *volatile copy = malloc(size + 1000);
  for (size_t i = 0; i < size; i++)
    sink += data[i];
  free(copy);
  if (size > 2 && data[0] == 'C' && data[1] == 'R')
    abort();
  if (size == 12345)
    sink = 7;
  return 0;
}
"#;

/// The document as a browser has it once its script has run.
fn look(scratch: &Scratch, page: &str) -> String {
    let browser = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()))
        .expect("a browser is missing; run scripts/setup --tests, which installs chromium");
    let profile = scratch.path("profile");
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--dump-dom",
        ])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", scratch.path(page).display()))
        .output()
        .unwrap();
    let document = String::from_utf8(output.stdout).unwrap();
    assert!(
        document.contains("data-ready=\"yes\"") && !document.contains("data-error"),
        "the page's script failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    // The data is part of the document; what counts is what was drawn from it.
    let (before, rest) = document.split_once("<script type=\"application/json\"").unwrap();
    format!("{before}{}", rest.split_once("</script>").unwrap().1)
}

/// The text of the row that the browser shows for a line of the source: its class and its cells.
fn row(document: &str, line: u32) -> &str {
    let at = document.find(&format!("data-line=\"{line}\"")).unwrap_or_else(|| panic!("no line {line}"));
    let start = document[..at].rfind("<tr").unwrap();
    &document[start..start + document[start..].find("</tr>").unwrap()]
}

fn campaign(scratch: &Scratch) {
    let source = scratch.write("target.c", TARGET);
    let fuzzer = scratch.build("target", &source, ["-g", "-O1", "-fsanitize=fuzzer"]);
    scratch.write("seeds/crash", "CRASH");
    let markup = "</script><script>document.documentElement.dataset.error='markup'</script>";
    scratch.write("seeds/long", format!("{markup:x<5000}"));
    let arguments = ["-i", "seeds", "-o", "out", "--domain", "mem,cmp,perf", "--runs", "500", "--seed", "1"];
    scratch.run(&fuzzer, arguments).expect(0);
}

#[test]
fn a_person_sees_the_campaign() {
    let scratch = Scratch::new();
    campaign(&scratch);
    let run = scratch.run(&program("waypoint"), ["report", "out", "-o", "page.html"]).expect(0);
    assert!(
        run.stderr.contains("page.html: ") && run.stderr.contains(" 1 finding, 1 source file"),
        "{run:?}"
    );
    // The name of a language is an address too, but nothing that a browser would load.
    let page =
        fs::read_to_string(scratch.path("page.html")).unwrap().replace("http://www.w3.org/2000/svg", "");
    assert!(!page.contains("http://") && !page.contains("https://"), "the page refers to something outside");

    let document = look(&scratch, "page.html#source=target.c:11");
    // Growth: corpus, edges and each domain have a curve.
    for chart in ["corpus", "edges", "mem: best", "cmp: keys", "perf: best", "slow: best"] {
        assert!(document.contains(&format!("aria-label=\"{chart}\"")), "no chart of {chart}");
    }
    // Findings with their stacks.
    assert!(document.contains("<b>crash (SIGABRT) in LLVMFuzzerTestOneInput"), "{document}");
    assert!(document.contains("#0 LLVMFuzzerTestOneInput"), "{document}");
    // Holders: the largest allocation is that of the longest input.
    let holders = &document[document.find("id=\"keys\"").unwrap()..];
    let largest = &holders[..holders.find("</tbody>").unwrap()];
    assert!(
        largest.contains("6000 bytes") && largest.contains("target.c:6 LLVMFuzzerTestOneInput"),
        "{largest}"
    );
    assert!(largest.contains(",orig:long"), "{largest}");
    // Source with its heat.
    let (allocation, body, unreached) = (row(&document, 6), row(&document, 8), row(&document, 13));
    assert!(
        allocation.contains("class=\"reached\"") && allocation.contains("<b>6000 bytes</b>"),
        "{allocation}"
    );
    assert!(body.contains("4 999 times in one run") && body.contains("sink += data[i];"), "{body}");
    assert!(unreached.contains("class=\"unreached\""), "{unreached}");
    assert!(row(&document, 12).contains("≠"), "{}", row(&document, 12));
    assert!(row(&document, 11).contains("chosen"), "the address asked for this line");
    assert!(row(&document, 1).contains("class=\"\""), "a line without code is neither reached nor unreached");
    // Bytes of inputs are text, whatever they say.
    assert!(document.contains("&lt;/script&gt;&lt;script&gt;document"), "{document}");
}

#[test]
fn what_cannot_be_reported_is_said_in_a_sentence() {
    let scratch = Scratch::new();
    let waypoint = program("waypoint");
    fs::create_dir(scratch.path("empty")).unwrap();
    let run = scratch.run(&waypoint, ["report", "empty"]).expect(1);
    assert!(run.stderr.starts_with("waypoint: empty holds no campaign; name the OUT"), "{}", run.stderr);
    campaign(&scratch);
    let moved = scratch.path("moved");
    fs::rename(scratch.path("target"), &moved).unwrap();
    let run = scratch.run(&waypoint, ["report", "out"]).expect(1);
    assert!(run.stderr.contains("build it again, or name another with --target"), "{}", run.stderr);
    scratch.run(&waypoint, ["report", "out", "--target", "./moved", "-o", "here.html"]).expect(0);
    assert!(scratch.path("here.html").exists());
    let run =
        scratch.run(&waypoint, ["report", "out", "--target", "./moved", "-o", "no/where.html"]).expect(1);
    assert_eq!(
        run.stderr,
        "waypoint: the directory of no/where.html is not there; make it first, or give -o another name\n",
        "before anything is run"
    );
    let run = scratch.run(&waypoint, ["report", "out", "--target", "./moved", "-o", "empty"]).expect(1);
    assert_eq!(run.stderr, "waypoint: empty is a directory; give -o the name of a file\n");
}

#[test]
fn only_the_campaigns_own_findings_are_reported() {
    let scratch = Scratch::new();
    campaign(&scratch);
    let crash = scratch.files("out/default/crashes").remove(0);
    scratch.run(&scratch.path("target"), ["minimize".as_ref(), crash.as_os_str()]).expect(0);
    scratch.write("out/default/crashes/notes", "CRASH");
    assert_eq!(scratch.files("out/default/crashes").len(), 3);
    let run = scratch.run(&program("waypoint"), ["report", "out", "-o", "page.html"]).expect(0);
    assert!(run.stderr.contains(" and 1 finding again"), "{}", run.stderr);
}
