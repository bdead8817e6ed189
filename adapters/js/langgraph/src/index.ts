export { CtxdbSaver, type CtxdbSaverOptions } from "./checkpointer.ts";
export { CtxdbStore, type CtxdbStoreOptions } from "./store.ts";
