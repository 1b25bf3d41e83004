//! The grammars that have a name: the specs as they are in the folder `specs`.

/// A spec that is part of the program.
#[derive(Debug)]
pub struct BuiltIn {
    /// What the user calls it.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! specs {
    ($($name:literal)*) => {
        &[$(BuiltIn { name: $name, text: include_str!(concat!("../specs/", $name, ".fan")) }),*]
    };
}

/// All of them. To add one: a file in `specs`, and its name here.
pub static ALL: &[BuiltIn] = specs! {
    "arithmetic" "c" "csv" "dns" "es5" "gif" "ini" "javascript" "json" "png" "regex" "sql" "tar" "tinyc" "url" "xml" "zip"
};

/// The one of this name.
pub fn find(name: &str) -> Option<&'static BuiltIn> {
    ALL.iter().find(|spec| spec.name == name)
}

/// The names, for a sentence.
pub fn names() -> String {
    ALL.iter().map(|spec| spec.name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_spec_of_the_folder_has_its_name() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        files.sort();
        assert_eq!(files, ALL.iter().map(|spec| spec.name.to_owned()).collect::<Vec<_>>());
    }
}
