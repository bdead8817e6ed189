//! Code generated from the protos, in the module tree that the generated paths expect.
#![allow(missing_docs, rustdoc::all, clippy::all)]

pub mod ctxdb {
    /// The messages and the bare gRPC clients of the contract.
    pub mod v1 {
        include!("gen/ctxdb.v1.rs");
    }
}

pub(crate) mod grpc {
    pub mod health {
        pub mod v1 {
            include!("gen/grpc.health.v1.rs");
        }
    }
}
