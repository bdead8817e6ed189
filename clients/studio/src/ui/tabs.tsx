import { Tabs as Radix } from "radix-ui";
import { type ReactNode, useEffect, useRef } from "react";

export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly content: ReactNode;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly actions?: ReactNode;
}

/** Tabs; the content of a tab is created when it is opened. */
export function Tabs({ label, tabs, value, onChange, actions }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  // on a narrow screen the tab of a deep link may lie out of sight
  // biome-ignore lint/correctness/useExhaustiveDependencies: `value` is not read, but another tab must be scrolled to
  useEffect(() => {
    // newer browsers return a promise, which needs no handling
    void list.current?.querySelector("[data-state=active]")?.scrollIntoView({ block: "nearest" });
  }, [value]);
  return (
    <Radix.Root value={value} onValueChange={onChange} className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center gap-2 border-b border-line">
        <Radix.List ref={list} aria-label={label} className="flex min-w-0 flex-1 gap-1 overflow-x-auto px-3">
          {tabs.map(({ id, title }) => (
            <Radix.Trigger
              key={id}
              value={id}
              className="-mb-px border-b-2 border-transparent px-2 py-2 text-[13px] font-medium whitespace-nowrap text-soft -outline-offset-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
            >
              {title}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {actions !== undefined && <div className="flex shrink-0 items-center gap-1 pr-3">{actions}</div>}
      </div>
      {tabs.map(({ id, content }) => (
        <Radix.Content key={id} value={id} className="min-h-0 flex-1 overflow-y-auto p-4 -outline-offset-2">
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
