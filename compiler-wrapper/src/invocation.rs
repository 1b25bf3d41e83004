//! Reads a clang command line: what the user asked for, and which arguments are not for clang.
use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::{options, response, sanitize};

/// What the wrapper is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// Run clang, with our additions.
    Compile,
    /// Run clang exactly as asked (`-cc1`: clang started by clang).
    Raw,
    /// Print the files in use.
    Paths,
    /// Print our own help.
    Help,
}

/// What clang links at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// Nothing.
    No,
    /// A program.
    Executable,
    /// A shared object.
    Shared,
}

/// A command line, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invocation {
    /// What the wrapper is to do.
    pub request: Request,
    /// The arguments for clang, without ours.
    pub args: Vec<OsString>,
    /// The list after `--events`.
    pub events: Option<OsString>,
    /// Whether some input is compiled, so that there is something to instrument.
    pub compiles: bool,
    /// The inputs that are compiled.
    pub sources: Vec<OsString>,
    /// What is linked at the end.
    pub link: Link,
    /// Whether libgcc is linked statically.
    pub static_libgcc: bool,
    /// Whether `-fsanitize=fuzzer` is in force.
    fuzzer: bool,
}

impl Invocation {
    /// Reads the arguments after the program's name.
    #[must_use]
    pub fn read(args: Vec<OsString>) -> Self {
        let raw = args.first().is_some_and(|first| first.as_encoded_bytes().starts_with(b"-cc1"));
        if raw {
            return Self { args, request: Request::Raw, ..Reader::new().finish() };
        }
        let mut reader = Reader::new();
        reader.read_all(args);
        reader.finish()
    }

    /// Whether the engine goes into what is linked.
    #[must_use]
    pub fn links_engine(&self) -> bool {
        self.fuzzer && self.link == Link::Executable
    }
}

struct Reader {
    out: Invocation,
    language: Option<String>,
    inputs: bool,
    prevented: bool,
    shared: bool,
}

impl Reader {
    fn new() -> Self {
        let out = Invocation {
            request: Request::Compile,
            args: Vec::new(),
            events: None,
            compiles: false,
            sources: Vec::new(),
            link: Link::No,
            static_libgcc: false,
            fuzzer: false,
        };
        Self { out, language: None, inputs: false, prevented: false, shared: false }
    }

    fn finish(mut self) -> Invocation {
        self.out.link = match (self.inputs && !self.prevented, self.shared) {
            (false, _) => Link::No,
            (true, true) => Link::Shared,
            (true, false) => Link::Executable,
        };
        self.out
    }

    fn read_all(&mut self, args: Vec<OsString>) {
        let mut args = args.into_iter();
        while let Some(arg) = args.next() {
            if arg == "--" {
                self.inputs_only(args);
                return;
            }
            if let Some(inner) = response::expand(&arg) {
                self.read_response(arg, inner);
            } else {
                self.read_one(arg, &mut args);
            }
        }
    }

    fn read_one(&mut self, arg: OsString, rest: &mut impl Iterator<Item = OsString>) {
        if let Some(rewritten) = sanitize::rewrite(&arg) {
            self.out.args.extend(rewritten.arg);
            self.out.fuzzer = rewritten.engine.unwrap_or(self.out.fuzzer);
            return;
        }
        let text = arg.to_string_lossy();
        if self.is_ours(&text, rest) {
            return;
        }
        if !text.starts_with('-') || text == "-" {
            self.input(&arg);
            self.out.args.push(arg);
            return;
        }
        self.option(&text);
        let value = options::takes_next(&text).then(|| rest.next()).flatten();
        let joined = text.strip_prefix("-x").or_else(|| text.strip_prefix("--language=")).map(OsStr::new);
        if matches!(&*text, "-x" | "--language") {
            self.set_language(value.as_deref());
        } else if joined.is_some() {
            self.set_language(joined);
        }
        // A library is something to link, and `waypoint-cc -lx` a link.
        self.inputs |= text.starts_with("-l") || text.starts_with("-Wl,") || text == "-Xlinker";
        self.out.args.push(arg);
        self.out.args.extend(value);
    }

