import { answerCalls, BytesAnswer } from "../../base/processes/answer-calls.ts";
import type { PatternCallMessage } from "./pattern-message.ts";
import { PatternWork } from "./pattern-work.ts";

const work = new PatternWork(() => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
});

answerCalls<PatternCallMessage>((call, bytes) => {
  const answer = work.answer(call, bytes);
  if (!("places" in answer)) return answer;
  const { places, ...rest } = answer;
  return new BytesAnswer(new Uint8Array(places.buffer), rest);
});
