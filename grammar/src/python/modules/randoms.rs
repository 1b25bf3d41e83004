//! `random`, drawing from the one seeded generator.
use super::super::error::{Res, raise};
use super::super::native::{Args, Native, native, native_type};
use super::super::value::Value;
use super::super::vm::Vm;
use super::Object;

pub(super) static FUNCTIONS: [Native; 20] = [
    native("random", |vm, _| Ok(Value::Float(vm.rng.unit()))),
    native("randint", |vm, args| {
        let (low, high) = (vm.want_int(args.need(0, "a")?)?, vm.want_int(args.need(1, "b")?)?);
        between(vm, low, high)
    }),
    native("randrange", |vm, args| {
        let first = vm.want_int(args.need(0, "start")?)?;
        let (start, stop) = match args.get(1, "stop") {
            Some(value) => (first, vm.want_int(value)?),
            None => (0, first),
        };
        let step = match args.get(2, "step") {
            Some(value) => vm.want_int(value)?,
            None => 1,
        };
        let count = if step == 0 { 0 } else { Value::range_len(start, stop, step) };
        if count <= 0 {
            return raise("ValueError", "empty range for randrange()");
        }
        Ok(Value::Int(start + vm.rng.below64(count as u64) as i64 * step))
    }),
    native("choice", |vm, args| {
        let sequence = args.need(0, "seq")?.clone();
        let len = vm.len(&sequence)?;
        if len == 0 {
            return raise("IndexError", "cannot choose from an empty sequence");
        }
        let at = vm.rng.below64(len as u64) as i64;
        vm.index(&sequence, &Value::Int(at))
    }),
    native("choices", |vm, args| {
        let items = vm.items(args.need(0, "population")?)?;
        let count = match args.named("k") {
            Some(value) => vm.want_int(value)?.max(0) as usize,
            None => 1,
        };
        if items.is_empty() {
            return raise("IndexError", "cannot choose from an empty sequence");
        }
        let weights = match args.get(1, "weights") {
            None | Some(Value::None) => vec![1.0; items.len()],
            Some(weights) => {
                let weights = vm.items(weights)?;
                weights.iter().map(|weight| vm.want_float(weight)).collect::<Res<Vec<_>>>()?
            }
        };
        let total: f64 = weights.iter().sum();
        let mut out = Vec::with_capacity(count);
        for _ in 0..count {
            vm.step()?;
            let mut point = vm.rng.unit() * total;
            let at = weights.iter().position(|weight| {
                point -= weight;
                point < 0.0
            });
            out.push(items[at.unwrap_or(items.len() - 1)].clone());
        }
        Ok(Value::list(out))
    }),
    native("sample", |vm, args| {
        let mut items = vm.items(args.need(0, "population")?)?;
        let count = vm.want_int(args.need(1, "k")?)?;
        if count < 0 || count as usize > items.len() {
            return raise("ValueError", "sample larger than population");
        }
        shuffle(vm, &mut items);
        items.truncate(count as usize);
        Ok(Value::list(items))
    }),
    native("shuffle", |vm, args| {
        let Value::List(list) = args.need(0, "x")? else {
            return raise("TypeError", "shuffle needs a list");
        };
        let mut items = list.borrow().clone();
        shuffle(vm, &mut items);
        *list.borrow_mut() = items;
        Ok(Value::None)
    }),
    native("uniform", |vm, args| {
        let (low, high) = (vm.want_float(args.need(0, "a")?)?, vm.want_float(args.need(1, "b")?)?);
        Ok(Value::Float(low + (high - low) * vm.rng.unit()))
    }),
    native("gauss", |vm, args| normal(vm, &args)),
    native("normalvariate", |vm, args| normal(vm, &args)),
    native("triangular", |vm, args| {
        let (low, high) = (vm.want_float(args.need(0, "low")?)?, vm.want_float(args.need(1, "high")?)?);
        let (a, b) = (vm.rng.unit(), vm.rng.unit());
        Ok(Value::Float(low + (high - low) * (a + b) / 2.0))
    }),
    native("expovariate", |vm, args| {
        let rate = vm.want_float(args.need(0, "lambd")?)?;
        Ok(Value::Float(-(1.0 - vm.rng.unit()).ln() / rate))
    }),
    native("getrandbits", |vm, args| {
        let count = vm.want_int(args.need(0, "k")?)?;
        if count <= 63 {
            return Ok(Value::Int(
                (vm.rng.next() >> (64 - count.clamp(1, 63))) as i64 * i64::from(count > 0),
            ));
        }
        let bytes: Vec<u8> =
            (0..(count as usize).div_ceil(8).min(1 << 20)).map(|_| vm.rng.next() as u8).collect();
        let big = num_bigint::BigInt::from_bytes_le(num_bigint::Sign::Plus, &bytes);
        Ok(Value::big(big >> (bytes.len() as i64 * 8 - count).max(0)))
    }),
    native("randbytes", |vm, args| {
        let count = vm.want_int(args.need(0, "n")?)?.clamp(0, 1 << 26);
        Ok(Value::bytes((0..count).map(|_| vm.rng.next() as u8).collect::<Vec<u8>>()))
    }),
    // One seed of the command line decides everything; a spec's own seed does not.
    native("seed", |_, _| Ok(Value::None)),
    native_type("Random", |_, _| Ok(Value::Object(std::rc::Rc::new(Object::Random)))),
    native_type("SystemRandom", |_, _| Ok(Value::Object(std::rc::Rc::new(Object::Random)))),
    native("betavariate", |vm, _| Ok(Value::Float(vm.rng.unit()))),
    native("lognormvariate", |vm, args| match normal(vm, &args)? {
        Value::Float(value) => Ok(Value::Float(value.exp())),
        other => Ok(other),
    }),
    native("paretovariate", |vm, args| {
        let alpha = vm.want_float(args.need(0, "alpha")?)?;
        Ok(Value::Float((1.0 - vm.rng.unit()).powf(-1.0 / alpha)))
    }),
];

fn between(vm: &mut Vm<'_>, low: i64, high: i64) -> Res {
    if low > high {
        return raise("ValueError", format!("empty range for randint({low}, {high})"));
    }
    let span = (high as u64).wrapping_sub(low as u64);
    let offset = if span == u64::MAX { vm.rng.next() } else { vm.rng.below64(span + 1) };
    Ok(Value::Int(low.wrapping_add(offset as i64)))
}

fn shuffle(vm: &mut Vm<'_>, items: &mut [Value]) {
    for at in (1..items.len()).rev() {
        items.swap(at, vm.rng.below64(at as u64 + 1) as usize);
    }
}

fn normal(vm: &mut Vm<'_>, args: &Args) -> Res {
    let mean = args.get(0, "mu").map_or(Ok(0.0), |value| vm.want_float(value))?;
    let deviation = args.get(1, "sigma").map_or(Ok(1.0), |value| vm.want_float(value))?;
    let (a, b) = (1.0 - vm.rng.unit(), vm.rng.unit());
    Ok(Value::Float(mean + deviation * (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()))
}
