//! Program counters of a dead worker as functions and source lines.
use std::{collections::HashMap, path::PathBuf};

use addr2line::Loader;
use object::{Object, ObjectSegment};

use super::names::{demangle, short};

/// One frame of a stack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The demangled function, if it is known.
    pub function: Option<String>,
    /// `file:line`, if it is known.
    pub line: Option<String>,
    /// The file the code was loaded from.
    pub module: PathBuf,
    /// The address within that file: the same in every process.
    pub address: u64,
}

impl Frame {
    /// Where in its function it is: the line, which all versions of a function have in common, or else the address.
    pub fn position(&self) -> (Option<&str>, u64) {
        match &self.line {
            Some(line) => (Some(line), 0),
            None => (None, self.address),
        }
    }
}

impl std::fmt::Display for Frame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let module = self.module.file_name().unwrap_or_default().to_string_lossy();
        match (&self.function, &self.line) {
            (Some(function), Some(line)) => write!(f, "{function} ({line})"),
            (Some(function), None) => write!(f, "{function} ({module}+{:#x})", self.address),
            _ => write!(f, "{module}+{:#x}", self.address),
        }
    }
}

/// Libraries through which a process ends.
const ENDING_MODULES: [&str; 5] = ["libc.so", "libpthread.so", "ld-linux", "libstdc++.so", "[vdso]"];
/// Functions through which a process ends, where these libraries are linked statically.
const ENDING_FUNCTIONS: [&str; 10] = [
    "abort",
    "raise",
    "__pthread_kill",
    "std::terminate",
    "__clang_call_terminate",
    "__cxa_",
    "__cxxabiv1::",
    "__gnu_cxx::__verbose_terminate",
    "__interceptor",
    "___interceptor",
];
/// A sanitizer's reports; unlike its interceptors they never call back into the target.
const REPORTING_FUNCTIONS: [&str; 5] = ["__asan", "__ubsan", "__lsan", "__sanitizer", "__interception"];

/// Where the C++ libraries keep what is theirs.
const LIBRARY_NAMESPACES: [&str; 3] = ["std::", "__gnu_cxx::", "void std::"];

impl Frame {
    /// Whether it is part of the machinery that ends a process rather than of the code that went wrong.
    pub fn is_machinery(&self) -> bool {
        let module = self.module.file_name().unwrap_or_default().to_string_lossy();
        ENDING_MODULES.iter().any(|name| module.starts_with(name))
            || self.is_called(&ENDING_FUNCTIONS)
            || self.is_report()
    }

    /// File and line, if both are known.
    pub fn place(&self) -> Option<(&str, u32)> {
        let (file, line) = self.line.as_deref()?.rsplit_once(':')?;
        Some((file, line.parse().ok().filter(|line| *line > 0)?))
    }

    /// Whether it is of the C++ library, in code that the target's compiler made of its headers: what goes wrong there
    /// is the fault of who called it.
    pub fn is_library(&self) -> bool {
        let is_header = |(file, _): (&str, u32)| file.contains("/c++/");
        self.place().is_some_and(is_header) || self.is_called(&LIBRARY_NAMESPACES)
    }

    /// Function and line, without what templates were given.
    pub fn briefly(&self) -> String {
        let brief =
            |function: &String| if function.contains('<') { short(function) } else { function.clone() };
        Self { function: self.function.as_ref().map(brief), ..self.clone() }.to_string()
    }

    /// Whether it is the engine's own.
    pub fn is_engine(&self) -> bool {
        self.is_called(&["waypoint_call_harness", "waypoint_engine::"])
    }

    /// Whether it is what we put in place of an allocation function.
    pub fn is_recorder(&self) -> bool {
        self.is_called(&["waypoint_", "__waypoint_"])
    }

    /// Whether it is a sanitizer writing its report.
    pub fn is_report(&self) -> bool {
        self.is_called(&REPORTING_FUNCTIONS)
    }

    fn is_called(&self, prefixes: &[&str]) -> bool {
        let function = self.function.as_deref().unwrap_or_default();
        prefixes.iter().any(|prefix| function.starts_with(prefix))
    }
}

struct Mapping {
    start: usize,
    end: usize,
    offset: u64,
    path: PathBuf,
}

struct Module {
    loader: Option<Loader>,
    /// Address, offset in the file and size of each segment.
    segments: Vec<(u64, u64, u64)>,
}

/// Resolves addresses, reading the debug information of each file once.
#[derive(Default)]
pub struct Symbols {
    modules: HashMap<PathBuf, Module>,
}

impl std::fmt::Debug for Symbols {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.modules.keys()).finish()
    }
}

