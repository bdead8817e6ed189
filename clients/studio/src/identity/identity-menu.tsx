import { ChevronsUpDown, LogOut, UserRoundCog } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useStatus } from "../api/system.ts";
import { Menu } from "../ui/menu.tsx";
import { signOut, useIdentity } from "./identity.ts";

const SwitchDialog = lazy(() =>
  import("./switch-dialog.tsx").then(({ SwitchDialog }) => ({ default: SwitchDialog })),
);

/** Shows who is signed in, in which workspace, with a menu to change that. */
export function IdentityMenu() {
  const { data: status } = useStatus();
  const identity = useIdentity();
  const [switching, setSwitching] = useState(false);
  const agent = identity.agent ?? "default";
  const items = [
    {
      title: status?.role === "root" ? "Switch workspace, user or agent" : "Switch agent",
      icon: <UserRoundCog />,
      onSelect: () => setSwitching(true),
    },
    ...(identity.key === undefined
      ? []
      : [{ title: "Sign out", icon: <LogOut />, onSelect: () => signOut() }]),
  ];
  return (
    <>
      <Menu
        items={items}
        trigger={
          <button
            type="button"
            className="flex min-w-0 flex-1 items-center gap-2 rounded-md p-1.5 text-left -outline-offset-2 hover:bg-sunken"
          >
            <span className="min-w-0 flex-1">
              <span className="block truncate text-[13px] font-medium">
                {status?.user} <span className="font-normal text-soft">in {status?.account}</span>
              </span>
              <span className="block truncate text-xs text-soft">
                {identity.key === undefined ? "no keys" : status?.role} · agent {agent}
              </span>
            </span>
            <ChevronsUpDown className="size-4 text-soft" aria-hidden />
          </button>
        }
      />
      {switching && (
        <Suspense>
          <SwitchDialog mayActAsOthers={status?.role === "root"} onClose={() => setSwitching(false)} />
        </Suspense>
      )}
    </>
  );
}
