//! Generates the stubs of the client from the protos: `generate PROTO_FOLDER OUT_FOLDER`. Needs no protoc.
use std::{error::Error, fs, path::Path};

/// Whose messages travel, beside those of ctxdb.v1; other imports only describe routes and fields.
const FOREIGN: [&str; 1] = ["grpc/health/v1/health.proto"];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [protos, out] = arguments.as_slice() else {
        return Err("usage: generate PROTO_FOLDER OUT_FOLDER".into());
    };
    let mut names = ours(Path::new(protos))?;
    names.extend(FOREIGN.map(String::from));
    let mut descriptors = protox::compile(names, [protos])?;
    descriptors.file.retain(|file| matches!(file.package(), "ctxdb.v1" | "google.protobuf") || FOREIGN.contains(&file.name()));
    let mut messages = prost_build::Config::new();
    messages.disable_comments([".grpc.health"]);
    fs::create_dir_all(out)?;
    tonic_prost_build::configure().build_server(false).build_transport(false).out_dir(out).compile_fds_with_config(descriptors, messages)?;
    Ok(())
}

/// The files of ctxdb.v1, by name, so that the output has one order.
fn ours(protos: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(protos.join("ctxdb/v1"))? {
        names.push(format!("ctxdb/v1/{}", entry?.file_name().to_string_lossy()));
    }
    names.sort();
    Ok(names)
}