impl Symbols {
    /// The frames of a stack, functions that were inlined included, innermost first. `maps` is the dead process's
    /// `/proc/self/maps`.
    pub fn resolve(&mut self, stack: &[(usize, bool)], maps: &str) -> Vec<Frame> {
        let mappings: Vec<Mapping> = maps.lines().filter_map(parse_mapping).collect();
        stack.iter().flat_map(|(pc, is_return)| self.frames_at(*pc, *is_return, &mappings)).collect()
    }

    fn frames_at(&mut self, pc: usize, is_return: bool, mappings: &[Mapping]) -> Vec<Frame> {
        let Some(mapping) = mappings.iter().find(|mapping| (mapping.start..mapping.end).contains(&pc)) else {
            return vec![Frame {
                function: None,
                line: None,
                module: PathBuf::from("?"),
                address: pc as u64,
            }];
        };
        let module = self.modules.entry(mapping.path.clone()).or_insert_with(|| load(&mapping.path));
        let in_file = (pc - mapping.start) as u64 + mapping.offset;
        let segment =
            module.segments.iter().find(|(_, offset, size)| (*offset..offset + size).contains(&in_file));
        let address = segment.map_or(in_file, |(address, offset, _)| in_file - offset + address);
        // A return address may already belong to the next line: the call is just before it.
        let probe = address - u64::from(is_return);
        let frame = |function, line| Frame { function, line, module: mapping.path.clone(), address };
        let Some(loader) = &module.loader else { return vec![frame(None, None)] };
        // Line tables alone name no function, so the symbol table does.
        let symbol = || Some(demangle(loader.find_symbol(probe)?));
        let mut frames = Vec::new();
        if let Ok(mut inlined) = loader.find_frames(probe) {
            while let Ok(Some(found)) = inlined.next() {
                let function = found.function.and_then(|name| Some(demangle(&name.raw_name().ok()?)));
                let line = found.location.and_then(|at| {
                    let file = at.file?.trim_start_matches("./");
                    Some(at.line.map_or_else(|| file.to_owned(), |line| format!("{file}:{line}")))
                });
                frames.push(frame(function.or_else(symbol), line));
            }
        }
        if frames.is_empty() {
            frames.push(frame(symbol(), None));
        }
        frames
    }
}

/// One line of a memory map, if it is of a file.
fn parse_mapping(line: &str) -> Option<Mapping> {
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let offset = fields.nth(1)?;
    let path = fields.nth(2)?;
    Some(Mapping {
        start: usize::from_str_radix(start, 16).ok()?,
        end: usize::from_str_radix(end, 16).ok()?,
        offset: u64::from_str_radix(offset, 16).ok()?,
        path: PathBuf::from(&line[line.find(path)?..]),
    })
}

/// What can be known of a file; nothing if it cannot be read.
fn load(path: &PathBuf) -> Module {
    let segments = std::fs::read(path).ok().and_then(|data| {
        let file = object::File::parse(&*data).ok()?;
        let of = |segment: object::Segment<'_, '_>| {
            let (offset, size) = segment.file_range();
            (segment.address(), offset, size)
        };
        Some(file.segments().map(of).collect())
    });
    Module { loader: Loader::new(path).ok(), segments: segments.unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolves_a_function_of_this_very_program() {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let pc = load as *const () as usize;
        let frames = Symbols::default().resolve(&[(pc, false), (8, false)], &maps);
        let function = frames[0].function.as_deref().unwrap_or_default();
        assert!(function.contains("symbols::load"), "{frames:?}");
        assert_eq!(frames.last().unwrap().to_string(), "?+0x8");
    }

    #[test]
    fn the_library_is_told_from_its_user() {
        let frame = |function: &str, line: &str| Frame {
            function: Some(function.to_owned()),
            line: Some(line.to_owned()),
            module: PathBuf::from("target"),
            address: 1,
        };
        let vector = "/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/bits/stl_vector.h:11";
        assert!(frame("operator new", vector).is_library());
        assert!(frame("std::vector<int>::at(unsigned long)", "here.cc:3").is_library());
        let own = frame("read<std::map<int, char> >(int)", "/home/me/c++ code/read.cc:7");
        assert!(!own.is_library());
        assert_eq!(own.briefly(), "read (/home/me/c++ code/read.cc:7)");
    }

    #[test]
    fn reads_a_line_of_a_memory_map() {
        let line = "55d0-55e0 r-xp 00002000 fe:00 123   /tmp/with space";
        let mapping = parse_mapping(line).unwrap();
        assert_eq!((mapping.start, mapping.end, mapping.offset), (0x55d0, 0x55e0, 0x2000));
        assert_eq!(mapping.path, PathBuf::from("/tmp/with space"));
        assert!(parse_mapping("7f00-7f10 rw-p 00000000 00:00 0").is_none());
    }
}
