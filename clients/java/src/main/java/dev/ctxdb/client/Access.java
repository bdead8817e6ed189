package dev.ctxdb.client;

import dev.ctxdb.v1.AccessServiceGrpc;
import dev.ctxdb.v1.AddGroupMemberRequest;
import dev.ctxdb.v1.AddGroupMemberResponse;
import dev.ctxdb.v1.CreateGroupRequest;
import dev.ctxdb.v1.CreateGroupResponse;
import dev.ctxdb.v1.DeleteGroupRequest;
import dev.ctxdb.v1.DeleteGroupResponse;
import dev.ctxdb.v1.ExplainAccessRequest;
import dev.ctxdb.v1.ExplainAccessResponse;
import dev.ctxdb.v1.GrantAccessRequest;
import dev.ctxdb.v1.GrantAccessResponse;
import dev.ctxdb.v1.ListGrantsRequest;
import dev.ctxdb.v1.ListGrantsResponse;
import dev.ctxdb.v1.ListGroupsRequest;
import dev.ctxdb.v1.ListGroupsResponse;
import dev.ctxdb.v1.RemoveGroupMemberRequest;
import dev.ctxdb.v1.RemoveGroupMemberResponse;
import dev.ctxdb.v1.RevokeAccessRequest;
import dev.ctxdb.v1.RevokeAccessResponse;
import dev.ctxdb.v1.WhoAmIRequest;
import dev.ctxdb.v1.WhoAmIResponse;

/** Access: grants on files and folders, and groups of users. */
public final class Access {
  private final Caller caller;

  Access(Caller caller) {
    this.caller = caller;
  }

  /** Returns the caller's identity and groups. */
  public WhoAmIResponse whoAmI() {
    return caller.read(AccessServiceGrpc.getWhoAmIMethod(), WhoAmIRequest.getDefaultInstance());
  }

  /** Returns what a user may do at a URI, with the rules that determine it. */
  public ExplainAccessResponse explain(ExplainAccessRequest request) {
    return caller.read(AccessServiceGrpc.getExplainAccessMethod(), request);
  }

  /** Grants or denies access to a file or folder and everything below it. */
  public GrantAccessResponse grant(GrantAccessRequest request) {
    return caller.write(AccessServiceGrpc.getGrantAccessMethod(), request);
  }

  /** Removes a grantee's grant on a file or folder. */
  public RevokeAccessResponse revoke(RevokeAccessRequest request) {
    return caller.write(AccessServiceGrpc.getRevokeAccessMethod(), request);
  }

  /** Returns a page of grants, sorted by URI. */
  public ListGrantsResponse grants(ListGrantsRequest request) {
    return caller.read(AccessServiceGrpc.getListGrantsMethod(), request);
  }

  /** Creates a group without members. Requires ROOT, or ADMIN of the account. */
  public CreateGroupResponse createGroup(CreateGroupRequest request) {
    return caller.write(AccessServiceGrpc.getCreateGroupMethod(), request);
  }

  /** Returns the groups of an account with their members, sorted by id. */
  public ListGroupsResponse listGroups(ListGroupsRequest request) {
    return caller.read(AccessServiceGrpc.getListGroupsMethod(), request);
  }

  /** Deletes a group and all grants to it. */
  public DeleteGroupResponse deleteGroup(DeleteGroupRequest request) {
    return caller.write(AccessServiceGrpc.getDeleteGroupMethod(), request);
  }

  /** Adds a user to a group. */
  public AddGroupMemberResponse addMember(AddGroupMemberRequest request) {
    return caller.write(AccessServiceGrpc.getAddGroupMemberMethod(), request);
  }

  /** Removes a user from a group. */
  public RemoveGroupMemberResponse removeMember(RemoveGroupMemberRequest request) {
    return caller.write(AccessServiceGrpc.getRemoveGroupMemberMethod(), request);
  }
}
