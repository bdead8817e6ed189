import { SendHorizontal } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { useAddMessage } from "../../api/sessions.ts";
import { Button } from "../../ui/button.tsx";
import { Select, TextArea } from "../../ui/field.tsx";
import { Failure } from "../../ui/states.tsx";

/** Adds a message in one of the two roles; the next message is in the other role. */
export function Composer({ id }: { readonly id: string }) {
  const [role, setRole] = useState<"user" | "assistant">("user");
  const [text, setText] = useState("");
  const add = useAddMessage();
  const send = () => {
    if (text.trim() === "" || add.isPending) return;
    // clear the field at once, so that text typed meanwhile is not lost
    setText("");
    setRole(role === "user" ? "assistant" : "user");
    add.mutate(
      { sessionId: id, role, content: text },
      {
        onError: () => {
          setText((typed) => typed || text);
          setRole(role);
        },
      },
    );
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      onSubmit={submit}
      className="sticky bottom-0 flex flex-col gap-2 border-t border-line bg-surface pt-3"
    >
      {add.error !== null && <Failure error={add.error} />}
      <TextArea
        label="Message"
        hideLabel
        rows={2}
        placeholder={role === "user" ? "What the user says" : "What the assistant answers"}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKey}
      />
      <div className="flex items-center gap-2">
        <Select
          label="Who speaks"
          hideLabel
          className="w-32"
          value={role}
          onChange={(event) => setRole(event.target.value === "assistant" ? "assistant" : "user")}
        >
          <option value="user">User</option>
          <option value="assistant">Assistant</option>
        </Select>
        <span className="flex-1 text-xs text-soft">Enter sends, Shift+Enter begins a line.</span>
        <Button type="submit" look="primary" busy={add.isPending} disabled={text.trim() === ""}>
          <SendHorizontal /> Send
        </Button>
      </div>
    </form>
  );
}
