//! What all subcommands share: which spec, with what added to it, and where inputs go.
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::built_in;
use crate::spec::{Options, Spec};

/// Which spec, and what is added to it.
#[derive(Debug, Clone, clap::Args)]
pub struct SpecArgs {
    /// The spec, a `.fan` file, or the name of a grammar that is built in, as json
    pub spec: PathBuf,
    /// A further constraint; may be given several times
    #[arg(short, long = "constraint", value_name = "FORMULA")]
    pub constraints: Vec<String>,
    /// An expression to make great
    #[arg(long = "max", value_name = "EXPRESSION")]
    pub maximize: Vec<String>,
    /// An expression to make small
    #[arg(long = "min", value_name = "EXPRESSION")]
    pub minimize: Vec<String>,
    /// The symbol of the whole input
    #[arg(long, default_value = "<start>", value_name = "SYMBOL")]
    pub start: String,
    /// One seed gives one output
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub seed: u64,
}

impl SpecArgs {
    /// Loads the spec; shows what its Python printed.
    pub fn load(&self) -> Result<Spec> {
        let spec = self.load_quietly()?;
        eprint!("{}", spec.printed);
        Ok(spec)
    }

    /// Loads the spec.
    pub fn load_quietly(&self) -> Result<Spec> {
        let start =
            if self.start.starts_with('<') { self.start.clone() } else { format!("<{}>", self.start) };
        let goals = self.maximize.iter().map(|text| (text.clone(), true));
        let goals = goals.chain(self.minimize.iter().map(|text| (text.clone(), false))).collect();
        let options = Options { start, constraints: self.constraints.clone(), goals, seed: self.seed };
        let named = self.spec.to_str().filter(|_| !self.spec.exists()).map(built_in::find);
        match named {
            Some(Some(named)) => Ok(Spec::from_text(&self.spec, named.text, &options)?),
            Some(None) => bail!(
                "cannot read {}; name a .fan file that is there and that you may read, or a grammar that is built in: {}",
                self.spec.display(),
                built_in::names()
            ),
            None => Ok(Spec::load(&self.spec, &options)?),
        }
    }
}

/// How many inputs, and where they go.
#[derive(Debug, Clone, clap::Args)]
pub struct SinkArgs {
    /// How many inputs
    #[arg(short, long, default_value_t = 10, value_name = "N")]
    pub number: u64,
    /// Write a file for each input into this directory
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// What stands between inputs on standard output
    #[arg(long, default_value = "\\n", value_name = "TEXT", allow_hyphen_values = true)]
    pub separator: String,
}

impl SinkArgs {
    /// The sink that is asked for.
    pub fn sink(&self) -> Result<Sink> {
        if self.number == 0 {
            bail!("`-n 0` asks for no input; give a number of at least 1");
        }
        Sink::new(self.output.as_deref(), &self.separator)
    }
}

/// Where inputs go.
#[derive(Debug)]
pub enum Sink {
    /// A file each.
    Directory(PathBuf, u64),
    /// Standard output, with a separator between.
    Stream(BufWriter<io::Stdout>, Vec<u8>, bool),
}

impl Sink {
    /// A sink for `-o DIR` or `--separator S`.
    fn new(directory: Option<&Path>, separator: &str) -> Result<Self> {
        match directory {
            Some(path) => {
                std::fs::create_dir_all(path).with_context(|| {
                    format!("cannot make the directory {}; choose another -o", path.display())
                })?;
                let mut entries =
                    std::fs::read_dir(path).with_context(|| format!("cannot list {}", path.display()))?;
                if entries.next().is_some() {
                    bail!("{} is not empty; choose another -o, or empty it", path.display());
                }
                Ok(Self::Directory(path.to_owned(), 0))
            }
            None => Ok(Self::Stream(BufWriter::new(io::stdout()), unescape(separator), false)),
        }
    }

    /// Writes one input; false if nobody reads any more.
    pub fn write(&mut self, input: &[u8]) -> Result<bool> {
        match self {
            Self::Directory(path, count) => {
                *count += 1;
                let file = path.join(format!("input-{count:06}"));
                File::create_new(&file).and_then(|mut file| file.write_all(input)).with_context(|| {
                    format!("cannot write {}; make room there, or choose another -o", file.display())
                })?;
                Ok(true)
            }
            Self::Stream(out, separator, started) => {
                let done = (|| {
                    if std::mem::replace(started, true) {
                        out.write_all(separator)?;
                    }
                    out.write_all(input)
                })();
                still_read(done)
            }
        }
    }

    /// Writes out what is left.
    pub fn finish(&mut self) -> Result<()> {
        if let Self::Stream(out, _, started) = self {
            let done = (|| {
                if *started {
                    out.write_all(b"\n")?;
                }
                out.flush()
            })();
            still_read(done)?;
        }
        Ok(())
    }
}

/// Writes text to standard output; false if nobody reads any more.
pub fn say(text: &str) -> Result<bool> {
    still_read(io::stdout().write_all(text.as_bytes()))
}

fn still_read(done: io::Result<()>) -> Result<bool> {
    match done {
        Ok(()) => Ok(true),
        // Somebody piped us into `head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error).context("cannot write to standard output"),
    }
}

fn unescape(text: &str) -> Vec<u8> {
    text.replace("\\n", "\n").replace("\\t", "\t").replace("\\0", "\0").into_bytes()
}

/// The files at `paths`; a directory stands for the files in it.
pub fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut out = Vec::new();
    for path in paths {
        if path.is_dir() {
            let entries = std::fs::read_dir(path).with_context(|| {
                format!(
                    "cannot read {}; name a file or directory that is there and that you may read",
                    path.display()
                )
            })?;
            let mut inside: Vec<PathBuf> = entries
                .filter_map(|entry| entry.ok().map(|entry| entry.path()))
                .filter(|path| path.is_file())
                .collect();
            inside.sort();
            out.extend(inside);
        } else {
            out.push(path.clone());
        }
    }
    if out.is_empty() {
        bail!("there are no files to read; name some, or a directory that has some");
    }
    Ok(out)
}
