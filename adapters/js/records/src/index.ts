export {
  createText,
  inParallel,
  isCode,
  putText,
  readText,
  readValue,
  remove,
  toValue,
  unless,
  valueText,
} from "./files.ts";
export { Log } from "./log.ts";
export { below, fromNewestFirst, keyPath, newestFirst, takeKey } from "./names.ts";
export { remember, type Said, sessionName } from "./remember.ts";
export { type PromptMessage, type Reminded, Talk, type TalkOptions, type UserTurn } from "./talk.ts";
