//! Naming a loaded object in a way that does not depend on load order or address: by its build-id.
use std::{
    ffi::{CStr, c_char, c_int, c_void},
    hash::{DefaultHasher, Hasher},
};

/// What a loaded object is called across runs, restarts and machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    /// A hash of the build-id; of the file's name where the linker wrote none.
    pub id: u64,
    /// Where the object was loaded.
    pub load_address: usize,
}

struct Search {
    address: usize,
    found: Option<Identity>,
}

/// The identity of the object that `address` lies in.
pub(crate) fn of(address: usize) -> Identity {
    let mut search = Search { address, found: None };
    // SAFETY: `visit` matches the callback's type and `search` outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(visit), std::ptr::from_mut(&mut search).cast()) };
    search.found.unwrap_or(Identity { id: 0, load_address: 0 })
}

unsafe extern "C" fn visit(info: *mut libc::dl_phdr_info, _: usize, search: *mut c_void) -> c_int {
    // SAFETY: the loader passes a valid record and the pointer given to `dl_iterate_phdr`.
    let (info, search) = unsafe { (&*info, &mut *search.cast::<Search>()) };
    // SAFETY: the loader's program headers are valid while it calls us.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum as usize) };
    let base = info.dlpi_addr as usize;
    let range = |header: &libc::Elf64_Phdr| {
        let start = base + header.p_vaddr as usize;
        start..start + header.p_memsz as usize
    };
    if !headers.iter().any(|h| h.p_type == libc::PT_LOAD && range(h).contains(&search.address)) {
        return 0;
    }
    let mut hasher = DefaultHasher::new();
    let notes = headers.iter().filter(|header| header.p_type == libc::PT_NOTE);
    let build_id = notes
        .filter_map(|header| {
            // SAFETY: a PT_NOTE segment is mapped for the life of the object.
            build_id(unsafe {
                std::slice::from_raw_parts(range(header).start as *const u8, range(header).len())
            })
        })
        .next();
    match build_id {
        Some(id) => hasher.write(id),
        // SAFETY: the loader passes a NUL-terminated name.
        None => hasher.write(unsafe { CStr::from_ptr(info.dlpi_name.cast::<c_char>()) }.to_bytes()),
    }
    search.found = Some(Identity { id: hasher.finish(), load_address: base });
    1
}

/// The build-id among the notes of a PT_NOTE segment.
fn build_id(mut notes: &[u8]) -> Option<&[u8]> {
    const NT_GNU_BUILD_ID: u32 = 3;
    let word = |bytes: &[u8], at: usize| {
        bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map(u32::from_ne_bytes)
    };
    loop {
        let (name_len, len, kind) = (word(notes, 0)? as usize, word(notes, 4)? as usize, word(notes, 8)?);
        let start = 12 + name_len.next_multiple_of(4);
        let content = notes.get(start..start.checked_add(len)?)?;
        if kind == NT_GNU_BUILD_ID && notes.get(12..16) == Some(b"GNU\0") {
            return Some(content);
        }
        notes = notes.get(start + len.next_multiple_of(4)..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::build_id;

    #[test]
    fn finds_the_build_id_behind_another_note() {
        let note = |kind: u32, content: &[u8]| {
            let mut bytes = Vec::new();
            for word in [4, content.len() as u32, kind] {
                bytes.extend_from_slice(&word.to_ne_bytes());
            }
            bytes.extend_from_slice(b"GNU\0");
            bytes.extend_from_slice(content);
            bytes.resize(bytes.len().next_multiple_of(4), 0);
            bytes
        };
        let notes = [note(1, &[9; 5]), note(3, &[1, 2, 3])].concat();
        assert_eq!(build_id(&notes), Some(&[1, 2, 3][..]));
        assert_eq!(build_id(&notes[..20]), None);
        assert_eq!(build_id(&[]), None);
    }
}
