//! Drives the client through the scenarios that all clients share (clients/README.md).
mod files;
mod matching;
mod messages;
mod ops;
mod variables;

use ctxdb::Ctxdb;
use messages::Messages;
use ops::{Failure, Step};
use serde_json::{json, Map, Value};
use std::{collections::HashMap, env, error::Error, fs, path::Path, process::ExitCode, time::Duration};
use variables::Variables;

struct World {
    address: String,
    callers: Map<String, Value>,
    connections: HashMap<String, Ctxdb>,
    variables: Variables,
    messages: Messages,
    folder: tempfile::TempDir,
}

#[tokio::main]
async fn main() -> Result<ExitCode, Box<dyn Error>> {
    let list: Value = serde_json::from_str(&fs::read_to_string(env::var("CTXDB_SCENARIOS")?)?)?;
    let folder = tempfile::tempdir()?;
    files::write(folder.path(), object(&list["files"]))?;
    let mut world = World {
        address: env::var("CTXDB_ADDRESS")?,
        callers: object(&list["callers"]).clone(),
        connections: HashMap::new(),
        variables: Variables::new(&env::var("CTXDB_ROOT_KEY")?),
        messages: Messages::new(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../proto"))?,
        folder,
    };
    let (mut passed, mut failed) = (0, 0);
    for step in list["steps"].as_array().ok_or("no steps")? {
        let id = &step["id"];
        match world.run(step).await {
            Ok(()) => {
                passed += 1;
                println!(r#"{{"step": {id}, "ok": true}}"#);
            }
            Err(message) => {
                failed += 1;
                println!(r#"{{"step": {id}, "ok": false, "message": {}}}"#, json!(message));
            }
        }
    }
    println!("{passed} passed, {failed} failed");
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl World {
    async fn run(&mut self, step: &Value) -> Result<(), String> {
        let args = self.variables.filled(step.get("args").unwrap_or(&json!({})))?;
        let expected = self.variables.filled(&step["expect"])?;
        let mut db = self.connection(step["as"].as_str().unwrap_or_default())?;
        if let Some(seconds) = step["deadline"].as_f64() {
            db = db.with_deadline(Duration::from_secs_f64(seconds));
        }
        let step_to_run = Step {
            op: step["op"].as_str().unwrap_or_default(),
            args,
            cancel_after: step["cancel_after_bytes"].as_u64(),
            folder: self.folder.path(),
            messages: &self.messages,
        };
        match step_to_run.run(&db).await {
            Ok(result) => {
                let wanted = expected.get("result").ok_or_else(|| format!("expected {expected}, got {result}"))?;
                matching::fits(wanted, Some(&result), "result")?;
                self.variables.save(step.get("save"), &result)
            }
            Err(Failure::Program(message)) => Err(message),
            Err(Failure::Call(error)) => {
                if expected.get("error").is_none() {
                    return Err(format!("expected a result, got {error}"));
                }
                matching::fits(&expected, Some(&error), "error")
            }
        }
    }

    fn connection(&mut self, name: &str) -> Result<Ctxdb, String> {
        if let Some(db) = self.connections.get(name) {
            return Ok(db.clone());
        }
        let caller = self.callers.get(name).ok_or_else(|| format!("no caller {name}"))?;
        let caller = self.variables.filled(caller)?;
        let mut builder = Ctxdb::builder(caller["address"].as_str().unwrap_or(&self.address));
        for (key, value) in object(&caller) {
            builder = match (key.as_str(), value) {
                ("key", Value::String(text)) => builder.key(text),
                ("agent", Value::String(text)) => builder.agent(text),
                ("account", Value::String(text)) => builder.account(text),
                ("user", Value::String(text)) => builder.user(text),
                ("retries", value) => builder.retries(value.as_u64().unwrap_or_default() as u32),
                _ => builder,
            };
        }
        let db = builder.connect().map_err(|error| error.to_string())?;
        self.connections.insert(name.to_owned(), db.clone());
        Ok(db)
    }
}

fn object(value: &Value) -> &Map<String, Value> {
    value.as_object().expect("an object in the list of scenarios")
}
