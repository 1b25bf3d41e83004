//! The compiler wrapper: reads a clang command line, adds the instrumentation, and becomes clang.
//!
//! `invocation` says what the user asked for, `clang` and `files` what there is to do it with, `command` what clang
//! is told. Instrumenting itself is the plugin's job (`plugin/`), what an event does the recorders'
//! (`runtime/recorders`).
#![forbid(unsafe_code)]

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
compile_error!("Waypoint runs on Linux on x86-64 and aarch64 only; build it on such a machine");

mod annotations;
pub mod clang;
pub mod command;
pub mod files;
pub mod help;
pub mod invocation;
mod notices;
mod options;
mod response;
mod sanitize;
pub mod versions;

use anyhow::{Context, Result};
use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};

use clang::Clang;
use files::Files;
use invocation::{Invocation, Request};
use waypoint_domains::EventSet;

/// Runs the wrapper on the command line and environment of this process.
#[must_use]
pub fn main() -> ExitCode {
    let mut args = env::args_os();
    let program = args.next().unwrap_or_else(|| "waypoint-cc".into());
    let program = Path::new(&program).file_name().unwrap_or(&program).to_string_lossy().into_owned();
    match run(&program, args.collect()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{program}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(program: &str, args: Vec<OsString>) -> Result<ExitCode> {
    let cxx = program.ends_with("++");
    let invocation = Invocation::read(args);
    if invocation.request == Request::Help {
        print!("{}", help::text(program));
        return Ok(ExitCode::SUCCESS);
    }
    let events = events(invocation.events.clone())?;
    let clang = Clang::find(cxx)?;
    let files = Files::find(clang.major);
    match invocation.request {
        Request::Paths => {
            print!("{}", help::paths(&clang, &files));
            return Ok(ExitCode::SUCCESS);
        }
        Request::Raw => return become_clang(&clang, invocation.args, events),
        Request::Compile | Request::Help => {}
    }
    let plugin = files.plugin.clone().filter(|_| env::var_os(help::NO_PLUGIN).is_none());
    if plugin.is_none() && invocation.compiles {
        notices::no_plugin(program, &clang, &files);
    }
    let args = command::arguments(&invocation, &files, plugin.as_deref(), events)?;
    if invocation.links_engine() {
        notices::unknown_variables(program);
    }
    become_clang(&clang, args, events)
}

/// The flag wins over the environment, which is for build systems that let nobody add flags.
fn events(flag: Option<OsString>) -> Result<EventSet> {
    let list = flag.or_else(|| env::var_os(help::EVENTS)).unwrap_or_default();
    Ok(EventSet::parse(&list.to_string_lossy())?)
}

fn become_clang(clang: &Clang, args: Vec<OsString>, events: EventSet) -> Result<ExitCode> {
    let mut command = Command::new(&clang.path);
    command.args(args).env("WAYPOINT_PLUGIN_EVENTS", events.bits().to_string());
    Err(command.exec()).with_context(|| format!("{} cannot be started", clang.path.display()))
}
