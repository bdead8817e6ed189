import { Link } from "@tanstack/react-router";
import { Link2, Wrench } from "lucide-react";
import { useEffect, useRef } from "react";
import type { MessagePart } from "../../api/sessions.ts";
import { dateTime } from "../../text/format.ts";
import { visible, visibleText } from "../../text/uri.ts";
import { Badge } from "../../ui/layout.tsx";
import { UriText } from "../../ui/uri-text.tsx";

/** Displayed data of a message, stored or archived. */
export interface ShownMessage {
  readonly id: string;
  readonly role: string;
  readonly parts: readonly Pick<
    MessagePart,
    "type" | "text" | "uri" | "abstract" | "toolName" | "toolInput" | "toolOutput" | "toolStatus"
  >[];
  readonly createdAt: string;
}

interface MessageProps {
  readonly message: ShownMessage;
  /** Whether a link refers to this message; it is then scrolled into view and highlighted. */
  readonly isMarked?: boolean;
}

export function Message({ message, isMarked = false }: MessageProps) {
  const isUser = message.role === "user";
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isMarked) item.current?.scrollIntoView({ block: "center" });
  }, [isMarked]);
  return (
    <li
      ref={item}
      aria-current={isMarked || undefined}
      className={`flex flex-col ${isUser ? "items-end" : "items-start"}`}
    >
      <p className="mb-1 text-xs text-soft">
        {isUser ? "User" : "Assistant"} · {dateTime(message.createdAt)}
      </p>
      <div
        className={`flex max-w-[85%] min-w-0 flex-col gap-2 rounded-2xl px-4 py-2.5 ${isUser ? "bg-accent-ground" : "bg-sunken"} ${isMarked ? "outline-2 outline-offset-2 outline-accent" : ""}`}
      >
        {message.parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id and never change order
          <Part key={index} part={part} />
        ))}
      </div>
    </li>
  );
}

function Part({ part }: { readonly part: ShownMessage["parts"][number] }) {
  if (part.type === "tool") return <ToolCall part={part} />;
  if (part.type === "context") {
    return (
      <p className="flex items-start gap-1.5 text-[13px]">
        <Link2 className="mt-0.5 size-4 shrink-0 text-soft" aria-label="Context" />
        <span className="min-w-0">
          <Link to="/explorer" search={{ uri: part.uri ?? "" }} className="text-accent hover:underline">
            <UriText uri={part.uri ?? ""} />
          </Link>
          {part.abstract !== undefined && (
            <span className="block text-soft">{visibleText(part.abstract)}</span>
          )}
        </span>
      </p>
    );
  }
  return (
    <p className="break-words whitespace-pre-wrap" dir="auto">
      {visibleText(part.text ?? "")}
    </p>
  );
}

function ToolCall({ part }: { readonly part: ShownMessage["parts"][number] }) {
  const { toolName = "tool", toolInput, toolOutput, toolStatus = "pending" } = part;
  return (
    <details className="rounded-lg border border-line bg-surface px-3 py-2 text-[13px]">
      <summary className="flex items-center gap-2">
        <Wrench className="size-4 text-soft" aria-hidden />
        <code className="min-w-0 flex-1 truncate">{visible(toolName)}</code>
        <Badge tone={toolStatus === "error" ? "danger" : "neutral"}>{toolStatus}</Badge>
      </summary>
      {toolInput !== undefined && (
        <>
          <p className="mt-2 text-xs text-soft">Input</p>
          <pre className="max-h-60 overflow-auto text-xs whitespace-pre-wrap">
            {visibleText(JSON.stringify(toolInput, null, 2))}
          </pre>
        </>
      )}
      {toolOutput !== undefined && (
        <>
          <p className="mt-2 text-xs text-soft">Output</p>
          <pre className="max-h-60 overflow-auto text-xs whitespace-pre-wrap">{visibleText(toolOutput)}</pre>
        </>
      )}
    </details>
  );
}
