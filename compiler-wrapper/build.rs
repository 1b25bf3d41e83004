//! Builds what the wrapper adds to clang: the recorders, and one pass plugin for every LLVM found.
//!
//! No LLVM, or one without headers, is a warning and never a failed build: the wrapper falls back to calls.
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "src/versions.rs"]
mod versions;

const PLUGIN_SOURCES: [&str; 14] = [
    "plugin.cpp",
    "recorders.cpp",
    "describe.cpp",
    "lines.cpp",
    "slots.cpp",
    "signature.cpp",
    "allocations.cpp",
    "comparisons.cpp",
    "strings.cpp",
    "transitions.cpp",
    "versions.cpp",
    "stack.cpp",
    "output.cpp",
    "texts.cpp",
];
/// One file an event, and one for what the C++ library compares; only the first can be called without a plugin.
const RECORDER_SOURCES: [&str; 7] = ["edge.c", "cmp.c", "strings.c", "alloc.c", "diff.c", "stack.c", "out.c"];

fn main() {
    let crate_dir = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let runtime = crate_dir.join("../runtime");
    for watched in ["build.rs", "plugin", "src/versions.rs"] {
        println!("cargo:rerun-if-changed={}", crate_dir.join(watched).display());
    }
    println!("cargo:rerun-if-changed={}", runtime.join("recorders").display());
    println!("cargo:rerun-if-changed={}", runtime.join("include/waypoint_abi.h").display());
    println!("cargo:rerun-if-env-changed=WAYPOINT_CLANG");

    let include = runtime.join("include");
    let include = include.canonicalize().unwrap_or(include);
    println!("cargo:rustc-env=WAYPOINT_INCLUDE={}", include.display());
    link_cxx(&out);

    let job = Job { plugin_dir: crate_dir.join("plugin"), runtime, out };
    let llvms = find_llvms();
    if llvms.is_empty() {
        println!(
            "cargo:warning=no LLVM {} to {} found; install one (apt install clang-19 llvm-19-dev, or newer) and rebuild",
            versions::OLDEST,
            versions::NEWEST
        );
    }
    let object_compiler = llvms.first().map_or_else(|| PathBuf::from("cc"), |llvm| llvm.bin.join("clang"));
    if let Err(why) = job.recorder_object(&object_compiler) {
        println!("cargo:warning={why}");
    }
    // Each plugin costs some ten seconds of compiling LLVM's headers.
    std::thread::scope(|scope| {
        for llvm in &llvms {
            scope.spawn(|| {
                if let Err(why) = job.plugin(llvm) {
                    println!(
                        "cargo:warning=no pass plugin for clang {0}, which will run instrumented code slower; install llvm-{0}-dev and rebuild ({why})",
                        llvm.major
                    );
                }
            });
        }
    });
}

/// The wrapper decides by its name between C and C++, and cargo cannot build a binary with a `+` in its name.
fn link_cxx(out: &Path) {
    // OUT_DIR is <target>/<profile>/build/<package>/out.
    let Some(profile) = out.ancestors().nth(3) else { return };
    let link = profile.join("waypoint-c++");
    let _ = fs::remove_file(&link);
    if let Err(error) = std::os::unix::fs::symlink("waypoint-cc", &link) {
        println!("cargo:warning={} cannot be made a link to waypoint-cc: {error}", link.display());
    }
}

/// An installed LLVM: its `bin` folder.
struct Llvm {
    major: u32,
    bin: PathBuf,
}

fn find_llvms() -> Vec<Llvm> {
    let mut found: Vec<Llvm> = Vec::new();
    let mut candidates = Vec::new();
    if let Some(clang) = env::var_os("WAYPOINT_CLANG").and_then(|name| versions::on_path(&name)) {
        // A symbolic link such as /usr/bin/clang-22 leads to the folder that has everything else.
        let clang = fs::canonicalize(&clang).unwrap_or(clang);
        candidates.push(clang.with_file_name("llvm-config"));
    }
    for major in versions::newest_first() {
        candidates.push(PathBuf::from(format!("/usr/lib/llvm-{major}/bin/llvm-config")));
        candidates.extend(versions::on_path(format!("llvm-config-{major}").as_ref()));
    }
    for config in candidates {
        // Only of what exists: cargo would build everything anew each time a watched file is missing.
        if !config.is_file() {
            continue;
        }
        println!("cargo:rerun-if-changed={}", config.display());
        let Some(version) = ask(&config, "--version") else { continue };
        let Some(major) = versions::major_of(&version) else { continue };
        let Some(bin) = ask(&config, "--bindir").map(PathBuf::from) else { continue };
        let new = found.iter().all(|llvm| llvm.major != major);
        if new && versions::is_supported(major) && bin.join("clang").is_file() {
            found.push(Llvm { major, bin });
        }
    }
    found
}

