//! Source files of a spec, and errors that point into them.
use std::ops::Range;
use std::path::{Path, PathBuf};

use codespan_reporting::diagnostic::{Diagnostic, Label};
use codespan_reporting::files::SimpleFiles;
use codespan_reporting::term;

/// A stretch of one source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// Index of the file.
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The stretch `range` of `file`.
    pub fn new(file: u32, range: Range<usize>) -> Self {
        Self { file, start: range.start as u32, end: range.end as u32 }
    }
}

/// One thing that is wrong with a spec, and where.
#[derive(Debug, Clone)]
pub struct Problem {
    /// Where.
    pub span: Span,
    /// What, in one sentence.
    pub message: String,
    /// What to do about it, if there is something.
    pub help: Option<String>,
}

impl Problem {
    /// A problem without advice.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), help: None }
    }

    /// The same with advice.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// The files a spec is made of.
#[derive(Debug, Default)]
pub struct Sources {
    files: Vec<(PathBuf, String)>,
}

impl Sources {
    /// Adds a file and returns its index.
    pub fn add(&mut self, path: &Path, text: String) -> u32 {
        self.files.push((path.to_owned(), text));
        self.files.len() as u32 - 1
    }

    /// The text of a file.
    pub fn text(&self, file: u32) -> &str {
        &self.files[file as usize].1
    }

    /// The texts of all files.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|(_, text)| text.as_str())
    }

    /// The path of a file.
    pub fn path(&self, file: u32) -> &Path {
        &self.files[file as usize].0
    }

    /// The text of a stretch.
    pub fn slice(&self, span: Span) -> &str {
        self.text(span.file).get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// `file:line` of a stretch.
    pub fn place(&self, span: Span) -> String {
        let before = self.text(span.file).get(..span.start as usize).unwrap_or("");
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        format!("{}:{line}", self.path(span.file).display())
    }

    /// `problems` as text, each with file, line, column and the source line.
    pub fn render(&self, problems: &[Problem]) -> String {
        let mut files = SimpleFiles::new();
        for (path, text) in &self.files {
            files.add(path.display().to_string(), text.as_str());
        }
        let mut out = String::new();
        for problem in problems {
            let range = problem.span.start as usize..problem.span.end as usize;
            let diagnostic = Diagnostic::error()
                .with_message(&problem.message)
                .with_label(Label::primary(problem.span.file as usize, range))
                .with_notes(problem.help.clone().into_iter().collect());
            if term::emit_to_string(&mut out, &term::Config::default(), &files, &diagnostic).is_err() {
                out.push_str(&problem.message);
            }
        }
        out
    }
}
