import { answerCalls } from "../../base/answer-calls.ts";
import type { PatternCallMessage } from "./pattern-message.ts";
import { PatternWork } from "./pattern-work.ts";

const work = new PatternWork(() => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
});

answerCalls<PatternCallMessage>((call, bytes) => work.answer(call, bytes));
