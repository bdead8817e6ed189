import { toJson } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { SkillService } from "../../../gen/ctxdb/v1/skill_pb.ts";
import { addSkill, type SkillDeps } from "../../service/skill/add-skill.ts";
import { deleteSkill } from "../../service/skill/delete-skill.ts";
import { getSkill } from "../../service/skill/get-skill.ts";
import { listSkills } from "../../service/skill/list-skills.ts";
import { type Operation, unary } from "../operation.ts";

const { method } = SkillService;

export const skillOperations = (deps: SkillDeps): Operation[] => [
  unary(method.addSkill, (call, request) => addSkill(deps, call, { ...request, data: plain(request.data) })),
  unary(method.listSkills, (call) => listSkills(deps, call)),
  unary(method.getSkill, (call, request) => getSkill(deps, call, request)),
  unary(method.deleteSkill, (call, request) => deleteSkill(deps, call, request)),
];

/** Converts a value; null becomes undefined. */
const plain = (value: Value | undefined): unknown =>
  value === undefined ? undefined : (toJson(ValueSchema, value) ?? undefined);
