//! `math`, `statistics` and `functools.reduce`.
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use super::super::error::{Res, raise};
use super::super::native::{Args, Native, native};
use super::super::trees::float_to_int;
use super::super::value::Value;
use super::super::vm::Vm;

macro_rules! float_function {
    ($name:literal, $f:expr) => {
        native($name, |vm, args| {
            let x = vm.want_float(args.need(0, "x")?)?;
            let f: fn(f64) -> f64 = $f;
            let y = f(x);
            if y.is_nan() && !x.is_nan() {
                raise("ValueError", "math domain error")
            } else {
                Ok(Value::Float(y))
            }
        })
    };
}

pub(super) static MATH: [Native; 30] = [
    float_function!("sqrt", f64::sqrt),
    float_function!("exp", f64::exp),
    float_function!("sin", f64::sin),
    float_function!("cos", f64::cos),
    float_function!("tan", f64::tan),
    float_function!("asin", f64::asin),
    float_function!("acos", f64::acos),
    float_function!("atan", f64::atan),
    float_function!("radians", f64::to_radians),
    float_function!("degrees", f64::to_degrees),
    float_function!("fabs", f64::abs),
    native("log2", |vm, args| logarithm(vm, &args, Some(2.0))),
    native("log10", |vm, args| logarithm(vm, &args, Some(10.0))),
    native("log", |vm, args| logarithm(vm, &args, None)),
    native("floor", |vm, args| whole(vm, &args, f64::floor)),
    native("ceil", |vm, args| whole(vm, &args, f64::ceil)),
    native("trunc", |vm, args| whole(vm, &args, f64::trunc)),
    native("pow", |vm, args| {
        Ok(Value::Float(vm.want_float(args.need(0, "x")?)?.powf(vm.want_float(args.need(1, "y")?)?)))
    }),
    native("atan2", |vm, args| {
        Ok(Value::Float(vm.want_float(args.need(0, "y")?)?.atan2(vm.want_float(args.need(1, "x")?)?)))
    }),
    native("hypot", |vm, args| {
        let mut sum = 0.0;
        for value in &args.pos {
            sum += vm.want_float(value)?.powi(2);
        }
        Ok(Value::Float(sum.sqrt()))
    }),
    native("fmod", |vm, args| {
        Ok(Value::Float(vm.want_float(args.need(0, "x")?)? % vm.want_float(args.need(1, "y")?)?))
    }),
    native("isnan", |vm, args| Ok(Value::Bool(vm.want_float(args.need(0, "x")?)?.is_nan()))),
    native("isinf", |vm, args| Ok(Value::Bool(vm.want_float(args.need(0, "x")?)?.is_infinite()))),
    native("isfinite", |vm, args| Ok(Value::Bool(vm.want_float(args.need(0, "x")?)?.is_finite()))),
    native("isqrt", |vm, args| match vm.natural(args.need(0, "n")?)?.as_big() {
        Some(value) if !value.is_negative() => Ok(Value::big(value.sqrt())),
        _ => raise("ValueError", "isqrt() argument must be nonnegative"),
    }),
    native("gcd", |vm, args| {
        let mut result = BigInt::zero();
        for value in &args.pos {
            let mut other = vm.natural(value)?.as_big().unwrap_or_default().abs();
            while !other.is_zero() {
                (result, other) = (other.clone(), result % other);
            }
        }
        Ok(Value::big(result))
    }),
    native("factorial", |vm, args| {
        let n = vm.want_int(args.need(0, "n")?)?;
        if !(0..=10_000).contains(&n) {
            return raise("ValueError", "factorial() not defined for this value");
        }
        Ok(Value::big((1..=n).fold(BigInt::from(1), |product, factor| product * factor)))
    }),
    native("comb", |vm, args| {
        let (n, k) = (vm.want_int(args.need(0, "n")?)?, vm.want_int(args.need(1, "k")?)?);
        if n < 0 || !(0..=10_000).contains(&k) {
            return raise("ValueError", "comb() not defined for these values");
        }
        Ok(Value::big((0..k).fold(BigInt::from(1), |product, at| product * (n - at) / (at + 1))))
    }),
    native("prod", |vm, args| {
        let items = vm.items(args.need(0, "iterable")?)?;
        let mut product = Value::Int(1);
        for item in &items {
            product = vm.binary(super::super::code::Op::Mul, &product, item)?;
        }
        Ok(product)
    }),
    native("isclose", |vm, args| {
        let (a, b) = (vm.want_float(args.need(0, "a")?)?, vm.want_float(args.need(1, "b")?)?);
        let relative = args.named("rel_tol").map_or(Ok(1e-9), |value| vm.want_float(value))?;
        let absolute = args.named("abs_tol").map_or(Ok(0.0), |value| vm.want_float(value))?;
        Ok(Value::Bool((a - b).abs() <= (relative * a.abs().max(b.abs())).max(absolute)))
    }),
];

