export { CtxdbMemory, type CtxdbMemoryOptions } from "./memory.ts";
export { type CtxdbTools, ctxdbTools } from "./tools.ts";
