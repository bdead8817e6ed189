import type { FileVersion } from "../../../../../typescript/src/gen/ctxdb/v1/content_pb.ts";
import { FIRST_LINES, useReadVersion } from "../../../api/content.ts";
import { useDiffVersions } from "../../../api/versions.ts";
import { PlainText } from "../../../content/plain-text.tsx";
import { count, plural } from "../../../text/format.ts";
import { Failure, Loading } from "../../../ui/states.tsx";

/** The text of a version as stored. */
export function VersionText({ uri, version }: { readonly uri: string; readonly version: FileVersion }) {
  const { data, error, refetch } = useReadVersion(uri, version.version);
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading lines={6} />;
  if (data.content === "") return <p className="text-soft italic">The file was empty.</p>;
  return (
    <>
      <PlainText text={data.content} label={`Text of version ${version.version}`} />
      {data.content.split("\n", FIRST_LINES + 1).length >= FIRST_LINES && (
        <p className="text-xs text-soft">
          At most {count(FIRST_LINES)} lines are shown. Download it for all.
        </p>
      )}
    </>
  );
}

interface ComparisonProps {
  readonly uri: string;
  readonly from: number;
  readonly to: number;
}

/** The lines in which two versions differ. */
export function Comparison({ uri, from, to }: ComparisonProps) {
  const { data, error, refetch } = useDiffVersions(uri, from, to);
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading lines={6} />;
  const { diff, added, removed, isCoarse } = data;
  if (diff === "") return <p className="text-soft italic">Both versions hold the same text.</p>;
  return (
    <>
      <p className="text-[13px] text-soft">
        {plural(added, "line")} added and {plural(removed, "line")} removed since version {from}.
        {isCoarse && " The texts differ too much to be compared line by line."}
      </p>
      <PlainText
        text={diff.trimEnd()}
        label={`Changes from version ${from} to version ${to}`}
        lineLook={lookOf}
      />
    </>
  );
}

/** Colours for a line of a unified diff, whose first two lines are file names. */
function lookOf(line: string): string {
  if (line.startsWith("--- ") || line.startsWith("+++ ") || line.startsWith("@@")) return "text-soft";
  if (line.startsWith("+")) return "bg-accent-ground";
  return line.startsWith("-") ? "bg-danger-ground" : "";
}
