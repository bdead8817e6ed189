use serde_json::{Map, Value};

/// Values for the placeholders `${name}`.
pub struct Variables(Map<String, Value>);

impl Variables {
    pub fn new(root_key: &str) -> Self {
        let random: String = (0..8).map(|_| fastrand::alphanumeric().to_ascii_lowercase()).collect();
        let root = format!("ctx://resources/run-{random}");
        Self([("root_key", root_key), ("random", &random), ("root", &root)].map(|(name, text)| (name.to_owned(), text.into())).into_iter().collect())
    }

    /// Stores the values at the paths that `save` names in a result.
    pub fn save(&mut self, save: Option<&Value>, result: &Value) -> Result<(), String> {
        for (name, path) in save.and_then(Value::as_object).into_iter().flatten() {
            let pointer = format!("/{}", path.as_str().unwrap_or_default().replace('.', "/"));
            let value = result.pointer(&pointer).ok_or_else(|| format!("nothing at {path} of {result}"))?;
            self.0.insert(name.clone(), value.clone());
        }
        Ok(())
    }

    pub fn filled(&self, value: &Value) -> Result<Value, String> {
        Ok(match value {
            Value::String(text) => self.text(text)?,
            Value::Array(items) => items.iter().map(|item| self.filled(item)).collect::<Result<Vec<_>, _>>()?.into(),
            Value::Object(fields) => {
                let filled = fields.iter().map(|(key, item)| Ok((key.clone(), self.filled(item)?)));
                Value::Object(filled.collect::<Result<_, String>>()?)
            }
            other => other.clone(),
        })
    }

    fn text(&self, text: &str) -> Result<Value, String> {
        let whole = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')).filter(|name| !name.contains('}'));
        if let Some(name) = whole {
            return self.value(name).cloned();
        }
        let mut pieces = text.split("${");
        let mut filled = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let (name, rest) = piece.split_once('}').ok_or_else(|| format!("a placeholder without end in {text}"))?;
            let value = self.value(name)?;
            filled += &value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            filled += rest;
        }
        Ok(filled.into())
    }

    fn value(&self, name: &str) -> Result<&Value, String> {
        self.0.get(name).ok_or_else(|| format!("${{{name}}} has no value"))
    }
}
