import { MemoryService } from "../../../gen/ctxdb/v1/memory_pb.ts";
import type { Cursors } from "../../service/cursors.ts";
import type { ForgetOperationDeps } from "../../service/follow-forget.ts";
import { createMemory } from "../../service/memory/create-memory.ts";
import { deleteMemory } from "../../service/memory/delete-memory.ts";
import { forget } from "../../service/memory/forget.ts";
import { getMemory } from "../../service/memory/get-memory.ts";
import { getMemoryHistory } from "../../service/memory/get-memory-history.ts";
import { listMemories } from "../../service/memory/list-memories.ts";
import type { MemoryDeps } from "../../service/memory/own-memories.ts";
import { updateMemory } from "../../service/memory/update-memory.ts";
import { type Operation, unary } from "../operation.ts";

const { method } = MemoryService;

export const memoryOperations = (
  deps: MemoryDeps & ForgetOperationDeps & { readonly cursors: Cursors },
): Operation[] => [
  unary(method.createMemory, (call, request) => createMemory(deps, call, request)),
  unary(method.listMemories, (call, request) => listMemories(deps, call, request)),
  unary(method.getMemory, (call, request) => getMemory(deps, call, request)),
  unary(method.updateMemory, (call, request) => updateMemory(deps, call, request)),
  unary(method.deleteMemory, (call, request) => deleteMemory(deps, call, request)),
  unary(method.forget, (call, request) => forget(deps, call, request)),
  unary(method.getMemoryHistory, (call, request) => getMemoryHistory(deps, call, request)),
];