    fn is_ours(&mut self, text: &str, rest: &mut impl Iterator<Item = OsString>) -> bool {
        match text {
            "--waypoint-paths" => self.out.request = Request::Paths,
            "--waypoint-help" => self.out.request = Request::Help,
            "--events" => self.out.events = Some(rest.next().unwrap_or_default()),
            _ => match text.strip_prefix("--events=") {
                Some(list) => self.out.events = Some(list.into()),
                None => return false,
            },
        }
        true
    }

    fn option(&mut self, option: &str) {
        self.prevented |= options::prevents_link(option);
        match option {
            "-shared" | "--shared" => self.shared = true,
            // A relocatable object is an input of the link that follows.
            "-r" => self.prevented = true,
            "-static" | "--static" | "-static-pie" | "-static-libgcc" => self.out.static_libgcc = true,
            _ => {}
        }
    }

    fn set_language(&mut self, language: Option<&OsStr>) {
        self.language =
            language.map(|name| name.to_string_lossy().into_owned()).filter(|name| name != "none");
    }

    fn input(&mut self, path: &OsStr) {
        let extension = Path::new(path).extension().unwrap_or_default().to_string_lossy();
        let language = self.language.as_deref();
        let header = options::is_header(language, &extension);
        self.inputs |= !header;
        if header || options::is_source(language, &extension) {
            self.out.compiles = true;
            self.out.sources.push(path.to_owned());
        }
    }

    /// After `--` everything is an input. They are written so that they stay inputs without it, because what we
    /// append are options.
    fn inputs_only(&mut self, paths: impl Iterator<Item = OsString>) {
        for path in paths {
            self.input(&path);
            let special = matches!(path.as_encoded_bytes().first(), Some(b'-' | b'@'));
            self.out.args.push(if special { Path::new(".").join(path).into() } else { path });
        }
    }

