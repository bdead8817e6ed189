import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { ArrowRight, Code2, FileText, FlaskConical, Folder, LogOut, MonitorCog } from "lucide-react";
import { type ReactNode, useDeferredValue, useEffect, useState } from "react";
import { useGlob } from "../api/search.ts";
import { useRole } from "../api/system.ts";
import { showCalls } from "../calls/panel-state.ts";
import { signOut, useIdentity } from "../identity/identity.ts";
import { parentOf, ROOT, visible } from "../text/uri.ts";
import { Dialog } from "../ui/dialog.tsx";
import { type Screen, screensOf } from "./screens.ts";
import { chooseTheme, nextTheme, useTheme } from "./theme.ts";

const MAX_FILES = 8;
const ITEM =
  "flex cursor-pointer items-center gap-2.5 rounded-md px-2 py-1.5 aria-selected:bg-accent-ground aria-selected:text-accent [&_svg]:size-4 [&_svg]:shrink-0";
const GROUP =
  "[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-soft";

/** Replaces characters that are special in a glob. */
const literal = (text: string): string => text.replace(/[*?[\]{}!\\]/g, "?");

/** Finds screens, actions and nodes by name, from anywhere. */
export function Palette({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Find or run">
      {open && <PaletteBody onClose={onClose} />}
    </Dialog>
  );
}

/** The most likely command: a URI, a screen by the beginning of its name, otherwise a search. */
function likelyOf(name: string, screens: readonly Screen[]): string {
  if (name.includes("://")) return "open";
  const named = screens.find(({ title }) => title.toLowerCase().startsWith(name.toLowerCase()));
  return named?.path ?? "ask";
}

function PaletteBody({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const name = useDeferredValue(text.trim());
  const files = useGlob(
    { uri: ROOT, pattern: `**/*${literal(name)}*`, nodeLimit: MAX_FILES },
    name.length >= 2,
  );
  const navigate = useNavigate();
  const role = useRole();
  const theme = useTheme();
  const { key } = useIdentity();
  const run = (action: () => void) => () => {
    onClose();
    action();
  };
  const matches = files.data?.matches ?? [];
  const says = (title: string) => title.toLowerCase().includes(name.toLowerCase());
  const screens = screensOf(role).filter(({ title }) => says(title));
  const likely = likelyOf(name, screens);
  const [selected, setSelected] = useState(likely);
  // Enter runs what is typed now, not what was listed before
  useEffect(() => setSelected(likely), [likely]);
  return (
    <Command label="Find or run" shouldFilter={false} value={selected} onValueChange={setSelected}>
      <Command.Input
        autoFocus
        value={text}
        onValueChange={setText}
        placeholder="Screen, file, URI or question"
        className="mb-2 h-10 w-full rounded-md border border-line-strong/60 bg-surface px-3 text-base"
      />
      <Command.List className="max-h-[50dvh] overflow-y-auto">
        {name !== "" && (
          <Command.Group heading="Ask" className={GROUP}>
            {name.includes("://") && (
              <Item
                id="open"
                icon={<ArrowRight />}
                onSelect={run(() => void navigate({ to: "/explorer", search: { uri: name } }))}
              >
                Open {visible(name)}
              </Item>
            )}
            <Item
              id="ask"
              icon={<FlaskConical />}
              onSelect={run(() => void navigate({ to: "/search", search: { q: name } }))}
            >
              Search for “{visible(name)}”
            </Item>
          </Command.Group>
        )}
        {matches.length > 0 && (
          <Command.Group heading="Files and folders" className={GROUP}>
            {matches.map((uri) => (
              <Item
                key={uri}
                id={uri}
                icon={/\.\w+$/.test(uri) ? <FileText /> : <Folder />}
                onSelect={run(() => void navigate({ to: "/explorer", search: { uri } }))}
              >
                {visible(uri.slice(parentOf(uri).length).replace(/^\//, ""))}{" "}
                <span className="text-soft">{visible(parentOf(uri))}</span>
              </Item>
            ))}
          </Command.Group>
        )}
        <Command.Group heading="Go to" className={GROUP}>
          {screens.map(({ path, title, icon: Icon, keys }) => (
            <Item
              key={path}
              id={path}
              icon={<Icon />}
              hint={keys}
              onSelect={run(() => void navigate({ to: path }))}
            >
              {title}
            </Item>
          ))}
        </Command.Group>
        <Command.Group heading="Settings" className={GROUP}>
          {says("Change theme") && (
            <Item id="theme" icon={<MonitorCog />} onSelect={() => chooseTheme(nextTheme(theme))}>
              Change theme (now: {theme})
            </Item>
          )}
          {says("API calls as code") && (
            <Item id="calls" icon={<Code2 />} onSelect={run(() => showCalls(true))}>
              API calls as code: curl, Python, TypeScript, Go
            </Item>
          )}
          {key !== undefined && says("Sign out") && (
            <Item id="out" icon={<LogOut />} onSelect={run(() => signOut())}>
              Sign out
            </Item>
          )}
        </Command.Group>
      </Command.List>
    </Command>
  );
}

interface ItemProps {
  readonly id: string;
  readonly icon: ReactNode;
  readonly hint?: string;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

function Item({ id, icon, hint, onSelect, children }: ItemProps) {
  return (
    <Command.Item value={id} onSelect={onSelect} className={ITEM}>
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {hint !== undefined && <kbd className="font-sans text-xs text-soft">{hint}</kbd>}
    </Command.Item>
  );
}
