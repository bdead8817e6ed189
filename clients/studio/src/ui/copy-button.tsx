import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { IconButton } from "./button.tsx";
import { toastError } from "./toasts.tsx";

const SHOWN_MS = 1_500;

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await copyText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), SHOWN_MS);
    } catch (thrown) {
      toastError(thrown);
    }
  };
  return (
    <IconButton label={copied ? "Copied" : label} className="size-7" onClick={() => void copy()}>
      {copied ? <Check className="text-accent" /> : <Copy />}
    </IconButton>
  );
}

/** Copies text. Pages without TLS have no clipboard API, so there the browser copies a selection. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (!copied) throw new Error("The browser does not allow copying. Select the text and copy it yourself.");
}
