import { Button } from "./button.tsx";

interface MoreButtonProps {
  readonly label: string;
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

/** Reads the next page of a list; nothing on the last page. */
export function MoreButton({
  label,
  list: { hasNextPage, isFetchingNextPage, fetchNextPage },
}: MoreButtonProps) {
  if (!hasNextPage) return null;
  return (
    <div className="p-3 text-center">
      <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {label}
      </Button>
    </div>
  );
}
