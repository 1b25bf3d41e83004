//! The statements of a spec's files, includes followed, before any of them is compiled.
use std::path::{Path, PathBuf};

use crate::front::rules::{self, Rule};
use crate::front::settings::Setting;
use crate::front::source::{Problem, Sources, Span};
use crate::front::split::{self, Kind};

/// Everything in the files of a spec, in order.
#[derive(Default)]
pub(super) struct Collected {
    pub(super) sources: Sources,
    pub(super) rules: Vec<Rule>,
    pub(super) formulas: Vec<(Kind, Span)>,
    pub(super) settings: Vec<Setting>,
    /// Python text of each file, other statements blanked, in the order they run.
    pub(super) modules: Vec<(u32, String)>,
    pub(super) problems: Vec<Problem>,
    pub(super) open: Vec<PathBuf>,
}

impl Collected {
    /// Adds a file and what it includes.
    pub(super) fn file(&mut self, path: &Path, text: &str) {
        let file = self.sources.add(path, text.to_owned());
        self.open.push(path.to_owned());
        let mut python: Vec<u8> =
            text.bytes().map(|byte| if byte == b'\n' || byte == b'\r' { byte } else { b' ' }).collect();
        for statement in split::split(text) {
            let span = Span::new(file, statement.range.clone());
            match statement.kind {
                Kind::Rule => match rules::read(text, span) {
                    Ok(rule) => self.rules.push(rule),
                    Err(problem) => self.problems.push(problem),
                },
                Kind::Where | Kind::Minimizing | Kind::Maximizing => {
                    self.formulas.push((statement.kind, span));
                }
                Kind::Include => self.include(path, &text[statement.range.clone()], span),
                Kind::Setting => {
                    self.settings.push(Setting::read(&text[statement.range], span));
                }
                Kind::Python => {
                    python[statement.range.clone()].copy_from_slice(&text.as_bytes()[statement.range]);
                }
            }
        }
        self.open.pop();
        // Only whole statements were copied, so this stays UTF-8.
        self.modules.push((file, String::from_utf8(python).unwrap_or_default()));
    }

    fn include(&mut self, from: &Path, written: &str, span: Span) {
        let name =
            written.trim().trim_start_matches('(').trim_end_matches(';').trim().trim_end_matches(')').trim();
        let name = name.trim_matches(['"', '\'']);
        let path = from.parent().unwrap_or(Path::new("")).join(name);
        if self.open.contains(&path) {
            self.problems.push(Problem::new(span, format!("`{name}` includes itself")));
            return;
        }
        match std::fs::read_to_string(&path) {
            Ok(text) => self.file(&path, &text),
            Err(error) => {
                self.problems.push(Problem::new(span, format!("cannot include {}: {error}", path.display())));
            }
        }
    }
}
