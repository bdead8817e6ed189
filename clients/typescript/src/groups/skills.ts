import type { JsonValue } from "@bufbuild/protobuf";
import type { Caller } from "../caller.ts";
import {
  type AddSkillRequest,
  type AddSkillResponse,
  type DeleteSkillRequest,
  type DeleteSkillResponse,
  type GetSkillRequest,
  type GetSkillResponse,
  SkillService,
  type SkillSummary,
} from "../gen/ctxdb/v1/skill_pb.ts";
import type { CallOptions } from "../options.ts";
import type { Fields } from "../request.ts";
import { toValue } from "../values.ts";

/** A skill as `data` (an object, a tool definition, a document with front matter) or as an upload. */
export type NewSkill = Omit<Fields<AddSkillRequest>, "data"> & { readonly data?: JsonValue };

/** Skills of agents, shared in the account. */
export class Skills {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Stores a skill; one of the same name is replaced whole. */
  async add({ data, ...request }: NewSkill, options?: CallOptions): Promise<AddSkillResponse> {
    return (
      await this.#caller.write(SkillService.method.addSkill, { ...request, data: toValue(data) }, options)
    ).message;
  }

  /** All skills, by name. */
  async list(options?: CallOptions): Promise<SkillSummary[]> {
    return (await this.#caller.read(SkillService.method.listSkills, {}, options)).message.skills;
  }

  /** One skill with its document. */
  async get(request: Fields<GetSkillRequest, "name">, options?: CallOptions): Promise<GetSkillResponse> {
    return (await this.#caller.read(SkillService.method.getSkill, request, options)).message;
  }

  /** Deletes a skill with its files. */
  async delete(
    request: Fields<DeleteSkillRequest, "name">,
    options?: CallOptions,
  ): Promise<DeleteSkillResponse> {
    return (await this.#caller.write(SkillService.method.deleteSkill, request, options)).message;
  }
}
