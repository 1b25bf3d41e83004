//! Words that are several in a row. A reader that takes the longest word that an input goes on with needs nothing between
//! two of them, and asks for the letters of the next one right behind the first.
use super::{Counts, Halt, Learner, Prober, phrase::is_sign, words::Slot};

impl<P: Prober> Learner<'_, P> {
    /// Whether a space in a word, behind one of its beginnings that end here and are words, changes no more than a space does.
    pub(super) fn is_joined(
        &mut self,
        slot: Slot<'_>,
        word: &[u8],
        ends: Vec<usize>,
    ) -> Result<bool, Halt<P::Error>> {
        if ends.is_empty() {
            return Ok(false);
        }
        let spaces = self.changed_by_spaces(&slot.phrase[..slot.at])?;
        for end in ends {
            let (first, rest) = word.split_at(end);
            let apart = [first, b" ", rest].concat();
            if self.changes(&slot.bytes(word, 0), &slot.bytes(&apart, 0))?.is_subset(&spaces) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a word that only a table knows is read as it is with a space in it, wherever that stands: as a number and a
    /// sign are, or words that may stand right behind each other.
    pub(super) fn reads_as_two(
        &mut self,
        slot: Slot<'_>,
        word: &[u8],
        run: &Counts,
    ) -> Result<bool, Halt<P::Error>> {
        let ends = if self.tables.are_read { 1..word.len() } else { 0..0 };
        for (first, rest) in ends.map(|end| word.split_at(end)) {
            let apart = [first, b" ", rest].concat();
            let reached = self.read(&slot.bytes(&apart, 0))?;
            let is_reached = |key: &u32| reached.binary_search_by_key(key, |(other, _)| *other).is_ok();
            if run.iter().all(|(key, _)| is_reached(key)) {
                let (whole, apart) = (slot.phrase(word), slot.phrase(&apart));
                if !self.is_silent(&whole)? && !self.is_other(&whole, &[apart], &[])? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether a word ends in another one and reaches all that only that reaches, behind a sign or no more than the beginning of a third
    /// one: who gives up on a word may go on with what stands behind.
    pub(super) fn is_behind_another(
        &mut self,
        slot: Slot<'_>,
        word: &[u8],
        run: &Counts,
    ) -> Result<bool, Halt<P::Error>> {
        // What the program has among its texts is a word of its own.
        let is_text = self.texts.binary_search_by(|text| text[..].cmp(word)).is_ok();
        for (front, rest) in (1..word.len()).filter(|_| !is_text).map(|end| word.split_at(end)) {
            let is_beginning = |known: &Vec<u8>| {
                known.len() > front.len() && known.starts_with(front) && !known.ends_with(rest)
            };
            if !self.strong.contains_key(rest)
                || self.strong.contains_key(front)
                || !(is_sign(front) || self.words.keys().any(is_beginning))
            {
                continue;
            }
            let mut own = self.read(&slot.bytes(rest, 0))?;
            for neighbour in self.neighbours(rest) {
                let other = self.read(&slot.bytes(&neighbour, 0))?;
                own.retain(|(key, _)| other.binary_search_by_key(key, |(other, _)| *other).is_err());
            }
            let is_reached = |key: &u32| run.binary_search_by_key(key, |(own, _)| *own).is_ok();
            if !own.is_empty() && own.iter().all(|(key, _)| is_reached(key)) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
pub mod tests {
    use super::{super::prober::Fake, *};

    /// Reads `eq`, `ne` and `note`, with or without spaces between, until it comes to anything else.
    pub fn reads(mut input: &[u8]) -> Counts {
        let (mut words, mut spaces) = ([0; 3], 0);
        loop {
            let taken = ["eq", "ne", "note"].iter().position(|word| input.starts_with(word.as_bytes()));
            if let Some(word) = taken {
                words[word] += 1;
                input = &input[if word == 2 { 4 } else { 2 }..];
            } else if let Some(rest) = input.strip_prefix(b" ") {
                spaces += 1;
                input = rest;
            } else {
                return vec![(0, words[0]), (1, words[1]), (2, words[2]), (3, spaces)];
            }
        }
    }

    #[test]
    fn words_in_a_row_are_none() {
        let mut reader = Fake(reads);
        let mut learner = Learner::new(&mut reader, Vec::new(), Vec::new());
        learner.junk = "\x7f";
        let phrase = [b"x".to_vec()];
        let slot = Slot::new(&phrase, 0);
        let mut is_joined = |word: &[u8], end| learner.is_joined(slot, word, vec![end]).unwrap();
        assert!(is_joined(b"eqne", 2) && is_joined(b"eqn", 2) && is_joined(b"neeq", 2));
        assert!(!is_joined(b"note", 2) && !is_joined(b"eqnote", 4));
    }

    #[test]
    fn who_follows_a_table_may_read_two_without_a_space() {
        let mut reader = Fake(reads);
        let mut learner = Learner::new(&mut reader, Vec::new(), Vec::new());
        learner.junk = "\x7f";
        learner.tests = vec![b"eq".to_vec(), b"ne".to_vec()];
        let phrase = [b"x".to_vec()];
        let slot = Slot::new(&phrase, 0);
        let mut reads_as_two = |are_read, word: &[u8]| {
            learner.tables.are_read = are_read;
            let run = learner.read(&slot.bytes(word, 0)).unwrap();
            learner.reads_as_two(slot, word, &run).unwrap()
        };
        assert!(reads_as_two(true, b"eqne") && !reads_as_two(true, b"note"));
        assert!(!reads_as_two(false, b"eqne"));
    }
}
