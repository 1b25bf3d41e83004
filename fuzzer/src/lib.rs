//! The engine that `waypoint-cc -fsanitize=fuzzer` links into a target: its `main`, its command line, its campaign.
//!
//! A supervisor owns the terminal, the findings and the clock; the target runs in workers forked from it (`worker`),
//! driven by LibAFL (`engine`). What they share outlives any worker (`shared`).

mod beside;
mod changes;
mod cli;
pub mod command;
mod coverage;
mod debugged;
mod dict;
mod engine;
mod files;
mod guidance;
mod instance;
mod layout;
mod origin;
mod plan;
mod queue;
mod replay;
mod report;
mod sanitizers;
mod seeds;
mod shared;
mod signals;
mod structure;
mod supervisor;
mod tool;
mod worker;

use std::{
    ffi::{OsString, c_char, c_int},
    io::{Write, stderr, stdout},
};

use anyhow::Result;
use waypoint_runtime::{harness::TestOneInput, ijon, objects};

use crate::{
    beside::Beside,
    cli::{
        args::{self, Args},
        libfuzzer, parse,
    },
    plan::Plan,
    worker::Target,
};

// The engine's memory is its own: a target that corrupts the C heap cannot take us with it, and its allocations
// are never mistaken for the target's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

pub(crate) const EXIT_CLEAN: u8 = 0;
/// The exit code that says "there is a finding", as libFuzzer has it.
pub(crate) const EXIT_FINDING: u8 = 77;
/// The user stopped a run that libFuzzer's flags drive.
pub(crate) const EXIT_INTERRUPTED: u8 = 72;
pub(crate) const EXIT_USAGE: u8 = 1;

/// Fuzzes `test_one_input` as the command line says, then ends the process. `main` calls it, or a harness's own `main`.
///
/// # Safety
/// `argc` and `argv` must be those of `main`, `test_one_input` a function that can be called with any bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn LLVMFuzzerRunDriver(
    argc: *mut c_int,
    argv: *mut *mut *mut c_char,
    test_one_input: TestOneInput,
) -> c_int {
    objects::started();
    let code = run(Target { test_one_input, argc, argv }).unwrap_or_else(|error| {
        say(&format!("{error:#}"));
        EXIT_USAGE
    });
    let _ = stdout().flush();
    // Not `exit`: the target's atexit handlers have no business here, nor a leak check of the supervisor.
    // SAFETY: ends the process.
    unsafe { libc::_exit(code.into()) }
}

fn run(target: Target) -> Result<u8> {
    if let Some(result) = tool::run(target) {
        return result;
    }
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    if libfuzzer::is_meant(&arguments) {
        return run_as_libfuzzer(&arguments, target);
    }
    let Some(mut args) = parse::parse::<Args>(args::command(), std::env::args_os())? else {
        return Ok(EXIT_CLEAN);
    };
    let replays = !args.files.is_empty();
    sanitizers::set_options(replays, None);
    let remarks = Beside::this_program()?.complete_ours(&mut args, !replays)?;
    remarks.iter().for_each(|remark| say(remark));
    carry_out(Plan::new(args)?, target)
}

/// The same for the command line of libFuzzer.
fn run_as_libfuzzer(arguments: &[OsString], target: Target) -> Result<u8> {
    let mut written = libfuzzer::parse(arguments)?;
    if written.flags.help == Some(true) {
        print!("{}", libfuzzer::help());
        return Ok(EXIT_CLEAN);
    }
    let replays = written.replays();
    let remarks = Beside::this_program()?.complete_libfuzzer(&mut written, !replays)?;
    // Before anything is said, which would be said twice.
    let flags = &written.flags;
    sanitizers::set_options(replays && flags.minimize_crash != Some(true), flags.malloc_limit());
    written.warnings.iter().chain(&remarks).for_each(|remark| say(remark));
    carry_out(Plan::of_libfuzzer(&written)?, target)
}

/// Tells the user something. Nobody may be listening any more, which is no reason to end.
pub(crate) fn say(remark: &str) {
    let _ = writeln!(stderr(), "waypoint: {remark}");
}

/// So many of something, in words.
pub(crate) fn counted(n: usize, thing: &str) -> String {
    format!("{n} {thing}{}", if n == 1 { "" } else { "s" })
}

fn carry_out(plan: Plan, target: Target) -> Result<u8> {
    match plan {
        Plan::ListDomains => {
            for domain in waypoint_domains::ALL_DOMAINS {
                println!("{:<8} {}", domain.name, domain.help);
            }
            for annotation in ijon::in_program() {
                println!("{:<8} {}", annotation.name(), annotation.help);
            }
            Ok(EXIT_CLEAN)
        }
        Plan::Replay(plan) if debugged::is_traced() => debugged::replay(&plan, target),
        Plan::Replay(plan) => replay::replay(&plan, target),
        Plan::Minimize(plan) => tool::minimize::run(&plan, target),
        Plan::Fuzz(plan) => supervisor::fuzz(&plan, target),
    }
}
