//! Reads the plugin's records from a file on disk; `waypoint_abi.h` says how they are laid out.
use anyhow::{Context, Result, ensure};
use object::{Object, ObjectSection, ReadRef};

/// One instrumented function.
#[derive(Debug)]
pub struct Function {
    /// Its linkage name.
    pub name: String,
    /// The place of its first counter among the file's.
    pub first_counter: usize,
    /// For each counter its lines, as path and number.
    pub lines: Vec<Vec<(String, u32)>>,
}

const FUNCTION_SIZE: u64 = 64;
const LINE_SIZE: u64 = 12;

/// A loaded image: addresses to bytes.
struct Image<'a> {
    sections: Vec<(u64, &'a [u8])>,
}

impl<'a> Image<'a> {
    fn bytes(&self, address: u64) -> Result<&'a [u8]> {
        let holds = |(start, data): &&(u64, &[u8])| (*start..start + data.len() as u64).contains(&address);
        let (start, data) = self.sections.iter().find(holds).context("a record points outside the file")?;
        Ok(&data[(address - start) as usize..])
    }

    fn word(&self, address: u64) -> Result<u32> {
        let word = self.bytes(address)?.get(..4).and_then(|bytes| bytes.try_into().ok());
        word.map(u32::from_le_bytes).context("a record is cut off")
    }

    /// Where the self-relative offset at `address` points.
    fn target(&self, address: u64) -> Result<u64> {
        Ok(address.wrapping_add_signed(i64::from(self.word(address)? as i32)))
    }

    fn text(&self, address: u64) -> Result<String> {
        let bytes = self.bytes(self.target(address)?)?;
        let text = bytes.read_bytes_at_until(0..bytes.len() as u64, 0).ok().context("a name is cut off")?;
        Ok(String::from_utf8_lossy(text).into_owned())
    }
}

/// The instrumented functions of a file.
pub fn read(data: &[u8]) -> Result<Vec<Function>> {
    let file = object::File::parse(data).context("it is no ELF file")?;
    ensure!(file.kind() != object::ObjectKind::Relocatable, "it must be linked first");
    let loaded = file.sections().filter(|section| section.address() != 0);
    let image = Image {
        sections: loaded.filter_map(|section| Some((section.address(), section.data().ok()?))).collect(),
    };
    let records = file.section_by_name("waypoint_fns").context("it has no instrumented function")?;
    let counters = file.section_by_name("__sancov_guards").context("it has no counters")?.address();
    ensure!(records.size().is_multiple_of(FUNCTION_SIZE), "its records are of another version");
    (0..records.size() / FUNCTION_SIZE)
        .map(|n| function(&image, records.address() + n * FUNCTION_SIZE, counters))
        .collect()
}

fn function(image: &Image<'_>, at: u64, counters: u64) -> Result<Function> {
    let first = image.target(at)?.checked_sub(counters).context("a function's counters lie elsewhere")?;
    let mut lines = vec![Vec::new(); image.word(at + 4)? as usize];
    let n_lines = u64::from(image.word(at + 12)?);
    let table = if n_lines == 0 { 0 } else { image.target(at + 8)? };
    for line in (0..n_lines).map(|n| table + n * LINE_SIZE) {
        let counter = image.word(line)? as usize;
        let of_counter = lines.get_mut(counter).context("a line belongs to no counter")?;
        of_counter.push((image.text(line + 8)?, image.word(line + 4)?));
    }
    Ok(Function { name: image.text(at + 16)?, first_counter: (first / 4) as usize, lines })
}
