use regex_lite::Regex;
use serde_json::{Map, Value};

/// Compares a result with its expectation; the error has the path and the reason.
pub fn fits(expected: &Value, found: Option<&Value>, place: &str) -> Result<(), String> {
    let differs = || format!("{place}: expected {expected}, found {}", found.map_or("nothing".to_owned(), Value::to_string));
    match (expected, found) {
        (Value::Object(rules), _) if rules.keys().any(|key| key.starts_with('$')) => {
            let holds = rules.iter().all(|(rule, value)| holds(rule, value, found));
            if holds {
                Ok(())
            } else {
                Err(differs())
            }
        }
        (Value::Object(fields), Some(Value::Object(found))) => all_fit(fields, found, place),
        (Value::Array(items), Some(Value::Array(found))) if items.len() == found.len() => {
            items.iter().zip(found).enumerate().try_for_each(|(at, (item, found))| fits(item, Some(found), &format!("{place}.{at}")))
        }
        (Value::Number(one), Some(Value::Number(other))) if one.as_f64() == other.as_f64() => Ok(()),
        (expected, Some(found)) if !expected.is_array() && expected == found => Ok(()),
        _ => Err(differs()),
    }
}

fn all_fit(expected: &Map<String, Value>, found: &Map<String, Value>, place: &str) -> Result<(), String> {
    expected.iter().try_for_each(|(key, value)| fits(value, found.get(key), &format!("{place}.{key}")))
}

fn holds(rule: &str, value: &Value, found: Option<&Value>) -> bool {
    if rule == "$exists" {
        return value.as_bool() == Some(found.is_some());
    }
    let Some(found) = found else { return false };
    let is = |value: &Value| fits(value, Some(found), "").is_ok();
    match (rule, value, found) {
        ("$contains", value, Value::Array(items)) => items.iter().any(|item| fits(value, Some(item), "").is_ok()),
        ("$contains", Value::String(part), Value::String(text)) => text.contains(part),
        ("$all", Value::Array(values), _) => values.iter().all(is),
        ("$not", value, _) => !is(value),
        ("$length", value, Value::Array(items)) => value.as_u64() == Some(items.len() as u64),
        ("$length", value, Value::String(text)) => value.as_u64() == Some(text.chars().count() as u64),
        ("$min", value, found) => found.as_f64().zip(value.as_f64()).is_some_and(|(found, least)| found >= least),
        ("$max", value, found) => found.as_f64().zip(value.as_f64()).is_some_and(|(found, most)| found <= most),
        ("$startsWith", Value::String(start), Value::String(text)) => text.starts_with(start),
        ("$matches", Value::String(pattern), Value::String(text)) => Regex::new(pattern).is_ok_and(|regex| regex.is_match(text)),
        _ => false,
    }
}
