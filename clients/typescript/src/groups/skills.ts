import type { JsonValue } from "@bufbuild/protobuf";
import type { Caller } from "../caller.ts";
import type { Fields } from "../fields.ts";
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
import { toValue } from "../values.ts";

/** A skill as `data` (an object, a tool definition, or a document with front matter), or as an upload. */
export type NewSkill = Omit<Fields<AddSkillRequest>, "data"> & { readonly data?: JsonValue };

/** Skills of agents, shared by the account. */
export class Skills {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Stores a skill. Replaces a skill of the same name completely. */
  async add({ data, ...request }: NewSkill, options?: CallOptions): Promise<AddSkillResponse> {
    return (
      await this.#caller.write(SkillService.method.addSkill, { ...request, data: toValue(data) }, options)
    ).message;
  }

  /** Returns all skills, sorted by name. */
  async list(options?: CallOptions): Promise<SkillSummary[]> {
    return (await this.#caller.read(SkillService.method.listSkills, {}, options)).message.skills;
  }

  /** Returns a skill with its document. */
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
