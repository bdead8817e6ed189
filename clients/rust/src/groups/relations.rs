use crate::v1::{relation_service_client::RelationServiceClient, *};

group! {
    /// Directed links between URIs, with a reason.
    Relations
}

operations! { Relations: RelationServiceClient;
    /// Links one node to another or to several; an existing link gets the new reason.
    link = link_nodes(LinkNodesRequest) -> LinkNodesResponse;
    /// Removes one direction of a link; no error where there is none.
    unlink = unlink_nodes(UnlinkNodesRequest) -> UnlinkNodesResponse;
    /// The relations of a URI that the caller may see.
    list = list_relations(ListRelationsRequest) -> ListRelationsResponse;
}
