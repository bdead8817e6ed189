import { BookOpen } from "lucide-react";
import { useOverview } from "../../api/content.ts";
import { Markdown } from "../../content/markdown.tsx";
import { Empty, Failure, Loading } from "../../ui/states.tsx";

/** The overview (L1) of a node. */
export function Layer({ uri }: { readonly uri: string }) {
  const { data, error, refetch } = useOverview(uri);
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading lines={6} />;
  if (data === null) {
    return (
      <Empty icon={BookOpen} title="The overview is being written">
        It appears here automatically. Stored content can be found already.
      </Empty>
    );
  }
  if (data.trim() === "") return <Empty icon={BookOpen} title="There is no description yet" />;
  return <Markdown text={data} uri={`${uri}/.overview.md`} />;
}
