import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useRole } from "../api/system.ts";
import { screensOf } from "./screens.ts";

/** Time in ms in which the second key must follow `g`. */
const SEQUENCE_MS = 1_200;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(input|textarea|select)$/i.test(target.tagName) ||
    target.shadowRoot !== null);

/** ⌘K, Ctrl+K and `/` open the palette; `g` and a letter open a screen. */
export function useShortcuts(openPalette: () => void): void {
  const navigate = useNavigate();
  const role = useRole();
  useEffect(() => {
    let pressedAt = 0;
    const onKey = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        return openPalette();
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      if (event.key === "/") {
        event.preventDefault();
        return openPalette();
      }
      const isSecond = event.timeStamp - pressedAt < SEQUENCE_MS;
      pressedAt = event.key === "g" ? event.timeStamp : 0;
      const screen = isSecond ? screensOf(role).find(({ keys }) => keys === `g ${event.key}`) : undefined;
      if (screen !== undefined) void navigate({ to: screen.path });
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [navigate, openPalette, role]);
}