pub(super) fn constant(name: &str) -> Option<Value> {
    Some(Value::Float(match name {
        "pi" => std::f64::consts::PI,
        "e" => std::f64::consts::E,
        "tau" => std::f64::consts::TAU,
        "inf" => f64::INFINITY,
        "nan" => f64::NAN,
        _ => return None,
    }))
}

fn logarithm(vm: &mut Vm<'_>, args: &Args, base: Option<f64>) -> Res {
    let x = vm.want_float(args.need(0, "x")?)?;
    if x <= 0.0 {
        return raise("ValueError", "math domain error");
    }
    let base = match (base, args.get(1, "base")) {
        (Some(base), _) => Some(base),
        (None, Some(value)) => Some(vm.want_float(value)?),
        (None, None) => None,
    };
    Ok(Value::Float(match base {
        Some(2.0) => x.log2(),
        Some(10.0) => x.log10(),
        Some(base) => x.ln() / base.ln(),
        None => x.ln(),
    }))
}

fn whole(vm: &mut Vm<'_>, args: &Args, f: fn(f64) -> f64) -> Res {
    match vm.natural(args.need(0, "x")?)? {
        Value::Float(value) => float_to_int(f(value)),
        other => vm.int_of(&other),
    }
}

fn numbers(vm: &mut Vm<'_>, args: &Args) -> Res<Vec<f64>> {
    let items = vm.items(args.need(0, "data")?)?;
    let numbers = items.iter().map(|item| vm.want_float(item)).collect::<Res<Vec<_>>>()?;
    if numbers.is_empty() {
        raise("StatisticsError", "at least one data point is needed")
    } else {
        Ok(numbers)
    }
}

pub(super) static STATISTICS: [Native; 3] = [
    native("mean", |vm, args| {
        let numbers = numbers(vm, &args)?;
        Ok(Value::Float(numbers.iter().sum::<f64>() / numbers.len() as f64))
    }),
    native("median", |vm, args| {
        let mut numbers = numbers(vm, &args)?;
        numbers.sort_by(f64::total_cmp);
        let half = numbers.len() / 2;
        let low = if numbers.len() % 2 == 0 { numbers[half - 1] } else { numbers[half] };
        Ok(Value::Float((low + numbers[half]) / 2.0))
    }),
    native("stdev", |vm, args| {
        let numbers = numbers(vm, &args)?;
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        let sum: f64 = numbers.iter().map(|x| (x - mean).powi(2)).sum();
        Ok(Value::Float((sum / (numbers.len() as f64 - 1.0).max(1.0)).sqrt()))
    }),
];

pub(super) static FUNCTOOLS: [Native; 1] = [native("reduce", |vm, args| {
    let function = args.need(0, "function")?.clone();
    let mut items = vm.items(args.need(1, "iterable")?)?.into_iter();
    let mut result = match args.get(2, "initial").cloned().or_else(|| items.next()) {
        Some(first) => first,
        None => return raise("TypeError", "reduce() of empty iterable with no initial value"),
    };
    for item in items {
        result = vm.call(&function, Args::of([result, item]))?;
    }
    Ok(result)
})];
