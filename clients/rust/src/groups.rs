//! One group of operations for each noun.

/// Methods that make one call each: the name here, the name in the contract, the request (where it has fields) and the answer.
macro_rules! operations {
    ($group:ident: $client:ident; $($(#[$doc:meta])* $name:ident = $rpc:ident($($request:ident)?) -> $answer:ident;)*) => {
        impl $group {
            $(operations!(@method $client, [$(#[$doc])*] $name, $rpc, $($request)?, $answer);)*
        }
    };
    (@method $client:ident, [$($doc:tt)*] $name:ident, $rpc:ident, $request:ident, $answer:ident) => {
        $($doc)*
        pub async fn $name(&self, request: impl Into<$request>) -> Result<$answer, crate::Error> {
            let send = |channel, request| async move { $client::new(channel).$rpc(request).await };
            Ok(self.wire.unary(stringify!($name), request.into(), send).await?.into_inner())
        }
    };
    (@method $client:ident, [$($doc:tt)*] $name:ident, $rpc:ident, , $answer:ident) => {
        $($doc)*
        pub async fn $name(&self) -> Result<$answer, crate::Error> {
            let send = |channel, request| async move { $client::new(channel).$rpc(request).await };
            Ok(self.wire.unary(stringify!($name), Default::default(), send).await?.into_inner())
        }
    };
}

/// A group: what it is for, and its connection.
macro_rules! group {
    ($(#[$doc:meta])* $group:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $group {
            pub(crate) wire: crate::call::Wire,
        }
    };
}

pub(crate) mod access;
pub(crate) mod admin;
pub(crate) mod changes;
pub(crate) mod content;
pub(crate) mod fs;
pub(crate) mod memories;
pub(crate) mod observer;
pub(crate) mod packs;
pub(crate) mod relations;
pub(crate) mod resources;
pub(crate) mod search;
pub(crate) mod sessions;
pub(crate) mod skills;
pub(crate) mod snapshots;
pub(crate) mod system;
pub(crate) mod tasks;
pub(crate) mod trash;
pub(crate) mod webhooks;
