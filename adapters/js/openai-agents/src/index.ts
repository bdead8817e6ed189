export { CtxdbSession, type CtxdbSessionOptions } from "./session.ts";
