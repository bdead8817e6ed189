import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";

const STORE_KEY = "ctxdb.theme";
const THEMES: readonly Theme[] = ["system", "light", "dark"];

const wantsDark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();
let current: Theme = THEMES.find((theme) => theme === localStorage.getItem(STORE_KEY)) ?? "system";

/** Applies the selected theme, now and when the system's theme changes. */
export function applyTheme(): void {
  const isDark = current === "dark" || (current === "system" && wantsDark.matches);
  document.documentElement.classList.toggle("dark", isDark);
  for (const listener of listeners) listener();
}

wantsDark.addEventListener("change", applyTheme);

export function chooseTheme(theme: Theme): void {
  current = theme;
  localStorage.setItem(STORE_KEY, theme);
  applyTheme();
}

export const nextTheme = (theme: Theme): Theme =>
  THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, () => current);

/** Whether the page is currently dark, for content that is drawn instead of styled. */
export const useIsDark = (): boolean =>
  useSyncExternalStore(subscribe, () => document.documentElement.classList.contains("dark"));
