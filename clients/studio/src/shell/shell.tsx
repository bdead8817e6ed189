import { Link, Outlet } from "@tanstack/react-router";
import { Menu as MenuIcon, Search as SearchIcon, X } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useConnection } from "../api/connection.ts";
import { useRole, useStatus } from "../api/system.ts";
import { showCalls, useCallsShown } from "../calls/panel-state.ts";
import { IdentityMenu } from "../identity/identity-menu.tsx";
import { IconButton } from "../ui/button.tsx";
import { Palette } from "./palette.tsx";
import { screensOf } from "./screens.ts";
import { useShortcuts } from "./shortcuts.ts";
import { ThemeButton } from "./theme-button.tsx";
import { Uploads } from "./uploads.tsx";

const CallsPanel = lazy(() =>
  import("../calls/calls-panel.tsx").then(({ CallsPanel }) => ({ default: CallsPanel })),
);

/** Layout around every screen: navigation, user menu, command palette. */
export function Shell() {
  const [navigationOpen, setNavigationOpen] = useState(false);
  const [paletteOpen, setPaletteOpen] = useState(false);
  useShortcuts(() => setPaletteOpen(true));
  return (
    <div className="flex h-full flex-col md:flex-row">
      <button
        type="button"
        className="sr-only z-50 rounded bg-surface p-2 focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:shadow-lg"
        onClick={() => document.getElementById("content")?.focus()}
      >
        Skip to content
      </button>
      <header className="flex h-12 shrink-0 items-center gap-2 border-b border-line bg-surface px-3 md:hidden">
        <IconButton
          label={navigationOpen ? "Close navigation" : "Open navigation"}
          onClick={() => setNavigationOpen(!navigationOpen)}
        >
          {navigationOpen ? <X /> : <MenuIcon />}
        </IconButton>
        <Brand />
        <IconButton label="Search and commands" onClick={() => setPaletteOpen(true)}>
          <SearchIcon />
        </IconButton>
      </header>
      <Sidebar
        open={navigationOpen}
        onClose={() => setNavigationOpen(false)}
        onPalette={() => setPaletteOpen(true)}
      />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <ConnectionBanner />
        <main id="content" tabIndex={-1} className="min-h-0 flex-1 outline-none">
          <Outlet />
        </main>
      </div>
      <Uploads />
      <Calls />
      <Palette open={paletteOpen} onClose={() => setPaletteOpen(false)} />
    </div>
  );
}

function Calls() {
  if (!useCallsShown()) return null;
  return (
    <Suspense fallback={null}>
      <CallsPanel onClose={() => showCalls(false)} />
    </Suspense>
  );
}

function Brand() {
  return (
    <Link to="/" className="flex flex-1 items-center gap-2 rounded font-semibold tracking-tight">
      <img src="/studio/icon.svg" alt="" className="size-6" />
      ctxdb <span className="font-normal text-soft">Studio</span>
    </Link>
  );
}

interface SidebarProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onPalette: () => void;
}

function Sidebar({ open, onClose, onPalette }: SidebarProps) {
  const role = useRole();
  const version = useStatus().data?.version;
  return (
    <aside
      aria-label="Navigation"
      className={`${open ? "flex" : "hidden"} fixed inset-x-0 top-12 bottom-0 z-30 flex-col gap-3 border-r border-line bg-surface p-3 md:static md:flex md:w-56 md:shrink-0`}
    >
      <div className="hidden h-9 items-center px-1 md:flex">
        <Brand />
      </div>
      <button
        type="button"
        onClick={onPalette}
        className="hidden h-8 items-center gap-2 rounded-md border border-line bg-ground px-2 text-[13px] text-soft hover:border-line-strong md:flex"
      >
        <SearchIcon className="size-4" aria-hidden />
        <span className="flex-1 text-left">Find or run…</span>
        <kbd className="rounded border border-line bg-surface px-1 font-sans text-[11px]">⌘K</kbd>
      </button>
      <nav aria-label="Screens" className="flex flex-1 flex-col gap-0.5 overflow-y-auto">
        {screensOf(role).map(({ path, title, icon: Icon }) => (
          <Link
            key={path}
            to={path}
            onClick={onClose}
            activeOptions={{ exact: path === "/", includeSearch: false }}
            className="flex h-9 items-center gap-2.5 rounded-md px-2.5 text-soft -outline-offset-2 hover:bg-sunken hover:text-ink md:h-8"
            activeProps={{ className: "bg-accent-ground !text-accent font-medium", "aria-current": "page" }}
          >
            <Icon className="size-4" aria-hidden />
            {title}
          </Link>
        ))}
      </nav>
      <div className="flex items-center gap-1 border-t border-line pt-2">
        <IdentityMenu />
        <ThemeButton />
      </div>
      <p className="flex flex-wrap gap-x-3 gap-y-1 px-2 text-xs text-soft">
        {version !== undefined && <span>{version}</span>}
        <a href="/docs" className="underline hover:text-ink">
          API reference
        </a>
        <button type="button" className="underline hover:text-ink" onClick={() => showCalls(true)}>
          Calls as code
        </button>
      </p>
    </aside>
  );
}

function ConnectionBanner() {
  if (useConnection() === "online") return null;
  return (
    <p
      role="status"
      className="flex items-center gap-2 border-b border-line bg-warning-ground px-4 py-1.5 text-[13px] text-warning"
    >
      <span className="size-2 animate-pulse rounded-full bg-warning" aria-hidden />
      The server does not respond. Studio continues automatically when it is back.
    </p>
  );
}
