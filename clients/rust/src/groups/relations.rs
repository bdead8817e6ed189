use crate::v1::{relation_service_client::RelationServiceClient, *};

group! {
    /// Relations: directed links between URIs, with a reason.
    Relations
}

operations! { Relations: RelationServiceClient;
    /// Links a file or folder to one or several others. An existing link gets the new reason.
    link = link_nodes(LinkNodesRequest) -> LinkNodesResponse;
    /// Removes a link in one direction; not an error if there is none.
    unlink = unlink_nodes(UnlinkNodesRequest) -> UnlinkNodesResponse;
    /// Returns the relations of a URI that the caller may see.
    list = list_relations(ListRelationsRequest) -> ListRelationsResponse;
}
