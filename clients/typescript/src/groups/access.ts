import type { Caller } from "../caller.ts";
import type { Fields } from "../fields.ts";
import {
  AccessService,
  type AddGroupMemberRequest,
  type AddGroupMemberResponse,
  type CreateGroupRequest,
  type CreateGroupResponse,
  type DeleteGroupRequest,
  type DeleteGroupResponse,
  type ExplainAccessRequest,
  type ExplainAccessResponse,
  type GrantAccessRequest,
  type GrantAccessResponse,
  type Group,
  type ListGrantsRequest,
  type ListGrantsResponse,
  type ListGroupsRequest,
  type RemoveGroupMemberRequest,
  type RemoveGroupMemberResponse,
  type RevokeAccessRequest,
  type RevokeAccessResponse,
  type WhoAmIResponse,
} from "../gen/ctxdb/v1/access_pb.ts";
import type { CallOptions } from "../options.ts";

/** Access: grants on files and folders, and groups of users. */
export class Access {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Returns the caller's identity and groups. */
  async whoAmI(options?: CallOptions): Promise<WhoAmIResponse> {
    return (await this.#caller.read(AccessService.method.whoAmI, {}, options)).message;
  }

  /** Returns what a user may do at a URI, with the rules that determine it. */
  async explain(
    request: Fields<ExplainAccessRequest, "uri">,
    options?: CallOptions,
  ): Promise<ExplainAccessResponse> {
    return (await this.#caller.read(AccessService.method.explainAccess, request, options)).message;
  }

  /** Grants or denies access to a file or folder and everything below it. */
  async grant(
    request: Fields<GrantAccessRequest, "uri" | "granteeType" | "level">,
    options?: CallOptions,
  ): Promise<GrantAccessResponse> {
    return (await this.#caller.write(AccessService.method.grantAccess, request, options)).message;
  }

  /** Removes a grantee's grant on a file or folder. */
  async revoke(
    request: Fields<RevokeAccessRequest, "uri" | "granteeType">,
    options?: CallOptions,
  ): Promise<RevokeAccessResponse> {
    return (await this.#caller.write(AccessService.method.revokeAccess, request, options)).message;
  }

  /** Returns a page of grants, sorted by URI. */
  async grants(request: Fields<ListGrantsRequest> = {}, options?: CallOptions): Promise<ListGrantsResponse> {
    return (await this.#caller.read(AccessService.method.listGrants, request, options)).message;
  }

  /** Creates a group without members. Requires ROOT, or ADMIN of the account. */
  async createGroup(
    request: Fields<CreateGroupRequest, "accountId" | "groupId">,
    options?: CallOptions,
  ): Promise<CreateGroupResponse> {
    return (await this.#caller.write(AccessService.method.createGroup, request, options)).message;
  }

  /** Returns the groups of an account with their members, sorted by id. */
  async listGroups(request: Fields<ListGroupsRequest, "accountId">, options?: CallOptions): Promise<Group[]> {
    return (await this.#caller.read(AccessService.method.listGroups, request, options)).message.groups;
  }

  /** Deletes a group and all grants to it. */
  async deleteGroup(
    request: Fields<DeleteGroupRequest, "accountId" | "groupId">,
    options?: CallOptions,
  ): Promise<DeleteGroupResponse> {
    return (await this.#caller.write(AccessService.method.deleteGroup, request, options)).message;
  }

  /** Adds a user to a group. */
  async addMember(
    request: Fields<AddGroupMemberRequest, "accountId" | "groupId" | "userId">,
    options?: CallOptions,
  ): Promise<AddGroupMemberResponse> {
    return (await this.#caller.write(AccessService.method.addGroupMember, request, options)).message;
  }

  /** Removes a user from a group. */
  async removeMember(
    request: Fields<RemoveGroupMemberRequest, "accountId" | "groupId" | "userId">,
    options?: CallOptions,
  ): Promise<RemoveGroupMemberResponse> {
    return (await this.#caller.write(AccessService.method.removeGroupMember, request, options)).message;
  }
}
