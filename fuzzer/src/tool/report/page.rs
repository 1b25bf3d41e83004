//! The page: its fixed parts, and the campaign as data within it.
use anyhow::{Context, Result};

use super::Campaign;

const HTML: &str = include_str!("page.html");
const CSS: &str = include_str!("page.css");
const JS: &str = include_str!("page.js");

/// The whole page.
pub fn html(campaign: &Campaign) -> Result<String> {
    let data = serde_json::to_string(campaign).context("cannot write the report's data")?;
    // Within a script only this character could end it.
    let data = data.replace('<', "\\u003c");
    let mut page = String::with_capacity(HTML.len() + CSS.len() + JS.len() + data.len());
    let mut rest = HTML;
    for (mark, text) in [("{{css}}", CSS), ("{{data}}", data.as_str()), ("{{js}}", JS)] {
        let (before, after) = rest.split_once(mark).context("the page's frame has lost a part")?;
        page.push_str(before);
        page.push_str(text);
        rest = after;
    }
    page.push_str(rest);
    Ok(page)
}
