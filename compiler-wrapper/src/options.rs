//! What must be known of clang's options to tell inputs from values and links from other work.

/// Options whose value is the next argument (when nothing is joined to them).
#[rustfmt::skip]
const WITH_VALUE: &[&str] = &[
    "-o", "--output", "-x", "--language", "-D", "--define-macro", "-U", "--undefine-macro",
    "-I", "--include-directory", "-include", "--include", "-imacros", "--imacros", "-isystem", "-isystem-after",
    "-cxx-isystem", "-stdlib++-isystem", "-iquote", "-idirafter", "--include-directory-after", "-iprefix",
    "--include-prefix", "-iwithprefix", "-iwithprefixbefore", "-iwithsysroot", "-isysroot", "--sysroot",
    "-iframework", "-iframeworkwithsysroot", "-ivfsoverlay", "-imultilib", "-F", "-framework",
    "-MF", "-MT", "-MQ", "-MJ", "-dumpdir", "-serialize-diagnostics", "--serialize-diagnostics",
    "-Xclang", "-Xlinker", "--for-linker", "-Xassembler", "--for-assembler", "-Xpreprocessor",
    "--for-preprocessor", "-Xanalyzer", "-Xopenmp-target", "-Xoffload-linker", "-Xarch_host", "-Xarch_device",
    "-Xcuda-fatbinary", "-Xcuda-ptxas", "-mllvm", "-arch", "-target", "--target", "-B", "--prefix",
    "-L", "--library-directory", "-l", "-T", "-Tbss", "-Tdata", "-Ttext", "-u", "--force-link", "-z", "-e", "--entry",
    "-rpath", "-G", "-A", "--assert", "--param", "--specs", "--config", "-working-directory", "-resource-dir",
    "-ccc-gcc-name", "-ccc-install-dir", "-mthread-model", "-meabi",
];

/// Options after which clang does not link.
#[rustfmt::skip]
const NO_LINK: &[&str] = &[
    "-c", "--compile", "-S", "--assemble", "-E", "--preprocess", "-M", "--dependencies", "-MM",
    "--user-dependencies", "-fsyntax-only", "--precompile", "--analyze", "-emit-ast", "-extract-api", "-verify-pch",
    "-module-file-info", "-rewrite-objc", "-rewrite-legacy-objc", "-emit-interface-stubs", "--emit-static-lib",
    "-dumpversion", "-dumpmachine", "--version", "--help", "-help", "--help-hidden",
];

/// Whether the argument after this one belongs to it.
pub fn takes_next(option: &str) -> bool {
    WITH_VALUE.contains(&option)
}

/// Whether clang stops before linking, or only answers a question.
pub fn prevents_link(option: &str) -> bool {
    NO_LINK.contains(&option) || option.starts_with("-print-") || option.starts_with("--print-")
}

/// Whether an input of this language (`-x`) or file extension is a header, of which a precompiled one is made.
pub fn is_header(language: Option<&str>, extension: &str) -> bool {
    match language {
        Some(language) => language.ends_with("-header") || language.ends_with("-user-header"),
        None => matches!(extension, "h" | "hh" | "hp" | "hpp" | "hxx" | "h++" | "H"),
    }
}

/// Whether an input of this language (`-x`) or file extension is compiled, rather than assembled or linked.
pub fn is_source(language: Option<&str>, extension: &str) -> bool {
    match language {
        Some(language) => !language.starts_with("assembler"),
        None => !matches!(
            extension,
            "s" | "S" | "sx" | "asm" | "o" | "a" | "so" | "obj" | "lo" | "la" | "ld" | ""
        ),
    }
}
