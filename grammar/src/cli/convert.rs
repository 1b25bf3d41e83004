//! `waypoint convert`: grammars of other tools as `.fan` specs.
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};

/// Convert an ANTLR grammar or a DTD to a `.fan` spec on standard output
#[derive(Debug, clap::Args)]
pub struct Convert {
    /// A `.g4` or `.dtd` file
    file: PathBuf,
}

impl Convert {
    /// Runs it.
    pub fn run(&self) -> Result<()> {
        let text = std::fs::read_to_string(&self.file).with_context(|| {
            format!("cannot read {}; name a file that is there and that you may read", self.file.display())
        })?;
        let converted = match self.file.extension().and_then(|extension| extension.to_str()) {
            Some("g4") => crate::convert::antlr(&text),
            Some("dtd") => crate::convert::dtd(&text),
            _ => bail!(
                "{} is neither a .g4 nor a .dtd file; give it the ending of what it is",
                self.file.display()
            ),
        };
        print!("{}", converted.map_err(anyhow::Error::msg)?);
        Ok(())
    }
}
