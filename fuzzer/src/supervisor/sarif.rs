//! `--sarif`: the findings as SARIF 2.1.0, for code scanning and for editors.
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::findings::Saved;
use crate::{
    files,
    report::{
        finding::{Finding, Kind},
        symbols::Frame,
    },
};

/// What relative locations are relative to.
const ROOT: &str = "%SRCROOT%";
/// Frames that make up a fingerprint: few enough to stay the same when callers change.
const FINGERPRINT_FRAMES: usize = 3;

/// Writes the findings to `path`.
pub fn write(path: &Path, saved: &[Saved]) -> Result<()> {
    let root = std::env::current_dir().context("cannot find the current directory")?;
    files::write_named(path, format!("{:#}\n", log(saved, &root)).as_bytes())
}

/// The whole log; sources below `root` are named relative to it.
fn log(saved: &[Saved], root: &Path) -> Value {
    let rules: Vec<Value> = Kind::NAMES
        .iter()
        .map(|(id, help)| {
            json!({
                "id": id,
                "shortDescription": { "text": help },
                "defaultConfiguration": { "level": "error" },
            })
        })
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Waypoint",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "originalUriBaseIds": { ROOT: { "uri": format!("{}/", uri(root)) } },
            "results": saved.iter().map(|saved| result(saved, root)).collect::<Vec<_>>(),
        }],
    })
}

fn result(saved: &Saved, root: &Path) -> Value {
    let finding = &saved.finding;
    let input = uri(&saved.path);
    let rule = finding.kind.name();
    let mut result = json!({
        "ruleId": rule,
        "ruleIndex": Kind::NAMES.iter().position(|(name, _)| *name == rule),
        "level": "error",
        "message": { "text": finding.headline() },
        "attachments": [{
            "description": { "text": "the input" },
            "artifactLocation": { "uri": input },
        }],
        "partialFingerprints": { "waypoint/v1": fingerprint(finding) },
        "properties": { "input": saved.path.to_string_lossy() },
    });
    if let Some((file, line)) = finding.place() {
        result["locations"] = json!([{ "physicalLocation": place(file, line, root) }]);
    }
    let frames: Vec<Value> = finding.own_frames().map(|frame| stack_frame(frame, root)).collect();
    if !frames.is_empty() {
        result["stacks"] = json!([{ "frames": frames }]);
    }
    result
}

fn stack_frame(frame: &Frame, root: &Path) -> Value {
    let mut location = json!({ "message": { "text": frame.to_string() } });
    if let Some((file, line)) = frame.place() {
        location["physicalLocation"] = place(file, line, root);
    }
    json!({ "location": location })
}

fn place(file: &str, line: u32, root: &Path) -> Value {
    let file = Path::new(file);
    let artifact = match file.strip_prefix(root) {
        Ok(relative) => json!({ "uri": escaped(relative), "uriBaseId": ROOT }),
        Err(_) if file.is_relative() => json!({ "uri": escaped(file), "uriBaseId": ROOT }),
        Err(_) => json!({ "uri": uri(file) }),
    };
    json!({ "artifactLocation": artifact, "region": { "startLine": line } })
}

/// The same for one cause on every machine and after most changes elsewhere.
fn fingerprint(finding: &Finding) -> String {
    let functions =
        finding.own_frames().take(FINGERPRINT_FRAMES).filter_map(|frame| frame.function.as_deref());
    [finding.kind.name()].into_iter().chain(finding.goal()).chain(functions).collect::<Vec<_>>().join("/")
}

fn uri(path: &Path) -> String {
    format!("file://{}", escaped(path))
}

/// A path with everything escaped that a URI cannot hold.
fn escaped(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let escape = |byte: &u8| match *byte {
        byte if plain(byte) => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    path.as_os_str().as_bytes().iter().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(function: &str, line: Option<&str>) -> Frame {
        let line = line.map(str::to_owned);
        Frame { function: Some(function.to_owned()), line, module: "/bin/target".into(), address: 1 }
    }

    fn saved(stack: Vec<Frame>) -> Saved {
        Saved {
            finding: Finding { kind: Kind::Hang, address: None, report: None, stack, looping: None },
            path: "/out/hangs/id:000000,src:1".into(),
        }
    }

    #[test]
    fn locations_are_relative_to_the_root_where_they_can_be() {
        let stack = vec![
            frame("inlined", None),
            frame("parse", Some("/src/a b.c:12")),
            frame("f", Some("/lib/x.c:3")),
        ];
        let log = log(&[saved(stack)], Path::new("/src"));
        let result = &log["runs"][0]["results"][0];
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"], json!({ "uri": "a%20b.c", "uriBaseId": ROOT }));
        assert_eq!(place["region"]["startLine"], 12);
        let outer = &result["stacks"][0]["frames"][2]["location"]["physicalLocation"];
        assert_eq!(outer["artifactLocation"]["uri"], "file:///lib/x.c");
        assert_eq!(result["partialFingerprints"]["waypoint/v1"], "hang/inlined/parse/f");
        assert_eq!(
            result["attachments"][0]["artifactLocation"]["uri"],
            "file:///out/hangs/id%3A000000%2Csrc%3A1"
        );
        let rule = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(log["runs"][0]["tool"]["driver"]["rules"][rule]["id"], result["ruleId"]);
    }

    #[test]
    fn a_finding_without_debug_information_has_no_location() {
        let log = log(&[saved(vec![frame("f", None)])], Path::new("/src"));
        assert!(log["runs"][0]["results"][0].get("locations").is_none(), "{log:#}");
    }
}