    /// A response file stays one, since it is there because a command line has limits; unless it holds words that
    /// are not for clang.
    fn read_response(&mut self, arg: OsString, inner: Vec<OsString>) {
        let kept = std::mem::take(&mut self.out.args);
        let before = inner.clone();
        self.read_all(inner);
        let read = std::mem::replace(&mut self.out.args, kept);
        if read == before {
            self.out.args.push(arg);
        } else {
            self.out.args.extend(read);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Invocation {
        Invocation::read(line.split_whitespace().map(OsString::from).collect())
    }

    #[test]
    fn links_are_told_from_other_work() {
        for (line, link) in [
            ("a.c", Link::Executable),
            ("a.o -o a", Link::Executable),
            ("-lfoo", Link::Executable),
            ("-MD -MF a.d a.c", Link::Executable),
            ("-v a.c", Link::Executable),
            ("-### a.c", Link::Executable),
            ("-x c -", Link::Executable),
            ("-- a.c", Link::Executable),
            ("-shared a.o", Link::Shared),
            ("a.o --shared", Link::Shared),
            ("-c a.c", Link::No),
            ("-S a.c", Link::No),
            ("-E -", Link::No),
            ("-M a.c", Link::No),
            ("-MM a.c", Link::No),
            ("-fsyntax-only a.c", Link::No),
            ("-r a.o b.o", Link::No),
            ("-v", Link::No),
            ("--version", Link::No),
            ("-print-prog-name=ld", Link::No),
            ("-print-search-dirs a.c", Link::No),
            ("-dumpmachine", Link::No),
            ("", Link::No),
            ("-o a -I b -D c -include d -x c -target e -mllvm f -Xclang g", Link::No),
            ("a.h", Link::No),
            ("-x c++-header a", Link::No),
            ("-xc++-header a", Link::No),
            ("-x c-header a.h -x none b.c", Link::Executable),
        ] {
            assert_eq!(read(line).link, link, "{line}");
        }
    }

    #[test]
    fn the_last_word_on_the_fuzzer_counts() {
        for (line, engine) in [
            ("-fsanitize=fuzzer a.c", true),
            ("a.c -fsanitize=address -fsanitize=undefined,fuzzer", true),
            ("-fsanitize=fuzzer -fno-sanitize=fuzzer a.c", false),
            ("-fsanitize=fuzzer -fno-sanitize=all a.c", false),
            ("-fno-sanitize=fuzzer -fsanitize=fuzzer a.c", true),
            ("-fsanitize=fuzzer-no-link a.c", false),
            ("-fsanitize=fuzzer -c a.c", false),
            ("-fsanitize=fuzzer -shared a.c", false),
            ("-fsanitize=fuzzer", false),
            ("-o -fsanitize=fuzzer a.c", false),
            ("-Xclang -fsanitize=fuzzer a.c", false),
            ("a.c -- -fsanitize=fuzzer", false),
        ] {
            assert_eq!(read(line).links_engine(), engine, "{line}");
        }
    }

    #[test]
    fn clang_gets_everything_but_our_own_words() {
        for (line, args) in [
            ("-O2 -c a.c", "-O2 -c a.c"),
            ("--events=edge -c a.c", "-c a.c"),
            ("--events edge -c a.c", "-c a.c"),
            ("-fsanitize=fuzzer,address a.c", "-fsanitize=address a.c"),
            ("-o --events=edge a.c", "-o --events=edge a.c"),
            ("-Werror -z defs -Wl,-z,now a.c", "-Werror -z defs -Wl,-z,now a.c"),
            ("-c -- -a.c b.c @c", "-c ./-a.c b.c ./@c"),
            ("-cc1 -fsanitize=fuzzer", "-cc1 -fsanitize=fuzzer"),
        ] {
            let expected: Vec<OsString> = args.split_whitespace().map(OsString::from).collect();
            assert_eq!(read(line).args, expected, "{line}");
        }
        assert_eq!(read("--events=edge a.c").events, Some("edge".into()));
        assert_eq!(read("-cc1 -E").request, Request::Raw);
        assert_eq!(read("--waypoint-paths").request, Request::Paths);
        assert_eq!(read("--waypoint-help").request, Request::Help);
    }

    #[test]
    fn only_sources_are_compiled() {
        for (line, compiles) in [
            ("-c a.c", true),
            ("a.o b.cc", true),
            ("-x c -", true),
            ("a.h", true),
            ("-x assembler a.c", false),
            ("-c a.s", false),
            ("-c a.S", false),
            ("a.o b.a", false),
        ] {
            assert_eq!(read(line).compiles, compiles, "{line}");
        }
    }

    #[test]
    fn names_that_are_no_text_pass_through() {
        use std::os::unix::ffi::OsStringExt;
        let odd = OsString::from_vec(b"-DX=\xff".to_vec());
        let input = OsString::from_vec(b"\xff.c".to_vec());
        let read = Invocation::read(vec![odd.clone(), "-fsanitize=fuzzer".into(), input.clone()]);
        assert_eq!(read.args, [odd, input]);
        assert!(read.links_engine());
    }

    #[test]
    fn a_response_file_is_opened_only_for_our_own_words() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("args");
        let at = OsString::from(format!("@{}", file.display()));
        for (text, link, engine, opened) in [
            ("a.o b.o", Link::Executable, false, false),
            ("-c a.c", Link::No, false, false),
            ("-fsanitize=fuzzer,address a.o", Link::Executable, true, true),
        ] {
            std::fs::write(&file, text).unwrap();
            let read = Invocation::read(vec!["-O1".into(), at.clone()]);
            assert_eq!((read.link, read.links_engine()), (link, engine), "{text}");
            assert_eq!(read.args[1] != at, opened, "{text}");
        }
    }
}
