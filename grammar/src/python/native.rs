//! Builtin functions as values, their arguments, and the names of methods as numbers.
use std::fmt;
use std::rc::Rc;

use smallvec::SmallVec;

use super::error::{Res, raise};
use super::value::Value;
use super::vm::Vm;

/// A builtin function or type.
pub struct Native {
    /// Its name.
    pub name: &'static str,
    /// It is a type, so `isinstance` and `except` know it.
    pub is_type: bool,
    /// What it does.
    pub call: fn(&mut Vm<'_>, Args) -> Res,
}

impl fmt::Debug for Native {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<builtin {}>", self.name)
    }
}

/// A row of a table of builtins.
pub const fn native(name: &'static str, call: fn(&mut Vm<'_>, Args) -> Res) -> Native {
    Native { name, is_type: false, call }
}

/// A row of a table of builtins that is a type.
pub const fn native_type(name: &'static str, call: fn(&mut Vm<'_>, Args) -> Res) -> Native {
    Native { name, is_type: true, call }
}

/// The arguments of a call.
#[derive(Debug, Default)]
pub struct Args {
    /// By position.
    pub pos: SmallVec<[Value; 4]>,
    /// By name.
    pub named: SmallVec<[(Rc<str>, Value); 1]>,
}

impl Args {
    /// One argument.
    pub fn one(value: Value) -> Self {
        Self { pos: SmallVec::from_iter([value]), named: SmallVec::new() }
    }

    /// The arguments `values`.
    pub fn of(values: impl IntoIterator<Item = Value>) -> Self {
        Self { pos: values.into_iter().collect(), named: SmallVec::new() }
    }

    /// The argument at `index`, or called `name`.
    pub fn get(&self, index: usize, name: &str) -> Option<&Value> {
        self.pos
            .get(index)
            .or_else(|| self.named.iter().find(|(given, _)| &**given == name).map(|(_, value)| value))
    }

    /// The argument at `index`, or called `name`; an error if it is missing.
    pub fn need(&self, index: usize, name: &str) -> Res<&Value> {
        match self.get(index, name) {
            Some(value) => Ok(value),
            None => raise("TypeError", format!("missing argument `{name}`")),
        }
    }

    /// The argument called `name`.
    pub fn named(&self, name: &str) -> Option<&Value> {
        self.named.iter().find(|(given, _)| &**given == name).map(|(_, value)| value)
    }
}

macro_rules! methods {
    ($($name:ident)*) => {
        /// The name of a method or attribute that some type has.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[expect(non_camel_case_types, missing_docs, reason = "these are Python's names")]
        pub enum Method { $($name,)* }

        impl Method {
            /// The method called `name`, if any type has one.
            pub fn named(name: &str) -> Option<Self> {
                match name.trim_start_matches("r#") {
                    $(name if name == stringify!($name).trim_start_matches("r#") => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// Its name.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name).trim_start_matches("r#"),)* }
            }
        }
    };
}

methods! {
    append extend insert pop remove clear index count sort reverse copy
    get keys values items update setdefault
    add discard union intersection difference symmetric_difference issubset issuperset isdisjoint
    capitalize casefold center encode decode endswith expandtabs find format isalnum isalpha isascii isdecimal
    isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip partition
    replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title
    translate maketrans upper zfill removeprefix removesuffix hex fromhex
    bit_length bit_count to_bytes from_bytes is_integer conjugate as_integer_ratio real imag numerator denominator
    digest hexdigest digest_size block_size name
    group groups groupdict start end span string pos sub search fullmatch r#match findall finditer pattern
    children parent symbol sources descendants find_subtrees find_all_trees find_direct_trees flattened value
    is_terminal is_non_terminal nonterminal terminal to_string to_int to_bits to_value children_values
    descendant_values size get_root get_path get_index count_terminals contains_bits contains_bytes _children
    _sources to_tree to_grammar sender recipient should_be_serialized_to_bytes __str__ __len__ __int__ __bytes__
    is_type protocol_msgs now today strptime fromisoformat fromtimestamp utcnow
    year month day hour minute second microsecond isoformat strftime timestamp date time weekday toordinal days
    seconds total_seconds tm_year tm_mon tm_mday tm_hour tm_min tm_sec tm_wday tm_yday isoweekday
    random randint choice choices sample shuffle uniform gauss getrandbits randrange randbytes seed triangular
    first_name last_name address city email word text company phone_number sentence country url user_name
    random_int pyint pystr first_name_female first_name_male zipcode postcode street_address street_name state
    ipv4 uuid4 job ssn hostname domain_name color_name paragraph prefix suffix random_element
    random_digit random_letter numerify lexify bothify iban credit_card_number date_of_birth
    args pack unpack most_common elements
    __name__ __class__ __doc__ compress decompress flush unused_data
}
