//! Streams of zlib, by machines that are kept: making one costs more than most of the data that a spec has.
use std::cell::RefCell;

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

/// Data that unpacks to more is refused.
const MOST: usize = 1 << 28;

thread_local! {
    static PACKERS: RefCell<Vec<(u32, Compress)>> = const { RefCell::new(Vec::new()) };
    static UNPACKER: RefCell<Option<Decompress>> = const { RefCell::new(None) };
}

/// Packs `data`.
pub fn compress(data: &[u8], level: u32) -> Result<Vec<u8>, String> {
    PACKERS.with_borrow_mut(|packers| {
        let place = packers.iter().position(|(known, _)| *known == level).unwrap_or_else(|| {
            packers.push((level, Compress::new(Compression::new(level), true)));
            packers.len() - 1
        });
        let packer = &mut packers[place].1;
        packer.reset();
        let mut out = Vec::with_capacity(64 + data.len() / 2);
        loop {
            let rest = &data[packer.total_in() as usize..];
            match packer.compress_vec(rest, &mut out, FlushCompress::Finish) {
                Ok(Status::StreamEnd) => return Ok(out),
                Ok(_) => out.reserve(out.capacity().max(64)),
                Err(error) => return Err(error.to_string()),
            }
        }
    })
}

/// Unpacks `data`; what stands behind its end does not count.
pub fn decompress(data: &[u8]) -> Result<Vec<u8>, String> {
    UNPACKER.with_borrow_mut(|unpacker| {
        let unpacker = unpacker.get_or_insert_with(|| Decompress::new(true));
        unpacker.reset(true);
        let mut out = Vec::with_capacity(64 + 4 * data.len());
        loop {
            let rest = &data[unpacker.total_in() as usize..];
            let before = (unpacker.total_in(), unpacker.total_out());
            let status = unpacker.decompress_vec(rest, &mut out, FlushDecompress::Finish);
            match status {
                Ok(Status::StreamEnd) => return Ok(out),
                Ok(_) if out.len() >= MOST => return Ok(out),
                // There was room left, so it was the data that ended.
                Ok(_)
                    if out.len() < out.capacity()
                        || (unpacker.total_in(), unpacker.total_out()) == before =>
                {
                    return Err("incomplete or truncated stream".into());
                }
                Ok(_) => out.reserve(out.capacity().max(64)),
                Err(error) => return Err(error.to_string()),
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_packed_is_unpacked_again_and_what_is_cut_off_is_refused() {
        for size in [0, 1, 100, 5000, 200_000] {
            let data: Vec<u8> = (0..size).map(|n: u32| (n.wrapping_mul(n) >> 7) as u8).collect();
            for level in [0, 6, 9, 6] {
                let packed = compress(&data, level).unwrap();
                assert_eq!(decompress(&packed).unwrap(), data);
                assert_eq!(decompress(&[&packed[..], b"more"].concat()).unwrap(), data);
                decompress(&packed[..packed.len() - 1]).unwrap_err();
            }
        }
        decompress(b"no stream").unwrap_err();
        decompress(b"").unwrap_err();
    }
}
