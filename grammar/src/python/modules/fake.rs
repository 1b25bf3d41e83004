//! A small `faker`: plausible names and words from short lists.
use super::super::error::{REFUSED, Res, raise};
use super::super::native::{Args, Method as M, Native, native, native_type};
use super::super::value::Value;
use super::super::vm::Vm;
use super::Object;

pub(super) static FUNCTIONS: [Native; 2] = [
    native_type("Faker", |_, _| Ok(Value::Object(std::rc::Rc::new(Object::Faker)))),
    native("seed", |_, _| Ok(Value::None)),
];

const FIRST: [&str; 24] = [
    "Ada", "Ben", "Clara", "David", "Elif", "Felix", "Grace", "Hugo", "Ines", "Jonas", "Kira", "Liam",
    "Mara", "Noah", "Olga", "Paul", "Rosa", "Samuel", "Tara", "Umar", "Vera", "William", "Yara", "Zoe",
];
const LAST: [&str; 20] = [
    "Adams", "Baker", "Carter", "Dietrich", "Evans", "Fischer", "Garcia", "Hansen", "Ivanov", "Jensen",
    "Keller", "Lopez", "Moreau", "Nguyen", "Olsen", "Petrov", "Rossi", "Schmidt", "Taylor", "Walker",
];
const WORDS: [&str; 24] = [
    "able", "blue", "cloud", "draw", "early", "field", "green", "house", "island", "join", "kind", "light",
    "money", "night", "open", "paper", "quick", "river", "stone", "travel", "under", "voice", "water",
    "young",
];
const CITIES: [&str; 10] =
    ["Aachen", "Bergen", "Cordoba", "Dublin", "Exeter", "Ghent", "Lund", "Porto", "Turin", "Zadar"];
const COUNTRIES: [&str; 8] = ["Austria", "Brazil", "Chile", "Denmark", "Egypt", "France", "Japan", "Kenya"];

fn pick<'a>(vm: &mut Vm<'_>, list: &[&'a str]) -> &'a str {
    list[vm.rng.below(list.len() as u32) as usize]
}

fn digits(vm: &mut Vm<'_>, template: &str) -> String {
    template
        .chars()
        .map(|c| match c {
            '#' => char::from(b'0' + vm.rng.below(10) as u8),
            '%' => char::from(b'1' + vm.rng.below(9) as u8),
            '?' => char::from(b'a' + vm.rng.below(26) as u8),
            other => other,
        })
        .collect()
}

fn sentence(vm: &mut Vm<'_>, words: i64) -> String {
    let mut out: Vec<&str> = Vec::new();
    for _ in 0..words.clamp(1, 1000) {
        out.push(pick(vm, &WORDS));
    }
    let text = out.join(" ");
    format!("{}{}.", text[..1].to_uppercase(), &text[1..])
}

pub(super) fn method(vm: &mut Vm<'_>, name: M, args: &Args) -> Res {
    let text = match name {
        M::first_name | M::first_name_female | M::first_name_male => pick(vm, &FIRST).to_owned(),
        M::last_name => pick(vm, &LAST).to_owned(),
        M::name => format!("{} {}", pick(vm, &FIRST), pick(vm, &LAST)),
        M::prefix => pick(vm, &["Dr.", "Mr.", "Mrs.", "Ms."]).to_owned(),
        M::suffix => pick(vm, &["II", "III", "Jr.", "PhD"]).to_owned(),
        M::city => pick(vm, &CITIES).to_owned(),
        M::country => pick(vm, &COUNTRIES).to_owned(),
        M::state => pick(vm, &["Bavaria", "Nevada", "Ontario", "Tyrol"]).to_owned(),
        M::street_name => format!("{} Street", pick(vm, &LAST)),
        M::street_address => format!("{} {} Street", digits(vm, "%##"), pick(vm, &LAST)),
        M::address => {
            format!(
                "{} {} Street\n{}, {}",
                digits(vm, "%##"),
                pick(vm, &LAST),
                pick(vm, &CITIES),
                digits(vm, "#####")
            )
        }
        M::zipcode | M::postcode => digits(vm, "#####"),
        M::phone_number => digits(vm, "+%# ### #######"),
        M::ssn => digits(vm, "%##-##-####"),
        M::company => format!("{} and {}", pick(vm, &LAST), pick(vm, &LAST)),
        M::job => pick(vm, &["Engineer", "Farmer", "Nurse", "Painter", "Pilot", "Teacher"]).to_owned(),
        M::word => pick(vm, &WORDS).to_owned(),
        M::color_name => pick(vm, &["Blue", "Green", "Orange", "Red", "White"]).to_owned(),
        M::sentence => sentence(vm, 6),
        M::text | M::paragraph => format!("{} {}", sentence(vm, 8), sentence(vm, 6)),
        M::user_name => format!("{}{}", pick(vm, &FIRST).to_lowercase(), digits(vm, "##")),
        M::email => format!("{}@{}.example", pick(vm, &FIRST).to_lowercase(), pick(vm, &WORDS)),
        M::domain_name | M::hostname => format!("{}.example", pick(vm, &WORDS)),
        M::url => format!("https://{}.example/{}", pick(vm, &WORDS), pick(vm, &WORDS)),
        M::ipv4 => (0..4).map(|_| vm.rng.below(256).to_string()).collect::<Vec<_>>().join("."),
        M::uuid4 => {
            let (a, b) = (vm.rng.next(), vm.rng.next());
            format!(
                "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
                a >> 32,
                a >> 16 & 0xffff,
                a & 0xfff,
                (b >> 48 & 0x3fff) | 0x8000,
                b & 0xffff_ffff_ffff
            )
        }
        M::credit_card_number => digits(vm, "4###############"),
        M::iban => digits(vm, "DE####################"),
        M::date => digits(vm, "20##-0%-1#"),
        M::numerify | M::lexify | M::bothify => {
            let template = vm.want_text(args.need(0, "text")?)?;
            digits(vm, &template)
        }
        M::random_int | M::pyint => {
            let low = args.get(0, "min").map_or(Ok(0), |value| vm.want_int(value))?;
            let high = args.get(1, "max").map_or(Ok(9999), |value| vm.want_int(value))?;
            return Ok(Value::Int(low + vm.rng.below64((high - low + 1).max(1) as u64) as i64));
        }
        M::random_digit => return Ok(Value::Int(i64::from(vm.rng.below(10)))),
        M::random_letter | M::pystr => digits(vm, "?"),
        M::random_element => {
            let items = vm.items(args.need(0, "elements")?)?;
            let at = vm.rng.below(items.len() as u32) as usize;
            return Ok(items.get(at).cloned().unwrap_or_default());
        }
        M::seed => return Ok(Value::None),
        _ => return raise(REFUSED, format!("the small built-in faker has no `{}`", name.name())),
    };
    Ok(Value::str(text))
}