fn ask(config: &Path, what: &str) -> Option<String> {
    let answer = Command::new(config).arg(what).output().ok().filter(|answer| answer.status.success())?;
    Some(String::from_utf8_lossy(&answer.stdout).trim().to_owned())
}

struct Job {
    plugin_dir: PathBuf,
    runtime: PathBuf,
    out: PathBuf,
}

impl Job {
    /// The recorders to be called, for a clang without plugin. An object has no LLVM version, so one serves all.
    fn recorder_object(&self, compiler: &Path) -> Result<(), String> {
        let mut command = self.recorders(compiler);
        command.arg(self.runtime.join("recorders").join(RECORDER_SOURCES[0]));
        run(command.arg("-ffunction-sections").arg("-o").arg(self.out.join("waypoint-recorders.o")))
    }

    fn recorders(&self, compiler: &Path) -> Command {
        let mut command = Command::new(compiler);
        command.args(["-c", "-O2", "-fPIC", "-Wall", "-Wextra", "-Werror"]);
        // They become part of other people's functions: no strict aliasing, no stack protector, no unwind tables.
        command.args(["-fno-strict-aliasing", "-fno-stack-protector", "-fno-asynchronous-unwind-tables"]);
        // Exceptions of operator new pass through them; and no loop may turn into a call of strlen.
        command.args(["-fexceptions", "-fno-builtin", "-fno-plt"]);
        command.arg("-I").arg(self.runtime.join("include")).arg("-I").arg(self.runtime.join("recorders"));
        command
    }

    /// One unit out of several files.
    fn unit(&self, name: &str, files: &[&str]) -> Result<PathBuf, String> {
        let unit = self.out.join(name);
        let includes: String = files.iter().map(|name| format!("#include \"{name}\"\n")).collect();
        fs::write(&unit, includes).map_err(|error| format!("{}: {error}", unit.display()))?;
        Ok(unit)
    }

    fn plugin(&self, llvm: &Llvm) -> Result<(), String> {
        let plugin = self.out.join(format!("waypoint-plugin-{}.so", llvm.major));
        // What an earlier build left must not be taken for the result of a failed one.
        let _ = fs::remove_file(&plugin);
        let bitcode = self.out.join(format!("recorders-{}.bc", llvm.major));
        let all = self.unit(&format!("recorders-{}.c", llvm.major), &RECORDER_SOURCES)?;
        let mut recorders = self.recorders(&llvm.bin.join("clang"));
        run(recorders.arg(all).arg("-emit-llvm").arg("-o").arg(&bitcode))?;
        // LLVM's headers are most of the work.
        let unit = self.unit(&format!("plugin-{}.cpp", llvm.major), &PLUGIN_SOURCES)?;

        let flags =
            ask(&llvm.bin.join("llvm-config"), "--cxxflags").ok_or("llvm-config --cxxflags failed")?;
        let clang = llvm.bin.join("clang++");
        let compiler = if clang.is_file() { clang } else { PathBuf::from("g++") };
        let mut command = Command::new(compiler);
        command.args(flags.split_whitespace());
        command.args(["-fno-rtti", "-O1", "-g0", "-fPIC", "-fvisibility=hidden", "-shared"]);
        command.arg("-I").arg(&self.plugin_dir).arg("-I").arg(self.runtime.join("include"));
        command.arg(format!("-DWAYPOINT_RECORDERS_BC=\"{}\"", bitcode.display()));
        let fresh = self.out.join(format!("waypoint-plugin-{}.new", llvm.major));
        run(command.arg(&unit).arg("-o").arg(&fresh))?;
        fs::rename(&fresh, &plugin).map_err(|error| format!("{}: {error}", plugin.display()))
    }
}

fn run(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    match command.output() {
        Ok(done) if done.status.success() => Ok(()),
        Ok(done) => {
            let stderr = String::from_utf8_lossy(&done.stderr).into_owned();
            let first = stderr.lines().find(|line| line.contains("error")).unwrap_or("no message");
            Err(format!("{program} failed: {first}"))
        }
        Err(error) => Err(format!("{program} cannot be started: {error}")),
    }
}
