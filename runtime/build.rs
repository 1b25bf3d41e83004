//! Compiles the few lines of C that must live in the target: weak hooks, `main`, and the recorders for objects
//! that another compiler instrumented with calls.
fn main() {
    let sources = ["c/hooks.c", "c/leaks.c", "c/main.c", "c/sections.c", "recorders/edge.c"];
    for file in sources.iter().chain(&["include/waypoint_abi.h", "recorders/recorders.h"]) {
        println!("cargo:rerun-if-changed={file}");
    }
    println!("cargo:rerun-if-changed=c/call.c");
    cc::Build::new()
        .file("c/call.c")
        .flag("-fno-asynchronous-unwind-tables")
        .flag("-fno-unwind-tables")
        .flag("-fno-omit-frame-pointer")
        .warnings(true)
        .pic(true)
        .compile("waypoint_call");
    cc::Build::new().files(sources).include("include").warnings(true).pic(true).compile("waypoint_hooks");
}
