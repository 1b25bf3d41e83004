//! LeakSanitizer's report, read: which leaks there are, and where the memory came from.

/// Memory that nothing points to any more.
#[derive(Debug, PartialEq, Eq)]
pub struct Leak {
    /// How much, in words.
    pub size: String,
    /// Program counters of the allocation, innermost first, without the allocator itself.
    pub stack: Vec<usize>,
}

/// The leaks of a report; those that hang on others only if there is nothing else.
pub fn parse(report: &str) -> Vec<Leak> {
    let direct = blocks(report, "Direct leak of ");
    if direct.is_empty() { blocks(report, "Indirect leak of ") } else { direct }
}

fn blocks(report: &str, start: &str) -> Vec<Leak> {
    let mut leaks = Vec::new();
    let mut lines = report.lines();
    while let Some(line) = lines.next() {
        let Some(rest) = line.strip_prefix(start) else { continue };
        let mut numbers = rest.split(' ').filter_map(|word| word.parse::<u64>().ok());
        let mut counted = |what: &str| match numbers.next() {
            Some(1) => format!("1 {what}"),
            n => format!("{} {what}s", n.unwrap_or_default()),
        };
        let size = format!("{} in {}", counted("byte"), counted("block"));
        let mut stack: Vec<usize> = lines.by_ref().map_while(program_counter).collect();
        if stack.len() > 1 {
            stack.remove(0);
        }
        leaks.push(Leak { size, stack });
    }
    leaks
}

/// That of a line `    #0 0x55d0c0ffee in function file:line`.
fn program_counter(line: &str) -> Option<usize> {
    let mut words = line.trim_start().strip_prefix('#')?.split_ascii_whitespace().skip(1);
    usize::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "
=================================================================
==7==ERROR: LeakSanitizer: detected memory leaks

Indirect leak of 8 byte(s) in 1 object(s) allocated from:
    #0 0x10  (/tmp/target+0x10)
    #1 0x20  (/tmp/target+0x20)

Direct leak of 32 byte(s) in 2 object(s) allocated from:
    #0 0x11 in malloc (/tmp/target+0x11)
    #1 0x5599 in parse /src/a b.c:3:5
    #2 0x77  (/tmp/target+0x77) (BuildId: 1f)

SUMMARY: AddressSanitizer: 40 byte(s) leaked in 3 allocation(s).
";

    #[test]
    fn direct_leaks_go_before_those_that_hang_on_them() {
        let direct = Leak { size: "32 bytes in 2 blocks".to_owned(), stack: vec![0x5599, 0x77] };
        assert_eq!(parse(REPORT), [direct]);
        let cycle = REPORT.replace("Direct", "Another");
        assert_eq!(parse(&cycle)[0].stack, [0x20]);
        assert!(parse("").is_empty());
    }
}
