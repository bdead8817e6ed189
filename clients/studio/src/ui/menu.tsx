import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";

export interface MenuItem {
  readonly title: string;
  readonly icon?: ReactNode;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
}

export const MENU_PANEL = "z-50 min-w-44 rounded-lg border border-line bg-surface p-1 shadow-xl";

export function Menu({
  trigger,
  items,
}: {
  readonly trigger: ReactNode;
  readonly items: readonly MenuItem[];
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align="end" sideOffset={4} className={MENU_PANEL}>
          {items.map(({ title, icon, danger, disabled, onSelect }) => (
            <DropdownMenu.Item
              key={title}
              disabled={disabled}
              onSelect={onSelect}
              className={`flex cursor-pointer items-center gap-2 rounded px-2 py-1.5 text-[13px] outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-sunken [&_svg]:size-4 ${danger ? "text-danger" : ""}`}
            >
              {icon}
              {title}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
