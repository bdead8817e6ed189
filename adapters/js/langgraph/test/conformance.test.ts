// Runs LangGraph's own test suite for checkpointers.
import type { Client } from "@ctxdb/client";
import { validate } from "@langchain/langgraph-checkpoint-validation";
import { CtxdbSaver } from "../src/index.ts";
import { newUser } from "./server.ts";

const clients = new Map<CtxdbSaver, Client>();

validate({
  checkpointerName: "CtxdbSaver",
  createCheckpointer() {
    const client = newUser();
    const saver = new CtxdbSaver(client);
    clients.set(saver, client);
    return saver;
  },
  destroyCheckpointer(saver) {
    clients.get(saver)?.close();
    clients.delete(saver);
  },
});
