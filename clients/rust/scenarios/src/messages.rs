use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor, SerializeOptions};
use serde_json::Value;
use std::{error::Error, fs, path::Path};

/// Between the messages of the contract and their JSON.
pub struct Messages(DescriptorPool);

impl Messages {
    pub fn new(protos: &Path) -> Result<Self, Box<dyn Error>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(protos.join("ctxdb/v1"))? {
            names.push(entry?.path());
        }
        Ok(Self(DescriptorPool::from_file_descriptor_set(protox::compile(names, [protos])?)?))
    }

    pub fn request<Q: Message + Default>(&self, name: &str, json: Value) -> Result<Q, String> {
        let message = DynamicMessage::deserialize(self.descriptor(name), json).map_err(|error| error.to_string())?;
        Q::decode(message.encode_to_vec().as_slice()).map_err(|error| error.to_string())
    }

    pub fn json(&self, name: &str, answer: &impl Message) -> Result<Value, String> {
        let options = SerializeOptions::new().use_proto_field_name(true).skip_default_fields(false).stringify_64_bit_integers(false);
        let message = DynamicMessage::decode(self.descriptor(name), answer.encode_to_vec().as_slice()).map_err(|error| error.to_string())?;
        message.serialize_with_options(serde_json::value::Serializer, &options).map_err(|error| error.to_string())
    }

    fn descriptor(&self, name: &str) -> MessageDescriptor {
        self.0.get_message_by_name(name).unwrap_or_else(|| panic!("no message {name} in the contract"))
    }
}
