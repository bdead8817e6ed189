export { CtxdbMemoryProcessor, type CtxdbMemoryProcessorOptions } from "./processor.ts";
